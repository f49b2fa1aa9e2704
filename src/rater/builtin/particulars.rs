//! What the arguments of a command make of an effect, where the same holds for many programs.
//!
//! Promises to make an effect milder only where the arguments say so plainly. Knows nothing of single entries.

use super::call::Call;
use super::findings::Findings;
use super::objects::{is_url, shown};
use super::place::Place;
use super::rules;
use super::supply::is_program;
use super::variables;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, Unit, is_remote, is_this_machine};
use crate::shell::layout::Link;
use crate::shell::segment::{Opaque, Reach};
use crate::shell::{Analysis, Segment};
use std::collections::HashSet;

/// Programs that show or send what is put into their words.
const SHOWING: &[&str] = &[
    "echo", "printf", "cat", "print", "curl", "wget", "nc", "ncat", "http", "https", "xh", "dig", "nslookup",
    "host", "ping", "mail", "sendmail", "logger", "write", "wall", "tee", "base64", "xxd",
];
/// Parts of the names of settings that hold a secret.
const SECRET_SETTINGS: [&str; 6] =
    ["_authtoken", "_password", ":_auth", "client_secret", "secret_access_key", "access_token"];

/// Whether a link is made to what lies outside of the project and is more than data: what is written to its name goes there.
pub(super) fn links_out(call: &Call<'_>, findings: &mut Findings) {
    let links = match call.program {
        "ln" | "gln" => true,
        "cp" | "gcp" => call.arguments.iter().any(|argument| {
            let text = argument.text.as_str();
            matches!(text, "--link" | "--symbolic-link")
                || text.starts_with('-') && !text.starts_with("--") && text.contains(['l', 's'])
        }),
        _ => false,
    };
    if !links {
        return;
    }
    let (_, targets) = call.operands.split_last().unwrap_or((&0, &[]));
    let only = if call.operands.len() == 1 { call.operands } else { targets };
    for units in
        only.iter().filter_map(|at| call.arguments.get(*at)).map(|argument| argument.units.as_slice())
    {
        let object = call.object(units);
        let harmless = matches!(
            object.place,
            Place::Stream
                | Place::Project
                | Place::WholeProject
                | Place::AroundProject
                | Place::Temporary
                | Place::Cache
                | Place::Library
                | Place::Outside
        );
        if !harmless || object.credential {
            let note = Some("through a link, what is written to its name goes there");
            call.does(Verb::Alters, &object, note, findings);
        }
    }
}

/// Whether every address that a command names is one of this machine.
pub(super) fn stays_on_this_machine(call: &Call<'_>) -> bool {
    let mut some = false;
    for argument in call.arguments {
        let text = argument.text.as_str();
        let port = text.strip_prefix(':').map(|rest| rest.split('/').next().unwrap_or_default());
        if is_this_machine(text)
            || port.is_some_and(|port| port.len() >= 2 && port.bytes().all(|byte| byte.is_ascii_digit()))
        {
            some = true;
        } else if argument.is_dynamic() || is_url(text) || text.contains('@') || is_remote(text) {
            return false;
        } else if !text.starts_with('-') && text.contains('.') && !text.starts_with(['.', '/']) {
            // It may be the name of a host.
            return false;
        }
    }
    some
}

/// Whether a server is told to listen to this machine alone.
pub(super) fn is_bound_to_this_machine(call: &Call<'_>) -> bool {
    call.arguments.iter().any(|argument| {
        let text = argument.text.as_str();
        let value = text.split_once('=').filter(|_| text.starts_with('-')).map_or(text, |(_, value)| value);
        is_this_machine(value) && !value.contains("0.0.0.0")
    })
}

/// Whether a copier is given no path on another machine.
pub(super) fn copies_on_this_machine(call: &Call<'_>) -> bool {
    let local =
        |argument: &Argument| !argument.is_dynamic() && !is_url(&argument.text) && !is_remote(&argument.text);
    matches!(call.program, "rsync" | "scp") && call.operands.len() >= 2 && call.arguments.iter().all(local)
}

