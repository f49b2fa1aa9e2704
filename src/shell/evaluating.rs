//! Builtins and settings that run code from arguments that look like data.
//!
//! Promises to name every argument that bash evaluates (a quoted `a[$(x)]` runs `x`), each checked against bash. Knows only
//! the words it is given; reading the code is the walk's work.

use super::tree::{Part, Word};
use super::word::{best_text, code_text, constant, is_array, is_constant};

/// An argument that is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Evaluated {
    /// A command line, to which bash adds arguments; false where parts of it are only known when it runs.
    Code(String, bool),
    /// A text in which substitutions run, as inside double quotes; false where parts of it are only known when it runs.
    Text(String, bool),
    /// The words from here on are an argument vector.
    Argv(usize),
    /// A setting that makes the program run a command line.
    Setting {
        /// The setting's name.
        name: String,
        /// The command line.
        code: String,
    },
    /// What later commands mean is changed, or code is loaded.
    Redefinition,
}

/// What the builtin or program `name` evaluates among `words`, its own name first.
pub(crate) fn evaluated(name: &str, words: &[Word]) -> Vec<Evaluated> {
    match name {
        "test" | "[" => behind_options(words, &["-v", "-R"]),
        "printf" | "wait" => {
            let letter = if name == "printf" { "-v" } else { "-p" };
            let mut found = behind_options(words.get(..4.min(words.len())).unwrap_or_default(), &[letter]);
            found.extend(glued(words.get(1), letter));
            found
        }
        "let" => texts(words, |_| true),
        "declare" | "typeset" | "local" | "export" | "readonly" => {
            let typed = words
                .iter()
                .filter_map(constant)
                .any(|word| word.starts_with('-') && word.contains(['a', 'A', 'i', 'n']));
            texts(words, |text| typed || text.contains('['))
        }
        "read" | "unset" | "getopts" => texts(words, |text| text.contains('[')),
        "mapfile" | "readarray" => {
            let mut found = codes(words, "-C");
            found.extend(texts(words, |text| text.contains('[')));
            found
        }
        "compgen" | "complete" => {
            let mut found = codes(words, "-C");
            found.extend(behind_options(words, &["-W"]));
            found.extend(glued_texts(words, "-W"));
            found
        }
        "jobs" => words
            .iter()
            .position(|word| constant(word).is_some_and(|text| text == "-x"))
            .map(|at| Evaluated::Argv(at + 1))
            .into_iter()
            .collect(),
        "alias" => operands(words)
            .filter_map(|word| {
                let (text, complete) = code_text(word);
                text.split_once('=').map(|(_, code)| Evaluated::Code(code.to_owned(), complete))
            })
            .collect(),
        "enable" => redefinition(words, &["-f"]),
        "hash" => redefinition(words, &["-p"]),
        "bind" => redefinition(words, &["-x", "-f"]),
        "shopt" => redefinition(words, &["expand_aliases", "extglob"]),
        "fc" => redefinition(words, &["-s", "-e"]),
        "git" => git_settings(words),
        "tar" | "gtar" | "bsdtar" => tar_settings(words),
        "sed" | "gsed" => sed_commands(words),
        "ssh" | "slogin" | "autossh" | "scp" | "sftp" => ssh_settings(words),
        _ => Vec::new(),
    }
}

/// What evaluates the values of variables that the arguments of a builtin only name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EvaluatedValues<'a> {
    /// These arguments, once they are expanded.
    Words(Vec<&'a Word>),
    /// Every later assignment to some variable.
    Anything,
}

/// The values of variables that the builtin evaluates.
pub(crate) fn evaluated_values<'a>(name: &str, words: &'a [Word]) -> EvaluatedValues<'a> {
    let operands = || words.iter().skip(1);
    let dynamic = || operands().filter(|word| !is_constant(word)).collect();
    match name {
        "let" => EvaluatedValues::Words(operands().collect()),
        "test" | "[" | "printf" => {
            let names = operands()
                .any(|word| constant(word).is_some_and(|text| text.starts_with("-v") || text == "-R"));
            // What is only known when it runs may be the option.
            let unknown_option = name == "printf" && words.get(1).is_some_and(|word| !is_constant(word));
            EvaluatedValues::Words(if names || unknown_option { dynamic() } else { Vec::new() })
        }
        "read" | "unset" | "wait" | "mapfile" | "readarray" | "getopts" => EvaluatedValues::Words(dynamic()),
        "declare" | "typeset" | "local" | "export" | "readonly" => {
            let integer =
                words.iter().filter_map(constant).any(|word| word.starts_with('-') && word.contains('i'));
            if integer { EvaluatedValues::Anything } else { EvaluatedValues::Words(dynamic()) }
        }
        _ => EvaluatedValues::Words(Vec::new()),
    }
}

/// Variables whose value bash runs or expands as code.
pub(crate) fn runs_variable(name: &str) -> bool {
    matches!(name, "PS4" | "PS0" | "PS1" | "PS2" | "PROMPT_COMMAND" | "BASH_ENV" | "ENV")
}

