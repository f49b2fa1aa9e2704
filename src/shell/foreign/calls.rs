//! Commands that code in other languages hands to a shell or to the system, where the code writes them out.
//!
//! Promises to find literals in calls (`os.system("…")`, `spawn("rm", ["-rf", "x"])`, `qx(…)`, `print | "…"`) in one pass. Text
//! that is only printed is none, and code that puts a command together is not seen through. Knows nothing of what commands do.

/// How many commands of one piece of code are followed.
const MAX_COMMANDS: usize = 256;
/// How many literals an argument vector may have.
const MAX_WORDS: usize = 64;

/// A command that code runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Carried {
    /// A line for a shell.
    Line(String),
    /// An argument vector.
    Argv(Vec<String>),
}

/// Functions and methods that run what they are given, whatever stands in front of their name.
const CALLS: &[&str] = &[
    "system",
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "execl",
    "execlp",
    "popen",
    "popen2",
    "popen3",
    "Popen",
    "spawn",
    "spawnSync",
    "spawnvp",
    "spawnlp",
    "shell_exec",
    "passthru",
    "proc_open",
    "getoutput",
    "getstatusoutput",
    "check_call",
    "check_output",
    "create_subprocess_shell",
    "create_subprocess_exec",
    "capture2",
    "capture2e",
    "capture3",
];
/// Names that run something only where the code speaks of processes.
const CALLS_OF_PROCESSES: &[&str] = &["run", "call", "execute", "sh", "Command"];
/// What code says that speaks of processes.
const PROCESSES: &[&str] = &["subprocess", "child_process", "Deno.", "Bun.", "os.execute", "import sh"];
/// Languages in which backquotes run what is between them.
const BACKQUOTES_RUN: &[&str] = &["perl", "ruby", "php", "jruby", "truffleruby", "crystal"];

/// The commands that code of an interpreter writes out.
pub(crate) fn carried(code: &str, interpreter: &str) -> Vec<Carried> {
    Scan {
        awk: interpreter.ends_with("awk"),
        backquotes_run: BACKQUOTES_RUN.contains(&interpreter),
        processes: PROCESSES.iter().any(|word| code.contains(word)),
        before: None,
        unclosed: Vec::new(),
        found: Vec::new(),
    }
    .read(code)
}

struct Scan {
    awk: bool,
    backquotes_run: bool,
    processes: bool,
    /// The last character that is no blank; `None` at the start and behind a pair of bars.
    before: Option<char>,
    /// Quotation marks that are opened and never closed: they are not looked for again.
    unclosed: Vec<char>,
    found: Vec<Carried>,
}

impl Scan {
    fn read(mut self, code: &str) -> Vec<Carried> {
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            if self.found.len() >= MAX_COMMANDS {
                break;
            }
            rest = if is_name(first) {
                self.name(rest)
            } else if first == '#' && !self.awk && self.before.is_none_or(|before| before == '\n') {
                rest.split_once('\n').map_or("", |(_, behind)| behind)
            } else if matches!(first, '"' | '\'' | '`') {
                self.quotation(rest, first)
            } else {
                self.mark(rest, first)
            };
        }
        self.found
    }

    fn name<'c>(&mut self, rest: &'c str) -> &'c str {
        let end = rest.find(|letter: char| !is_name(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let quotes = name == "qx" || (name == "x" && self.before == Some('%'));
        self.before = name.chars().next_back();
        if quotes && let Some(open) = behind.chars().next().filter(|open| !self.unclosed.contains(open)) {
            if let Some((line, behind)) = delimited(behind) {
                self.found.push(Carried::Line(line.to_owned()));
                return behind;
            }
            self.unclosed.push(open);
        }
        if CALLS.contains(&name) || (self.processes && CALLS_OF_PROCESSES.contains(&name)) {
            self.found.extend(call(behind));
        }
        behind
    }

    fn quotation<'c>(&mut self, rest: &'c str, mark: char) -> &'c str {
        let known_open = self.unclosed.contains(&mark);
        let Some((text, behind)) = (!known_open).then(|| literal(rest)).flatten() else {
            if !known_open {
                self.unclosed.push(mark);
            }
            self.before = Some(mark);
            return rest.get(1..).unwrap_or_default();
        };
        let piped = || behind.trim_start().strip_prefix('|').is_some_and(reads_a_line);
        let runs =
            if mark == '`' { self.backquotes_run } else { self.awk && (self.before == Some('|') || piped()) };
        if runs {
            self.found.push(Carried::Line(text));
        }
        self.before = Some(mark);
        behind
    }

    fn mark<'c>(&mut self, rest: &'c str, first: char) -> &'c str {
        if let Some(behind) = rest.strip_prefix("||") {
            self.before = None;
            return behind;
        }
        // In front of the command of an awk pipe there may be blanks, or the second half of `|&`.
        if !matches!(first, ' ' | '\t' | '&') {
            self.before = Some(first);
        }
        rest.get(first.len_utf8()..).unwrap_or_default()
    }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// `… | getline`.
