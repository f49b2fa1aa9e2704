//! Interpreters of languages other than the shell's: where each takes its program from.
//!
//! Promises a table of names and options, and to tell inline code, script files, modules and standard input apart. Knows
//! nothing of what the programs do.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::shells;
use super::tree::Word;
use super::word::{base_name, constant};

/// Where an interpreter takes its program from. Numbers are positions in the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProgramSource {
    /// From these words.
    Words(Vec<usize>),
    /// From the file that this word names.
    File(usize),
    /// From standard input.
    StandardInput,
    /// From a module that it finds by name.
    Module {
        /// The module.
        name: String,
        /// Where its arguments start.
        rest: usize,
    },
    /// It runs no program: help or version.
    Nothing,
}

#[derive(Debug)]
struct Interpreter {
    names: &'static [&'static str],
    /// Options whose value is code.
    code: &'static [&'static str],
    /// Options whose value is no code.
    values: &'static [&'static str],
    /// Options whose value names a module; what follows are its arguments.
    modules: &'static [&'static str],
    /// Letters whose value is glued on or absent, and end a cluster.
    glued: &'static str,
    /// Subcommands whose operand is the script.
    run: &'static [&'static str],
    /// Subcommands whose operand is code.
    eval: &'static [&'static str],
    /// The first operand is code.
    operand_is_code: bool,
}

const NEW: Interpreter = Interpreter {
    names: &[],
    code: &["-e"],
    values: &[],
    modules: &[],
    glued: "",
    run: &[],
    eval: &[],
    operand_is_code: false,
};

static TABLE: &[Interpreter] = &[
    Interpreter {
        names: &["python", "pypy", "jython", "micropython", "ipython", "pythonw", "py", "circuitpython"],
        code: &["-c"],
        values: &["-W", "-X", "-Q", "--check-hash-based-pycs"],
        modules: &["-m"],
        ..NEW
    },
    Interpreter {
        names: &["node", "nodejs", "iojs", "electron"],
        code: &["-e", "--eval", "-p", "--print", "-pe"],
        values: &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "-C",
            "--conditions",
            "--env-file",
            "--title",
            "--input-type",
        ],
        ..NEW
    },
    Interpreter {
        names: &["bun", "ts-node", "tsx", "esno", "jiti", "swc-node", "babel-node", "vite-node", "qjs"],
        code: &["-e", "--eval", "-p", "--print", "-pe"],
        values: &["-r", "--require", "--preload", "--import", "-P", "--project", "--tsconfig", "--cwd", "-O"],
        run: &["run"],
        ..NEW
    },
    Interpreter {
        names: &["deno"],
        code: &[],
        values: &["-c", "--config", "--import-map", "--lock", "--cert", "-L"],
        run: &["run"],
        eval: &["eval"],
        ..NEW
    },
    Interpreter { names: &["perl", "raku", "perl6"], code: &["-e", "-E"], glued: "IMmiCDx0lFV", ..NEW },
    Interpreter {
        names: &["ruby", "jruby", "truffleruby", "mruby", "crystal"],
        values: &["-r", "-I", "-C", "-E"],
        glued: "iWTFKx0",
        eval: &["eval"],
        ..NEW
    },
    Interpreter {
        names: &["php", "hhvm"],
        code: &["-r", "-B", "-R", "-E", "--run"],
        values: &["-d", "-c", "-z", "-t", "-S", "-f", "--file"],
        ..NEW
    },
    Interpreter { names: &["lua", "luajit", "texlua"], values: &["-l"], ..NEW },
    Interpreter { names: &["osascript"], values: &["-l", "-s"], ..NEW },
    Interpreter {
        names: &["pwsh", "powershell"],
        code: &["-c", "-command", "-Command", "-enc", "-EncodedCommand", "-encodedcommand", "-e"],
        values: &[
            "-ExecutionPolicy",
            "-executionpolicy",
            "-ep",
            "-File",
            "-file",
            "-f",
            "-WorkingDirectory",
            "-w",
        ],
        ..NEW
    },
    Interpreter {
        names: &[
            "rscript",
            "r",
            "julia",
            "elixir",
            "iex",
            "scala",
            "groovy",
            "kotlin",
            "runghc",
            "runhaskell",
            "ghc",
            "racket",
            "swift",
            "jbang",
        ],
        code: &["-e", "-E", "--eval"],
        values: &["-L", "-r"],
        ..NEW
    },
    Interpreter {
        names: &["guile", "tclsh", "wish", "expect", "sbcl", "clisp", "emacs", "octave", "maxima", "gst"],
        code: &["-c", "--eval", "-eval", "-x"],
        values: &["-l", "--load"],
        ..NEW
    },
    Interpreter { names: &["erl", "escript"], code: &["-eval"], values: &["-pa", "-s"], ..NEW },
    Interpreter {
        names: &["awk", "gawk", "mawk", "nawk", "goawk", "original-awk"],
        code: &["-e", "--source"],
        values: &["-F", "-v", "-f", "-i", "--file", "--assign", "--field-separator"],
        operand_is_code: true,
        ..NEW
    },
];