/// Whether the operator of `[[ … ]]` makes bash evaluate the words beside it.
pub(crate) fn evaluates_operands(operator: &str) -> bool {
    matches!(operator, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R")
}

fn operands(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().skip(1).filter(|word| !word.raw.starts_with('-'))
}

/// The constant text of a word, and whether there is nothing else; what its expansions hold is walked as part of the word.
fn text_of(word: &Word) -> (String, bool) {
    let mut text = String::new();
    let mut complete = true;
    for part in &word.parts {
        match part {
            Part::Text { text: constant, .. } => text.push_str(constant),
            Part::Expansion(_) => {
                complete = false;
                text.push('0');
            }
        }
    }
    (text, complete)
}

fn texts(words: &[Word], accept: impl Fn(&str) -> bool) -> Vec<Evaluated> {
    operands(words)
        .filter(|word| !is_array(word))
        .map(text_of)
        .filter(|(text, _)| accept(text))
        .map(|(text, complete)| Evaluated::Text(text, complete))
        .collect()
}

fn behind_options(words: &[Word], options: &[&str]) -> Vec<Evaluated> {
    words
        .iter()
        .zip(words.iter().skip(1))
        // What is only known when it runs may be the option.
        .filter(|(option, _)| {
            constant(option).is_none_or(|text| {
                options.iter().any(|option| in_cluster(&text, option).is_some_and(str::is_empty))
            })
        })
        .map(|(_, value)| text_of(value))
        .map(|(text, complete)| Evaluated::Text(text, complete))
        .collect()
}

fn glued(word: Option<&Word>, option: &str) -> Option<Evaluated> {
    let (text, complete) = text_of(word?);
    let value = in_cluster(&text, option).filter(|value| !value.is_empty())?;
    Some(Evaluated::Text(value.to_owned(), complete))
}

fn glued_texts(words: &[Word], option: &str) -> Vec<Evaluated> {
    words.iter().skip(1).filter_map(|word| glued(Some(word), option)).collect()
}

/// What stands behind an option in a word: `-C x`, `-Cx`, and behind other letters as in `-vCx`.
///
/// A letter of another option's glued value counts as well: what is taken for code too often is only restrictive.
fn in_cluster<'t>(text: &'t str, option: &str) -> Option<&'t str> {
    let letter = option.chars().nth(1)?;
    let cluster = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
    cluster.split_once(letter).map(|(_, value)| value)
}

fn codes(words: &[Word], option: &str) -> Vec<Evaluated> {
    let mut found = Vec::new();
    for (word, behind) in words.iter().skip(1).zip(words.iter().skip(2).map(Some).chain([None])) {
        let (text, complete) = code_text(word);
        // What is only known when it runs may be the option, or end in it.
        let open = !is_constant(word) && text.starts_with(['-', '$', '`']);
        match (in_cluster(&text, option), behind) {
            (Some(code), _) if !code.is_empty() && !open => {
                found.push(Evaluated::Code(code.to_owned(), complete));
            }
            (Some(_), Some(behind)) => {
                let (code, complete) = code_text(behind);
                found.push(Evaluated::Code(code, complete && !open));
            }
            (None, Some(behind)) if open => found.push(Evaluated::Code(code_text(behind).0, false)),
            (Some(_) | None, _) => {}
        }
    }
    found
}

fn redefinition(words: &[Word], options: &[&str]) -> Vec<Evaluated> {
    let any = words.iter().skip(1).filter_map(constant).any(|word| {
        options.iter().any(|option| word == *option || (option.len() == 2 && word.starts_with(*option)))
    });
    if any { vec![Evaluated::Redefinition] } else { Vec::new() }
}

/// Settings given to git on its command line that make it run a program.
fn git_settings(words: &[Word]) -> Vec<Evaluated> {
    let mut found = Vec::new();
    for (option, value) in words.iter().zip(words.iter().skip(1)).skip(1) {
        let setting = match constant(option).as_deref() {
            Some("-c") => best_text(value).0,
            Some(text) if text.starts_with("-c") && text.contains('=') => {
                text.get(2..).unwrap_or_default().to_owned()
            }
            Some(text) if text.starts_with('-') => continue,
            Some(_) | None => continue,
        };
        let Some((name, value)) = setting.split_once('=') else { continue };
        let lower = name.to_ascii_lowercase();
        if lower.starts_with("alias.") {
            if let Some(code) = value.strip_prefix('!') {
                found.push(Evaluated::Setting { name: name.to_owned(), code: code.to_owned() });
            }
        } else if runs_program(&lower) {
            found.push(Evaluated::Setting { name: name.to_owned(), code: value.to_owned() });
        }
    }
    found
}