fn reads_a_line(behind: &str) -> bool {
    behind.trim_start_matches(['&', ' ', '\t']).starts_with("getline")
}

/// What a call is given: the text behind its name.
fn call(behind: &str) -> Vec<Carried> {
    let rest = behind.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix('(').unwrap_or(rest).trim_start();
    if let Some(list) = rest.strip_prefix(['[', '{']) {
        return vector(literals(list).0);
    }
    let (words, rest) = literals(rest);
    let mut found: Vec<Carried> = words.first().map(|line| Carried::Line(line.clone())).into_iter().collect();
    // `spawn("rm", ["-rf", "x"])`
    let list = rest.trim_start().strip_prefix(['[', '(']).map(|list| literals(list).0).unwrap_or_default();
    let all: Vec<String> = words.into_iter().chain(list).collect();
    // `execlp("rm", "rm", "-rf", "x")` names the program twice.
    let argv = match all.as_slice() {
        [program, again, ..] if program == again => all.get(1..).unwrap_or_default().to_vec(),
        _ => all,
    };
    if argv.len() > 1 {
        found.extend(vector(argv));
    }
    found
}

fn vector(words: Vec<String>) -> Vec<Carried> {
    if words.is_empty() { Vec::new() } else { vec![Carried::Argv(words)] }
}

/// Literals with commas between them, and what stands behind the last.
fn literals(text: &str) -> (Vec<String>, &str) {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some((word, behind)) = prefixed_literal(rest) {
        words.push(word);
        rest = behind.trim_start();
        match rest.strip_prefix(',') {
            Some(behind) if words.len() < MAX_WORDS => rest = behind.trim_start(),
            Some(_) | None => break,
        }
    }
    (words, rest)
}

/// A literal, perhaps with the letters in front that some languages put there (`r"…"`, `b'…'`, `f"…"`).
fn prefixed_literal(text: &str) -> Option<(String, &str)> {
    let quoted = text.trim_start_matches(['r', 'b', 'f', 'u', 'R', 'B', 'F', 'U']);
    if text.len() - quoted.len() > 2 { None } else { literal(quoted) }
}

/// A literal at the start of the text, with its escapes decoded as far as they are alike everywhere, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '"' | '\'' | '`'))?;
    let long: String = std::iter::repeat_n(mark, 3).collect();
    let (body, close) = match text.strip_prefix(long.as_str()) {
        Some(body) if mark != '`' => (body, long),
        Some(_) | None => (text.get(1..)?, mark.to_string()),
    };
    let mut value = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == mark && body.get(at..).is_some_and(|rest| rest.starts_with(&close)) {
            return Some((value, body.get(at + close.len()..).unwrap_or_default()));
        }
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next().map(|(_, escaped)| escaped) {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('\n') | None => {}
            Some(escaped) => value.push(escaped),
        }
    }
    None
}