/// The name under which the tables know a program: no folder, no version, no `.exe`.
pub(crate) fn plain_name(path: &str) -> String {
    let name = base_name(path).rsplit('\\').next().unwrap_or(path).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if bare.is_empty() { name.to_owned() } else { bare.to_owned() }
}

/// Whether a program of this name, in small letters, can be an interpreter of another language than the shell's: one look-up.
pub(crate) fn may_be_interpreter(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| TABLE.iter().flat_map(|interpreter| interpreter.names).copied().collect());
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    NAMES.contains(if bare.is_empty() { name } else { bare })
}

fn interpreter(name: &str) -> Option<&'static Interpreter> {
    TABLE.iter().find(|interpreter| interpreter.names.contains(&name))
}

/// Whether a program is an interpreter, a shell included.
pub(crate) fn is_interpreter(path: &str) -> bool {
    let name = plain_name(path);
    shells::language(&name).is_some() || interpreter(&name).is_some()
}

/// Whether a program is an interpreter whose first operand is code on the spot, not a script: `awk`.
pub(crate) fn is_filter_language(path: &str) -> bool {
    interpreter(&plain_name(path)).is_some_and(|interpreter| interpreter.operand_is_code)
}

/// Where the interpreter that the first word names takes its program from; `None` for any other program.
pub(crate) fn program_source(words: &[Word]) -> Option<ProgramSource> {
    let path = constant(words.first()?)?;
    let name = plain_name(&path);
    if shells::language(&name).is_some() {
        return Some(match shells::source(words) {
            shells::Source::Word(at) => ProgramSource::Words(vec![at]),
            shells::Source::StandardInput(_) => ProgramSource::StandardInput,
            shells::Source::File => ProgramSource::File(words.len()),
            shells::Source::Nothing => ProgramSource::Nothing,
            shells::Source::Unknown(_) => ProgramSource::File(words.len()),
        });
    }
    let interpreter = interpreter(&name)?;
    Some(interpreter.source(words))
}