/// Adds functions that take the place of a program which is trusted with a password.
pub(super) fn pretending_functions(functions: &HashSet<&str>, findings: &mut Findings) {
    for name in ["sudo", "su", "doas", "ssh", "passwd", "login", "gpg"] {
        if functions.contains(name) {
            findings.add(Outcome::Attack, || {
                format!("A function takes the place of {name}, to which passwords are given.")
            });
        }
    }
}

/// Whether code in a file is only checked and not run: `bash -n`.
pub(super) fn only_checks_syntax(opaque: &Opaque, analysis: &Analysis) -> bool {
    let Opaque::File { program } = opaque else { return false };
    let shells = [program.as_str()];
    let mut given_files = analysis.segments().iter().filter(|segment| is_program(segment, &shells));
    given_files.all(|segment| segment.words.get(1).is_some_and(|word| word.raw == "-n"))
}

/// Programs of ImageMagick and its like, whose operands may start with the name of a format.
const PICTURES: &[&str] = &[
    "convert",
    "magick",
    "mogrify",
    "identify",
    "compare",
    "composite",
    "montage",
    "animate",
    "display",
    "stream",
    "gm",
];
/// Formats that name a file, or a picture that is made of nothing.
const FORMATS: &[&str] = &[
    "png",
    "png8",
    "png24",
    "png32",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "avif",
    "heic",
    "bmp",
    "bmp3",
    "ico",
    "tif",
    "tiff",
    "ppm",
    "pgm",
    "pbm",
    "pnm",
    "pam",
    "tga",
    "dds",
    "exr",
    "hdr",
    "psd",
    "jp2",
    "jxl",
    "qoi",
    "xpm",
    "xbm",
    "miff",
    "mpc",
    "rgb",
    "rgba",
    "gray",
    "cmyk",
    "txt",
    "info",
    "histogram",
    "null",
    "xc",
    "canvas",
    "gradient",
    "radial-gradient",
    "plasma",
    "pattern",
    "rose",
    "logo",
    "wizard",
    "granite",
    "label",
    "caption",
    "pango",
    "json",
    "sixel",
    "apng",
];

/// Adds settings of a cluster that come from a repository on another host: `-k github.com/acme/base?ref=main`.
pub(super) fn settings_from_a_host(call: &Call<'_>, findings: &mut Findings) {
    const PROGRAMS: [&str; 4] = ["kubectl", "oc", "kustomize", "kubecolor"];
    let flakes = call.operands.iter().filter_map(|at| call.arguments.get(*at));
    for flake in flakes.filter(|flake| call.program == "nix" && flake.text.contains('#')) {
        if !flake.text.starts_with(['.', '#', '/']) {
            call.does_plainly(Verb::Fetches, Some("a package that nothing here declares"), findings);
        }
    }
    if !PROGRAMS.contains(&call.program) {
        return;
    }
    for argument in call.arguments {
        let value = match argument.text.split_once('=') {
            Some((name, value)) if name.starts_with('-') => value,
            Some(_) | None => argument.text.as_str(),
        };
        let host = value.split(['/', ':']).next().unwrap_or_default();
        let is_host = value.contains('/') && host.contains('.') && !host.starts_with('.');
        let elsewhere = ["github.com", "gitlab.com", "bitbucket.org"].contains(&host)
            || value.contains("?ref=")
            || value.contains("//");
        if value.starts_with("git@") || is_host && elsewhere {
            call.does_plainly(Verb::Fetches, Some("settings from a repository of somebody else"), findings);
        }
    }
}

/// Adds rules of a scanner that are loaded from a host: `semgrep --config p/security-audit`.
pub(super) fn rules_from_a_host(call: &Call<'_>, findings: &mut Findings) {
    if !matches!(call.program, "semgrep" | "opengrep") {
        return;
    }
    let mut words = call.arguments.iter().map(|argument| argument.text.as_str());
    while let Some(word) = words.next() {
        let value = match word.split_once('=') {
            Some(("--config", value)) => value,
            _ if matches!(word, "--config" | "-c" | "-f") => words.next().unwrap_or_default(),
            _ => continue,
        };
        if !value.ends_with(".yml")
            && !value.ends_with(".yaml")
            && !value.ends_with('/')
            && !value.starts_with('.')
        {
            call.does_plainly(Verb::Fetches, Some("rules from a host"), findings);
        }
    }
}

