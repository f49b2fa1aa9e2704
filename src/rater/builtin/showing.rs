//! What a command shows of the environment, of what version control keeps and of files that it searches, where secrets are
//! among it.
//!
//! Promises to make an effect milder only where nothing but names is shown. Knows nothing of single entries.

use super::call::Call;
use super::findings::Findings;
use super::objects::{is_url, shown};
use super::place::Place;
use super::supply::is_program;
use super::variables::is_environment_secret;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Unit;
use crate::shell::word::base_name;
use crate::shell::{Analysis, Segment};

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
    const MARKS: [&str; 14] = [
        "akia",
        "api_key",
        "apikey",
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
    // The whole history is looked through, and what was taken out of it is found again.
    if call.program == "git" && call.subcommand_is(&["log"]) {
        let looked_for = call.rest().iter().any(|argument| {
            let text = argument.text.to_lowercase();
            (text.starts_with("-s") || text.starts_with("-g")) && MARKS.iter().any(|mark| text.contains(mark))
        });
        let apart = call.rest().windows(2).any(|pair| {
            matches!(pair, [option, text] if matches!(option.text.as_str(), "-S" | "-G")
                && MARKS.iter().any(|mark| text.text.to_lowercase().contains(mark)))
        });
        if looked_for || apart {
            call.not_assessed("it looks for secrets in all that was ever recorded", findings);
        }
    }
    if !matches!(call.program, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "ugrep" | "zgrep") {
        return;
    }
    let hidden = call.arguments.iter().any(|argument| {
        matches!(argument.text.as_str(), "--hidden" | "-uu" | "-uuu" | "-." | "--no-ignore")
            && call.program == "rg"
    });
    let marked = call.arguments.iter().any(|argument| {
        let text = argument.text.to_lowercase();
        MARKS.iter().any(|mark| text.contains(mark))
    });
    if !marked {
        return;
    }
    let whole_project = matches!(call.program, "grep" | "egrep" | "fgrep")
        && call.arguments.iter().any(|argument| {
            let text = argument.text.as_str();
            matches!(text, "--recursive" | "--dereference-recursive")
                || text.starts_with('-') && !text.starts_with("--") && text.contains(['r', 'R'])
        })
        && call
            .operands
            .iter()
            .filter_map(|at| call.arguments.get(*at))
            .any(|argument| matches!(argument.text.as_str(), "." | "./"))
        && !call.arguments.iter().any(|argument| argument.text.starts_with("--include"));
    if hidden || whole_project && !shows_only_names(call) {
        call.not_assessed("it looks for secrets in files that are hidden", findings);
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
                "docker" | "podman" | "docker-compose" | "podman-compose" => rest.iter().any(|word| {
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
        let variables = segments.iter().any(|segment| {
            segment.pipeline.pipeline == place.pipeline
                && segment.pipeline.stage > place.stage
                && segment.words.iter().skip(1).any(|word| word.raw.to_ascii_lowercase().contains("env"))
        });
        if variables && source.words.iter().any(|word| matches!(word.raw.as_str(), "config" | "inspect")) {
            findings.add(Outcome::Destructive, || {
                "It looks for the variables of a container, secrets among them.".to_owned()
            });
        }
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
