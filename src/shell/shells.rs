//! Shells as programs: what their options say about where the code comes from.
//!
//! Promises to tell code, script file and standard input apart as the shells do. Knows only the words it is given.

use super::tree::Word;
use super::word::constant;

/// Where a shell takes its commands from. Numbers are positions in the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// From this word, which `-c` names; `$0` and the parameters follow it.
    Word(usize),
    /// From standard input; the parameters start here.
    StandardInput(usize),
    /// From the file that this word names.
    File,
    /// It runs nothing: help or version.
    Nothing,
    /// An option that is not known stands here.
    Unknown(usize),
}

/// Whether a program is a shell, and whether it speaks another language than bash.
pub(crate) fn language(name: &str) -> Option<Language> {
    match name {
        "sh" | "bash" | "dash" | "ash" | "rbash" | "posh" | "hush" | "bash5" | "bash4" => {
            Some(Language::Bash)
        }
        "ksh" | "ksh93" | "mksh" | "lksh" | "oksh" | "pdksh" | "yash" | "osh" | "bosh" => {
            Some(Language::Bash)
        }
        "zsh" | "fish" | "csh" | "tcsh" | "ysh" | "nu" | "xonsh" | "elvish" | "rc" | "es" | "rzsh" => {
            Some(Language::Other)
        }
        _ => None,
    }
}

/// What a shell's code is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// Bash, or a language that the reader reads well enough.
    Bash,
    /// A language of its own.
    Other,
}

/// Where the shell whose name is the first of `words` takes its commands from.
pub(crate) fn source(words: &[Word]) -> Source {
    let mut at = 1;
    let (mut code, mut input) = (false, false);
    while let Some(word) = words.get(at) {
        let Some(text) = constant(word) else {
            if !code && word.raw.starts_with(['-', '+']) {
                return Source::Unknown(at);
            }
            break;
        };
        match text.as_ref() {
            "-" | "--" => {
                at += 1;
                break;
            }
            "--help" | "--version" | "--dump-strings" | "--dump-po-strings" => return Source::Nothing,
            "--rcfile" | "--init-file" | "--emulate" => at += 2,
            "--login" | "--norc" | "--noprofile" | "--posix" | "--restricted" | "--verbose"
            | "--noediting" | "--debugger" | "--debug" | "--no-rcs" | "--no-globalrcs" | "--interactive"
            | "--pretty-print" | "--no-config" | "--private" => at += 1,
            "--command" => {
                code = true;
                at += 1;
            }
            text if text.starts_with("--") => return Source::Unknown(at),
            text if text.len() > 1 && text.starts_with(['-', '+']) => {
                let mut values = 0;
                for letter in text.chars().skip(1) {
                    match letter {
                        'c' => code |= text.starts_with('-'),
                        's' => input |= text.starts_with('-'),
                        'o' | 'O' => values += 1,
                        letter if letter.is_ascii_alphanumeric() => {}
                        _ => return Source::Unknown(at),
                    }
                }
                at += 1 + values;
            }
            _ => break,
        }
    }
    if code {
        return if at < words.len() { Source::Word(at) } else { Source::Nothing };
    }
    if input || at >= words.len() {
        return Source::StandardInput(at);
    }
    match words.get(at).and_then(constant).as_deref() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Source::StandardInput(at + 1),
        Some(_) | None => Source::File,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::word::quoted;

    #[test]
    fn the_source_of_a_shells_commands_is_found_through_its_options() {
        for (line, expected) in [
            ("bash -c x", Source::Word(2)),
            ("bash -xc x", Source::Word(2)),
            ("bash -o pipefail -ec x a", Source::Word(4)),
            ("bash -co pipefail x", Source::Word(3)),
            ("bash +x -c x", Source::Word(3)),
            ("bash --rcfile f -c x", Source::Word(4)),
            ("bash -c -- x", Source::Word(3)),
            ("sh", Source::StandardInput(1)),
            ("sh -s a", Source::StandardInput(2)),
            ("sh /dev/stdin", Source::StandardInput(2)),
            ("sh -x run.sh", Source::File),
            ("bash --version", Source::Nothing),
            ("bash --weird -c x", Source::Unknown(1)),
        ] {
            let words: Vec<_> = line.split(' ').map(quoted).collect();
            assert_eq!(source(&words), expected, "{line}");
        }
    }
}