/// The `e` commands of `sed`, which run what follows them.
fn sed_commands(words: &[Word]) -> Vec<Evaluated> {
    let mut scripts = Vec::new();
    let mut operand = None;
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let text = best_text(word).0;
        if let Some(glued) = text.strip_prefix("--expression=") {
            scripts.push(glued.to_owned());
        } else if text == "--expression"
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('e'))
        {
            scripts.extend(words.next().map(|word| best_text(word).0));
        } else if operand.is_none() && !text.starts_with('-') {
            operand = Some(text);
        }
    }
    if scripts.is_empty() {
        scripts.extend(operand);
    }
    let run = |line: &str| {
        let command = behind_address(line.trim_start()).strip_prefix('e')?;
        let code = command.starts_with([' ', '\t']).then(|| command.trim())?;
        Some(Evaluated::Setting { name: "e".to_owned(), code: code.to_owned() })
    };
    scripts.iter().flat_map(|script| script.lines()).filter_map(run).collect()
}

/// What stands behind the address of a `sed` command: `3`, `$`, `1,5`, `/…/`, with `!`.
fn behind_address(line: &str) -> &str {
    let mut rest = line;
    loop {
        let next = rest.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, '$' | ',' | '!' | '~' | '+' | ' ' | '\t')
        });
        let Some((_, behind)) = next.strip_prefix('/').and_then(|pattern| pattern.split_once('/')) else {
            return next;
        };
        rest = behind;
    }
}

/// Settings given to ssh on its command line that make it run a program here.
fn ssh_settings(words: &[Word]) -> Vec<Evaluated> {
    let mut found = Vec::new();
    for (option, behind) in words.iter().skip(1).zip(words.iter().skip(2).map(Some).chain([None])) {
        let text = best_text(option).0;
        let setting = match text.strip_prefix("-o") {
            Some("") => behind.map(|value| best_text(value).0).unwrap_or_default(),
            Some(glued) => glued.to_owned(),
            None => continue,
        };
        let setting = setting.trim_start();
        let end = setting.find(['=', ' ', '\t']).unwrap_or(setting.len());
        let (name, value) = setting.split_at_checked(end).unwrap_or((setting, ""));
        let runs = ["proxycommand", "localcommand", "knownhostscommand"];
        let code = value.trim_start_matches(['=', ' ', '\t']);
        if runs.iter().any(|setting| name.eq_ignore_ascii_case(setting)) && !code.eq_ignore_ascii_case("none")
        {
            found.push(Evaluated::Setting { name: name.to_owned(), code: code.to_owned() });
        }
    }
    found
}

/// Options with which `tar` runs a command line, a checkpoint action among them.
fn tar_settings(words: &[Word]) -> Vec<Evaluated> {
    const OPTIONS: [&str; 7] = [
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "--info-script",
        "--new-volume-script",
        "--rmt-command",
        "--rsh-command",
    ];
    let mut found = Vec::new();
    let mut words = words.iter().skip(1).peekable();
    while let Some(word) = words.next() {
        let text = best_text(word).0;
        let glued = text.split_once('=');
        let written = glued.map_or(text.as_str(), |(name, _)| name);
        let long = written.len() > 4 && written.starts_with("--");
        let name = match OPTIONS.iter().find(|option| long && option.starts_with(written)) {
            Some(option) => *option,
            None if matches!(written, "-I" | "-F") => written,
            None => continue,
        };
        let value = match glued {
            Some((_, value)) => value.to_owned(),
            None => words.next().map(|value| best_text(value).0).unwrap_or_default(),
        };
        let code = if name == "--checkpoint-action" {
            match value.strip_prefix("exec=") {
                Some(code) => code.to_owned(),
                None => continue,
            }
        } else {
            value
        };
        // What compresses is a program like any other, and no setting that changes what is run.
        let compresses = matches!(name, "-I" | "--use-compress-program")
            && COMPRESSORS.contains(&code.split_whitespace().next().unwrap_or_default());
        if !compresses {
            found.push(Evaluated::Setting { name: name.to_owned(), code });
        }
    }
    found
}

/// Programs that do nothing but compress and decompress.
const COMPRESSORS: [&str; 12] =
    ["gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "pixz", "zstd", "zstdmt", "lz4", "lzop", "brotli"];

fn runs_program(setting: &str) -> bool {
    const NAMES: [&str; 11] = [
        "core.pager",
        "core.editor",
        "core.sshcommand",
        "core.fsmonitor",
        "core.askpass",
        "core.gitproxy",
        "core.hookspath",
        "sequence.editor",
        "diff.external",
        "gpg.program",
        "credential.helper",
    ];
    const ENDS: [&str; 9] = [
        ".textconv",
        ".clean",
        ".smudge",
        ".process",
        ".driver",
        ".cmd",
        ".helper",
        ".receivepack",
        ".uploadpack",
    ];
    NAMES.contains(&setting)
        || setting.starts_with("pager.")
        || ENDS.iter().any(|end| setting.ends_with(end))
        || setting == "protocol.ext.allow"
}