/// The text between a pair of delimiters at the start: `(…)`, `{…}`, `/…/`.
fn delimited(text: &str) -> Option<(&str, &str)> {
    let mut characters = text.chars();
    let open = characters.next().filter(|open| !is_name(*open) && !open.is_whitespace())?;
    let close = match open {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        '<' => '>',
        same => same,
    };
    characters.as_str().split_once(close)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Carried {
        Carried::Line(text.to_owned())
    }

    fn argv(text: &str) -> Carried {
        Carried::Argv(text.split(' ').map(str::to_owned).collect())
    }

    #[test]
    fn commands_that_code_writes_out_are_found() {
        for (interpreter, code, expected) in [
            ("python", "import os; os.system('rm x')", vec![line("rm x")]),
            ("python", "__import__('os').system(\"rm x\")", vec![line("rm x")]),
            ("python", "import subprocess as s; s.run(['rm', '-r', 'x'], check=True)", vec![argv("rm -r x")]),
            ("python", "import subprocess\nsubprocess.run(\"rm x\", shell=True)", vec![line("rm x")]),
            ("python", "os.system('''rm\nx''')", vec![line("rm\nx")]),
            ("python", "os.system(r'rm x')", vec![line("rm x")]),
            ("python", "os.execlp('rm', 'rm', '-r', 'x')", vec![line("rm"), argv("rm -r x")]),
            ("python", "os.execvp('rm', ['rm', 'x'])", vec![line("rm"), argv("rm x")]),
            ("node", "require('child_process').execSync(`rm x`)", vec![line("rm x")]),
            ("node", "require('child_process').spawn('rm', ['-r', 'x'])", vec![line("rm"), argv("rm -r x")]),
            ("perl", "system(\"rm x\")", vec![line("rm x")]),
            ("perl", "system \"rm\", \"-r\", \"x\"", vec![line("rm"), argv("rm -r x")]),
            ("perl", "print `rm x`", vec![line("rm x")]),
            ("perl", "my $x = qx{rm x};", vec![line("rm x")]),
            ("ruby", "%x(rm x)", vec![line("rm x")]),
            ("ruby", "exec 'rm x'", vec![line("rm x")]),
            ("php", "shell_exec('rm x');", vec![line("rm x")]),
            ("awk", "BEGIN{system(\"rm x\")}", vec![line("rm x")]),
            ("awk", "{print | \"rm x\"}", vec![line("rm x")]),
            ("gawk", "BEGIN{\"rm x\" | getline}", vec![line("rm x")]),
            ("gawk", "BEGIN{print 1 |& \"rm x\"}", vec![line("rm x")]),
        ] {
            assert_eq!(carried(code, interpreter), expected, "{code}");
        }
    }

    #[test]
    fn what_code_prints_compares_or_comments_is_no_command() {
        for (interpreter, code) in [
            ("python", "print('os.system(\"rm x\")')"),
            ("python", "print('rm x')"),
            ("python", "# os.system('rm x')\nprint(1)"),
            ("python", "os.system(command)"),
            ("python", "run('rm x')"),
            ("python", "system = 'rm x'"),
            ("node", "console.log(`rm x`)"),
            ("node", "const s = 'execSync(\"rm x\")'"),
            ("awk", "{print \"rm x\"}"),
            ("awk", "$1 ~ \"rm x\" {print}"),
            ("awk", "a || \"rm x\" > b"),
            ("perl", "print \"rm x\""),
        ] {
            assert_eq!(carried(code, interpreter), [], "{code}");
        }
    }

    #[test]
    fn long_hostile_code_takes_time_that_grows_with_its_length() {
        for piece in [
            "system(",
            "\"",
            "`\\",
            "\\\"",
            "system('a',",
            "qx",
            "qx(",
            "system(\"\\\"",
            "'a'|",
            "exec[[[",
            "\"\"\"",
            "#",
        ] {
            let code = piece.repeat(60_000);
            // A quadratic walk would take minutes over these.
            assert!(carried(&code, "perl").len() <= MAX_COMMANDS, "{piece}");
        }
    }
}
