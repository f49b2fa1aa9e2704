//! What the arguments of a command make of an effect, where the same holds for many programs.
//!
//! Promises to make an effect milder only where the arguments say so plainly. Knows nothing of single entries.

use super::call::Call;
use super::findings::Findings;
use super::objects::{is_url, shown};
use super::place::Place;
use super::rules;
use super::supply::is_program;
use super::variables::{self, is_environment_secret};
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, Unit, is_remote, is_this_machine};
use crate::shell::layout::Link;
use crate::shell::segment::{Opaque, Reach};
use crate::shell::word::base_name;
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

/// Whether a command shows of the files it reads how many lines they have, or the names in front of `=` alone.
pub(super) fn shows_only_names(call: &Call<'_>) -> bool {
    let texts = || call.arguments.iter().map(|argument| argument.text.as_str());
    let has = |options: &[&str]| texts().any(|text| options.contains(&text));
    let asks_for = |letters: &[char]| {
        texts().any(|text| {
            text.starts_with('-')
                && !text.starts_with("--")
                && text.chars().skip(1).all(|letter| letter.is_ascii_alphabetic())
                && text.contains(letters)
        })
    };
    match call.program {
        "grep" | "egrep" | "fgrep" | "rg" => {
            // The value of `-f` and its like is no letter of a cluster that counts.
            let counts =
                has(&["--count", "--quiet", "--silent", "--files-with-matches", "--files-without-match"])
                    || asks_for(&['c', 'q', 'l', 'L']);
            let takes_text =
                asks_for(&['e', 'f', 'm', 'A', 'B', 'C']) || texts().any(|text| text.starts_with("--regexp"));
            let pattern = call.operands.first().and_then(|at| call.arguments.get(*at));
            let names = (has(&["--only-matching"]) || asks_for(&['o']))
                && pattern.is_some_and(|pattern| matches_only_names(&pattern.text));
            !takes_text && (counts || names)
        }
        "cut" | "gcut" => {
            let equals = has(&["-d=", "--delimiter=="]) || {
                let mut words = texts().skip_while(|text| *text != "-d");
                words.next().is_some() && words.next() == Some("=")
            };
            let first = has(&["-f1", "--fields=1"]) || {
                let mut words = texts().skip_while(|text| *text != "-f");
                words.next().is_some() && words.next() == Some("1")
            };
            equals && first && !has(&["--complement"])
        }
        _ => false,
    }
}

/// Whether a pattern matches the names of settings and nothing behind their `=`.
fn matches_only_names(pattern: &str) -> bool {
    let Some(name) = pattern.strip_prefix('^') else { return false };
    let name = name.strip_suffix('=').unwrap_or(name);
    let mut rest = name;
    // Classes of letters, digits and underlines, each with a repetition; or everything but `=`.
    while !rest.is_empty() {
        let behind = rest
            .strip_prefix("[^=]")
            .or_else(|| rest.strip_prefix("\\w"))
            .or_else(|| behind_class_of_letters(rest));
        let Some(behind) = behind else { return false };
        rest = behind.trim_start_matches(['*', '+']);
    }
    !name.is_empty()
}

/// What follows a class that matches letters, digits, dashes and underlines alone.
fn behind_class_of_letters(pattern: &str) -> Option<&str> {
    let (inside, behind) = pattern.strip_prefix('[')?.split_once(']')?;
    let letters: Vec<char> = inside.chars().collect();
    let plain = |letter: &char| letter.is_ascii_alphanumeric() || "_-".contains(*letter);
    // A range from a digit to a letter has the equals sign in it.
    let range = |window: &[char]| match window {
        [from, '-', to] => {
            from.is_ascii_digit() && to.is_ascii_digit()
                || from.is_ascii_uppercase() && to.is_ascii_uppercase()
                || from.is_ascii_lowercase() && to.is_ascii_lowercase()
        }
        _ => true,
    };
    (letters.iter().all(plain) && letters.windows(3).all(range)).then_some(behind)
}