impl Interpreter {
    fn source(&self, words: &[Word]) -> ProgramSource {
        let mut code = Vec::new();
        let mut at = 1;
        while let Some(word) = words.get(at) {
            let text = constant(word).unwrap_or_default();
            if text == "--" {
                at += 1;
                break;
            }
            if text == "-" || !text.starts_with('-') {
                break;
            }
            if matches!(text.as_ref(), "--version" | "--help" | "-version" | "-h")
                || (text == "-v" && words.len() == 2)
            {
                return ProgramSource::Nothing;
            }
            at += 1;
            let name = text.split('=').next().unwrap_or(&text);
            if name.len() < text.len() && self.code.contains(&name) {
                code.push(at - 1);
            } else if self.code.contains(&text.as_ref()) {
                code.push(at);
                at += 1;
            } else if self.values.contains(&text.as_ref()) {
                at += 1;
            } else if !text.starts_with("--") {
                let letters = text.char_indices().skip(1);
                for (position, letter) in letters {
                    let option = format!("-{letter}");
                    let last = position + letter.len_utf8() == text.len();
                    if self.modules.contains(&option.as_str()) {
                        let glued = text.get(position + letter.len_utf8()..).unwrap_or_default();
                        let next = || words.get(at).and_then(constant).unwrap_or_default().into_owned();
                        let name = if last { next() } else { glued.to_owned() };
                        return ProgramSource::Module { name, rest: at + usize::from(last) };
                    }
                    if self.code.contains(&option.as_str()) {
                        code.push(if last { at } else { at - 1 });
                        at += usize::from(last);
                        break;
                    }
                    if self.values.contains(&option.as_str()) {
                        at += usize::from(last);
                        break;
                    }
                    if self.glued.contains(letter) && !last && !matches!(letter, '0' | 'l' | 'i') {
                        break;
                    }
                }
            }
        }
        code.retain(|at| *at < words.len());
        if !code.is_empty() {
            return ProgramSource::Words(code);
        }
        let Some(operand) = words.get(at) else { return ProgramSource::StandardInput };
        let text = constant(operand).unwrap_or_default();
        if self.eval.contains(&text.as_ref()) {
            return match words.get(at + 1) {
                Some(_) => ProgramSource::Words((at + 1..words.len()).take(4).collect()),
                None => ProgramSource::Nothing,
            };
        }
        if self.run.contains(&text.as_ref()) {
            at += 1;
            while words.get(at).and_then(constant).is_some_and(|text| text.starts_with('-') && text != "-") {
                at += 1;
            }
        }
        match words.get(at).map(|word| constant(word).unwrap_or_default()) {
            _ if self.operand_is_code => ProgramSource::Words(vec![at]),
            Some(text) if matches!(text.as_ref(), "-" | "/dev/stdin" | "/dev/fd/0") => {
                ProgramSource::StandardInput
            }
            Some(_) => ProgramSource::File(at),
            None => ProgramSource::StandardInput,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::word::quoted;

    #[test]
    fn the_program_of_an_interpreter_is_found_through_its_options() {
        use ProgramSource::{File, Module, Nothing, StandardInput, Words};
        let module = |rest| Module { name: "json.tool".to_owned(), rest };
        for (line, expected) in [
            ("python3 -c x", Words(vec![2])),
            ("python3.12 -uc x", Words(vec![2])),
            ("/usr/bin/python -W ignore -c x", Words(vec![4])),
            ("python3 -m json.tool", module(3)),
            ("python3 -mjson.tool", module(2)),
            ("python3 -", StandardInput),
            ("python3 - a", StandardInput),
            ("python3", StandardInput),
            ("python3 run.py -c x", File(1)),
            ("node --eval=x", Words(vec![1])),
            ("node -pe x", Words(vec![2])),
            ("node -r dotenv/config app.js", File(3)),
            ("node --version", Nothing),
            ("perl -ne x f", Words(vec![2])),
            ("perl -MJSON", StandardInput),
            ("perl -MJSON -e x", Words(vec![3])),
            ("perl -pi -e x f", Words(vec![3])),
            ("ruby -rjson -e x", Words(vec![3])),
            ("php -r x", Words(vec![2])),
            ("deno eval x", Words(vec![2])),
            ("deno run -A x.ts", File(3)),
            ("awk x f", Words(vec![1])),
            ("bash -s", StandardInput),
            ("bash -o pipefail", StandardInput),
        ] {
            let words: Vec<_> = line.split(' ').map(quoted).collect();
            assert_eq!(program_source(&words), Some(expected), "{line}");
        }
        assert_eq!(program_source(&[quoted("grep"), quoted("-e")]), None);
    }
}