/// Adds the variables that a command sets for the one behind it: `cross-env NODE_OPTIONS=… npm test`.
pub(super) fn sets_variables(call: &Call<'_>, findings: &mut Findings) {
    if !matches!(call.program, "cross-env" | "cross-env-shell") {
        return;
    }
    for argument in call.arguments {
        let Some((name, value)) = argument.text.split_once('=').filter(|(name, _)| !name.starts_with('-'))
        else {
            break;
        };
        variables::set(name, Some(value), true, findings);
    }
}

/// Adds files of the project that are moved to where they do not stay, or that nothing is copied over.
pub(super) fn loses_files(call: &Call<'_>, findings: &mut Findings) {
    let last = || call.operands.last().and_then(|at| call.arguments.get(*at));
    let first = || call.operands.first().and_then(|at| call.arguments.get(*at));
    match call.program {
        // The name of a file may be an option that runs something: `-TT`, `-e sh`.
        "zip" | "rsync" | "7z" | "scp"
            if call.operands.iter().filter_map(|at| call.arguments.get(*at)).any(|argument| {
                matches!(argument.units.as_slice(), [Unit::Plain('*')] | [Unit::Plain('*'), Unit::Plain('*')])
            }) =>
        {
            call.not_assessed("a name that the pattern matches may turn out to be an option", findings);
        }
        "mv" | "gmv" if call.operands.len() > 1 => {
            let target = last().map(|argument| call.object(&argument.units).place);
            let source = first().map(|argument| call.object(&argument.units).place);
            if matches!(target, Some(Place::Temporary | Place::Stream)) && source != Some(Place::Temporary) {
                call.not_assessed("what is moved there does not stay", findings);
            }
        }
        "cp" | "gcp" | "tee"
            if call.operands.len() > 1 && first().is_some_and(|argument| argument.text == "/dev/null") =>
        {
            call.not_assessed("it empties a file, which may have held something", findings);
        }
        "tee" | "sponge"
            if call
                .segment
                .redirects
                .iter()
                .any(|redirect| redirect.target.raw == "/dev/null" && redirect.operator.as_str() == "<") =>
        {
            call.not_assessed("it empties a file, which may have held something", findings);
        }
        "fd" | "fdfind"
            if call.arguments.iter().any(|argument| {
                let text = argument.text.to_ascii_lowercase();
                ["id_rsa", "id_ed25519", "\\.env", ".pem", "credential", "secret", "password", "kdbx"]
                    .iter()
                    .any(|key| text.contains(key))
            }) && call.arguments.iter().any(|argument| {
                argument.text.starts_with(['/', '~'])
                    || matches!(argument.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch")
            }) =>
        {
            call.does_plainly(Verb::Exposes, Some("it looks for keys"), findings);
        }
        "find" | "gfind"
            if call.arguments.iter().any(|argument| {
                argument.text.trim_start_matches(['-', '/']).starts_with("4000")
                    || argument.text.contains("u+s")
                    || argument.text.contains("g+s")
                    || argument.text.contains("6000")
            }) =>
        {
            call.not_assessed("it looks for programs with the rights of others", findings);
        }
        _ => {}
    }
}

/// Adds files that a program which comes through the input is given: it may show them.
pub(super) fn given_to_code(call: &Call<'_>, findings: &mut Findings) {
    const LANGUAGES: [&str; 9] = ["python", "python3", "node", "perl", "ruby", "php", "sh", "bash", "lua"];
    if !LANGUAGES.contains(&call.program) {
        return;
    }
    let behind = call
        .arguments
        .iter()
        .skip_while(|argument| argument.text != "-" && argument.text != "-w" && argument.text != "-s");
    for argument in behind.skip(1) {
        let object = call.object(&argument.units);
        if object.credential || object.sensitive {
            call.does(Verb::Reveals, &object, Some("the code in its input may show it"), findings);
        }
    }
}

/// Adds pictures that are more than files: scripts, lists of names, what is shown on a screen or taken away after it is read.
pub(super) fn pictures(call: &Call<'_>, findings: &mut Findings) {
    if !PICTURES.contains(&call.program) {
        return;
    }
    for argument in call.operands.iter().filter_map(|at| call.arguments.get(*at)) {
        let text = argument.text.as_str();
        let list = text.starts_with('@') || text.contains(":@");
        let format = text.split_once(':').map(|(format, _)| format).filter(|format| {
            !format.is_empty() && format.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
        if list || format.is_some_and(|format| !FORMATS.contains(&format.to_ascii_lowercase().as_str())) {
            call.not_assessed(&format!("the picture {} may be more than a file", shown(text)), findings);
        }
        // What stands behind the format is the file.
        if let Some(format) = format {
            let file = argument.behind(format.chars().count() + 1);
            let file = file
                .split_first()
                .filter(|(first, _)| first.character() == '@')
                .map_or(file, |(_, rest)| rest);
            call.does_to(Verb::Reads, file, findings);
        }
    }
}

/// Adds the credentials that are recorded in version control, from where they spread.
pub(super) fn records_credentials(call: &Call<'_>, findings: &mut Findings) {
    for at in call.operands {
        let Some(argument) = call.arguments.get(*at) else { continue };
        let object = call.object(&argument.units);
        if object.credential {
            let verb = if object.place == Place::Project { Verb::Alters } else { Verb::Exposes };
            call.does(verb, &object, Some("records credentials in version control"), findings);
        }
    }
}

/// Whether it is a setting of git that the rule for them judges, with the program in it.
pub(super) fn is_setting_of_git(opaque: &Opaque) -> bool {
    matches!(opaque, Opaque::Setting { program, setting } if program == "git" && rules::is_known_git_setting(setting))
}

/// Whether a setting that is looked at is a secret by its name.
pub(super) fn asks_for_secret(call: &Call<'_>) -> bool {
    call.arguments.iter().any(|argument| {
        let text = argument.text.to_ascii_lowercase();
        !text.starts_with('-') && SECRET_SETTINGS.iter().any(|name| text.contains(name))
    })
}

/// Whether a credential that a command writes goes into another program that needs it for its own work.
pub(super) fn is_handed_on(segment: &Segment, analysis: &Analysis) -> bool {
    let place = segment.pipeline;
    let at = |pipeline: usize, stage: usize| {
        analysis
            .segments()
            .iter()
            .find(move |other| other.pipeline.pipeline == pipeline && other.pipeline.stage == stage)
    };
    if let Some(next) = at(place.pipeline, place.stage + 1) {
        return next
            .words
            .iter()
            .any(|word| matches!(word.raw.as_str(), "--password-stdin" | "login" | "--with-token"));
    }
    let Some(hanging) = analysis.layout().pipelines.get(place.pipeline) else { return false };
    if segment.reached.last() != Some(&Reach::Substitution) {
        return false;
    }
    match hanging.link {
        Link::Argument => match at(hanging.place.pipeline, hanging.place.stage) {
            Some(outer) => !is_program(outer, SHOWING) && !outer.words.is_empty(),
            None => false,
        },
        // The value of a variable.
        Link::Top => true,
        Link::Body | Link::ReadByStage | Link::WrittenByStage => false,
    }
}

/// Whether code that is sourced is the activation of the project's own virtual environment.
pub(super) fn is_activation(opaque: &Opaque, analysis: &Analysis) -> bool {
    let Opaque::File { program } = opaque else { return false };
    if !matches!(program.as_str(), "source" | ".") {
        return false;
    }
    let mut sourced = analysis.segments().iter().filter(|segment| is_program(segment, &["source", "."]));
    sourced.all(is_own_activation)
}

/// Whether a command sources the activation of the project's own virtual environment.
pub(super) fn activates(call: &Call<'_>) -> bool {
    matches!(call.program, "source" | ".") && is_own_activation(call.segment)
}

fn is_own_activation(segment: &Segment) -> bool {
    let [_, file] = segment.words.as_slice() else { return false };
    matches!(
        file.raw.trim_start_matches("./"),
        ".venv/bin/activate" | "venv/bin/activate" | "env/bin/activate"
    )
}