/// Adds that a command looks for secrets in folders where people and systems keep them.
pub(super) fn searches_for_secrets(call: &Call<'_>, findings: &mut Findings) {
    const MARKS: [&str; 12] = [
        "akia",
        "ghp_",
        "gho_",
        "github_pat",
        "xoxb",
        "sk_live",
        "private key",
        "begin rsa",
        "password",
        "passwd",
        "secret",
        "token",
    ];
    if !matches!(call.program, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "ugrep" | "zgrep") {
        return;
    }
    let marked = call.arguments.iter().any(|argument| {
        let text = argument.text.to_lowercase();
        MARKS.iter().any(|mark| text.contains(mark))
    });
    if !marked {
        return;
    }
    let mut looked_into = call
        .operands
        .iter()
        .filter_map(|at| call.arguments.get(*at))
        .map(|argument| call.object(&argument.units));
    let kept = looked_into.find(|object| {
        matches!(object.place, Place::WholeHome | Place::WholeSystem | Place::History | Place::Settings)
    });
    if let Some(kept) = kept {
        call.does(Verb::Exposes, &kept, Some("it looks for secrets"), findings);
    }
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

/// Adds what a container is given, where all of it is shown: its variables hold secrets.
pub(super) fn inspected_containers(call: &Call<'_>, findings: &mut Findings) {
    let container = match call.arguments.get(..call.subcommand_end).unwrap_or_default() {
        [.., kind, _] => {
            matches!(kind.text.as_str(), "container" | "containers") || kind.text.starts_with('-')
        }
        [_] => true,
        [] => false,
    };
    if !matches!(call.program, "docker" | "podman" | "nerdctl")
        || !call.subcommand_is(&["inspect"])
        || !container
    {
        return;
    }
    let mut words = call.rest().iter().map(|argument| argument.text.as_str());
    let mut format = None;
    let mut kind = "container";
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some(("--format" | "-f", value)) => format = Some(value),
            Some(("--type", value)) => kind = value,
            _ if matches!(word, "--format" | "-f") => format = words.next(),
            _ if word == "--type" => kind = words.next().unwrap_or_default(),
            _ if word.starts_with("-f") => format = word.get(2..),
            _ => {}
        }
    }
    let everything = |format: &str| {
        let inner: String =
            format.chars().filter(|letter| !letter.is_whitespace() && !"{}".contains(*letter)).collect();
        matches!(inner.as_str(), "json." | "." | "json.Config" | ".Config" | "json" | "println.Config")
    };
    if format.is_some_and(|format| format.contains(".Env")) {
        call.does_plainly(Verb::Exposes, Some("the variables of a container"), findings);
    } else if kind == "container" && format.map_or(!call.goes_on(), everything) {
        call.does_plainly(Verb::Reveals, Some("the variables of a container, if it is one"), findings);
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

/// Adds files that a search looks into by their names: `grep -r --include=.env`, `rg -g '.env*'`.
pub(super) fn searched_files(call: &Call<'_>, findings: &mut Findings) {
    const SEARCHES: [&str; 8] = ["grep", "egrep", "fgrep", "rgrep", "rg", "ripgrep", "ag", "ack"];
    if !SEARCHES.contains(&call.program) || shows_only_names(call) {
        return;
    }
    let mut named = false;
    for argument in call.arguments {
        let text = argument.text.as_str();
        let from = match text.split_once('=') {
            Some(("--include" | "--glob" | "--iglob", _)) => Some(text.find('=').map_or(0, |at| at + 1)),
            _ if named => Some(0),
            _ if text.starts_with("-g") && text.len() > 2 => Some(2),
            _ => None,
        };
        named = matches!(text, "--include" | "-g" | "--glob" | "--iglob");
        let Some(from) = from else { continue };
        // Quoted, it is a pattern all the same.
        let pattern: Vec<Unit> =
            argument.behind(from).iter().map(|unit| Unit::Plain(unit.character())).collect();
        let object = call.object(&pattern);
        if object.credential || object.sensitive {
            call.does(Verb::Reads, &object, None, findings);
        }
    }
}

/// Adds files of the project that are moved to where they do not stay, or that nothing is copied over.
pub(super) fn loses_files(call: &Call<'_>, findings: &mut Findings) {
    let last = || call.operands.last().and_then(|at| call.arguments.get(*at));
    let first = || call.operands.first().and_then(|at| call.arguments.get(*at));
    match call.program {
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

/// Adds the files that `git` is asked to show out of what it keeps: `HEAD:.env`, `-L 1,9:.env`, `-- .env`.
pub(super) fn kept_versions(call: &Call<'_>, findings: &mut Findings) {
    const SHOWING: [&str; 22] = [
        "show",
        "cat-file",
        "log",
        "whatchanged",
        "diff",
        "diff-tree",
        "diff-index",
        "diff-files",
        "range-diff",
        "blame",
        "annotate",
        "grep",
        "archive",
        "stash",
        "list",
        "format-patch",
        "difftool",
        "reflog",
        "shortlog",
        "rev-parse",
        "ls-files",
        "fast-export",
    ];
    if call.program != "git" || !call.subcommand_is(&SHOWING) {
        return;
    }
    let patches = call.arguments.iter().any(|argument| {
        matches!(argument.text.as_str(), "-p" | "-u" | "--patch" | "-c" | "--cc" | "-m" | "--textconv")
            || argument.text.starts_with("-U")
    });
    for argument in call.arguments.get(call.subcommand_end..).unwrap_or_default() {
        let text = argument.text.as_str();
        let Some((before, _)) = text.rsplit_once(':').filter(|_| !is_url(text)) else { continue };
        let object = call.object(argument.behind(before.chars().count() + 1));
        call.does(Verb::Reads, &object, Some("a version of it that git keeps"), findings);
    }
    // Their operands are branches and files; of a file they show what is in it.
    if call.subcommand_is(&["archive", "stash", "list"]) || patches {
        for at in call.operands {
            let Some(argument) = call.arguments.get(*at) else { continue };
            let object = call.object(&argument.units);
            if object.credential || object.sensitive {
                call.does(Verb::Reads, &object, Some("a version of it that git keeps"), findings);
            }
        }
    }
    let text = call.arguments.iter().any(|argument| speaks_of_keys(&argument.text));
    if text {
        findings.add(Outcome::Attack, || "It looks for keys in what git keeps.".to_owned());
    }
}

/// Whether a pattern is that of a key or a login and of nothing else.
fn speaks_of_keys(text: &str) -> bool {
    const KEYS: [&str; 14] = [
        "AKIA",
        "ASIA[",
        "ghp_",
        "gho_",
        "github_pat_",
        "xoxb-",
        "xoxp-",
        "sk_live",
        "sk-ant",
        "BEGIN RSA",
        "BEGIN OPENSSH",
        "PRIVATE KEY",
        "aws_secret",
        "AWS_SECRET",
    ];
    KEYS.iter().any(|key| text.contains(key))
}

/// Adds what a command shows of the environment, where its words ask for it.
pub(super) fn shows_environment(call: &Call<'_>, findings: &mut Findings) {
    let asks = match call.program {
        "set" => call.arguments.is_empty(),
        "jq" | "gojq" | "yq" => call.arguments.iter().any(|argument| {
            let mut words =
                argument.text.split(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter)));
            words.any(|word| matches!(word, "env" | "strenv" | "envsubst" | "$ENV" | "$__prog_args"))
                || argument.text.contains("Config.Env")
        }),
        "date" | "gdate" => {
            let sets = call
                .operands
                .iter()
                .filter_map(|at| call.arguments.get(*at))
                .any(|argument| argument.text.starts_with(|first: char| first.is_ascii_digit()));
            if sets {
                call.does_plainly(Verb::Alters, Some("the clock"), findings);
            }
            false
        }
        "envsubst" => {
            let names = call.operands.iter().filter_map(|at| call.arguments.get(*at));
            let mut names = names
                .flat_map(|argument| argument.text.split(['$', '{', '}', ' ', ',', ':']))
                .filter(|name| !name.is_empty())
                .peekable();
            names.peek().is_none() || names.any(is_environment_secret)
        }
        // The environments of processes, in the old spelling of options.
        "ps" => call.operands.iter().filter_map(|at| call.arguments.get(*at)).any(|argument| {
            argument.text.contains('e') && argument.text.bytes().all(|byte| byte.is_ascii_alphabetic())
        }),
        _ => false,
    };
    if !asks {
        return;
    }
    let secret = call.arguments.iter().find_map(|argument| {
        let mut words =
            argument.text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        words.find(|word| is_environment_secret(word)).map(str::to_owned)
    });
    match secret {
        Some(secret) => findings.add(Outcome::Attack, || {
            format!("{} shows the secret in the variable {}.", shown(call.program), shown(&secret))
        }),
        None => findings.add(Outcome::Destructive, || {
            format!("{} shows every variable of the environment, secrets among them.", shown(call.program))
        }),
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

/// Whether a command that shows the environment writes to one that hands on the names in front of `=` alone.
pub(super) fn only_names_go_on(call: &Call<'_>, analysis: &Analysis) -> bool {
    let place = call.segment.pipeline;
    let next = analysis
        .segments()
        .iter()
        .find(|other| other.pipeline.pipeline == place.pipeline && other.pipeline.stage == place.stage + 1);
    let words: Vec<&str> =
        next.into_iter().flat_map(|next| &next.words).map(|word| word.raw.as_str()).collect();
    call.arguments.is_empty()
        && call.segment.redirects.is_empty()
        && matches!(
            words.as_slice(),
            ["cut", "-d=" | "-d'='", "-f1"]
                | ["cut", "-d", "=" | "'='", "-f", "1"]
                | ["cut", "-d", "=" | "'='", "-f1"]
                | ["cut", "-f1", "-d=" | "-d'='"]
                | ["sed", "'s/=.*//'" | "s/=.*//"]
                | ["awk", "-F=" | "-F'='", "'{print $1}'" | "'{ print $1 }'"]
        )
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

/// Adds that a command looks for secrets in what shows the environment.
pub(super) fn searched_for_secrets(segments: &[Segment], findings: &mut Findings) {
    const WORDS: [&str; 9] =
        ["password", "passwd", "secret", "token", "api_key", "apikey", "credential", "private", "aws_"];
    let environment = |segment: &&Segment| {
        let words: Vec<&str> = segment.words.iter().map(|word| word.raw.as_str()).collect();
        match words.as_slice() {
            [program, rest @ ..] => match base_name(program) {
                "env" | "printenv" | "set" | "export" | "declare" | "strings" => {
                    rest.iter().all(|word| !word.contains('='))
                }
                "docker" | "podman" => rest.iter().any(|word| {
                    matches!(*word, "inspect" | "exec" | "env" | "printenv" | "config" | "history")
                }),
                "history" | "fc" => true,
                "cat" | "tail" | "head" => rest.iter().any(|word| word.ends_with("_history")),
                "gitleaks" | "trufflehog" => true,
                "kubectl" => rest.contains(&"exec") || rest.contains(&"get") || rest.contains(&"describe"),
                "ps" => rest.iter().any(|word| word.contains('e') && !word.starts_with("--")),
                _ => false,
            },
            [] => false,
        }
    };
    for source in segments.iter().filter(|segment| segment.pipeline.stages > 1).filter(environment) {
        let place = source.pipeline;
        let search = segments.iter().find(|segment| {
            segment.pipeline.pipeline == place.pipeline
                && segment.pipeline.stage > place.stage
                && is_program(segment, &["grep", "egrep", "fgrep", "rg", "awk", "sed", "ag", "jq", "gojq"])
                && segment.words.iter().skip(1).any(|word| {
                    let text = word.raw.to_ascii_lowercase();
                    WORDS.iter().any(|wanted| text.contains(wanted))
                })
        });
        if search.is_some() {
            let program = source.words.first().map(|word| shown(&word.raw)).unwrap_or_default();
            findings.add(Outcome::Attack, || {
                format!("It looks for secrets in what {program} shows of the environment.")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_names_alone_when_nothing_behind_the_equals_sign_can_match() {
        for (pattern, names) in [
            ("^[A-Z_]*=", true),
            ("^[A-Z_]+", true),
            ("^[A-Z][A-Z0-9_]*=", true),
            ("^[^=]*", true),
            ("^\\w+=", true),
            ("^[A-Z_]*=.*", false),
            ("[A-Z_]*=", false),
            ("^.*=", false),
            ("^[0-z]*", false),
            ("^[^ ]*", false),
            ("^[A-Z=]*", false),
            ("^", false),
        ] {
            assert_eq!(matches_only_names(pattern), names, "{pattern}");
        }
    }
}
