//! The environment-leak floor: is a secret-like variable handed to code that could do anything with it?
//!
//! Promises to look at every command that bash could run, and to name the variable. A program counts when its command word,
//! behind any wrapper, is an interpreter, a script, a program of the project itself, or something that runs one. What it is
//! given are its words, the assignments in front of it, the text that stands in its input, and what the command before it
//! in the pipeline writes of the variable. Single quotes and escapes keep a variable from being put in, and so they keep
//! it out of this. Knows nothing of rules or ratings.

mod secrets;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::network::{self, quoted};
use super::tree::{
    AndOr, AssignedValue, Command, Expansion, ExpansionKind, Part, Redirect, RedirectOperator, Script, Word,
};
use super::word::{constant, is_constant};
use super::{Analysis, Segment, interpreters};
use secrets::Secrets;

pub(crate) use secrets::is_secret_name;

/// How many command substitutions inside each other are looked through for a variable.
const MAX_NESTING: u32 = 3;

/// A secret-like variable that is handed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// The variable as it is written, such as `$TOKEN`. Raw text of the command.
    pub variable: String,
    /// Who gets it.
    pub receiver: Receiver,
}

/// Who gets a secret-like variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Receiver {
    /// A program that runs code. Raw text of the command.
    Program(String),
    /// An address that is only known when it runs.
    HiddenAddress,
}

impl fmt::Display for Leak {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = quoted(&self.variable);
        match &self.receiver {
            Receiver::Program(program) => write!(
                formatter,
                "The value of {variable}, which may be a secret, is handed to the code that {} runs.",
                quoted(program)
            ),
            Receiver::HiddenAddress => write!(
                formatter,
                "The value of {variable}, which may be a secret, is sent to an address that is only known when it runs."
            ),
        }
    }
}

/// The first secret-like variable that the command hands to code, or to an address that is not written out.
#[must_use]
pub fn leak(analysis: &Analysis) -> Option<Leak> {
    let secrets = Secrets::new(analysis);
    let judge = network::Judge::new(analysis);
    let nothing = HashSet::new();
    let mut written: HashMap<(usize, usize), String> = HashMap::new();
    for segment in analysis.segments() {
        let program = segment.words.first().and_then(constant).unwrap_or_default();
        let place = segment.pipeline;
        let variable = given(segment, &secrets, &nothing);
        if runs_code(segment) {
            let piped = place.stage.checked_sub(1).and_then(|before| written.get(&(place.pipeline, before)));
            if let Some(variable) = variable.or_else(|| piped.cloned()) {
                return Some(Leak { variable, receiver: Receiver::Program(program.into_owned()) });
            }
            continue;
        }
        let Some(variable) = variable else { continue };
        let transfer = judge.transfer(segment);
        // An address that is a secret itself, such as that of a database, is not sent to itself.
        let addresses = transfer.hidden_words.iter().map(String::as_str).collect();
        if !transfer.hidden_words.is_empty()
            && let Some(variable) = given(segment, &secrets, &addresses)
        {
            return Some(Leak { variable, receiver: Receiver::HiddenAddress });
        }
        if writes_words(&program) {
            written.entry((place.pipeline, place.stage)).or_insert(variable);
        }
    }
    None
}

/// The first secret-like variable in what the command is given, words that are `skipped` left out.
fn given(segment: &Segment, secrets: &Secrets<'_>, skipped: &HashSet<&str>) -> Option<String> {
    let words = segment.words.iter().skip(1);
    let assigned = segment.assignments.iter().flat_map(|assignment| match &assignment.value {
        AssignedValue::Scalar(value) => value.as_slice(),
        AssignedValue::Array(words) => words,
    });
    words
        .chain(assigned.filter(|_| !segment.words.is_empty()))
        .chain(segment.redirects.iter().filter_map(input_text))
        .filter(|word| !skipped.contains(word.raw.as_str()))
        .find_map(|word| in_word(word, secrets, 0))
}

fn input_text(redirect: &Redirect) -> Option<&Word> {
    match redirect.operator {
        RedirectOperator::HereString => Some(&redirect.target),
        RedirectOperator::HereDocument | RedirectOperator::HereDocumentStripped => {
            redirect.heredoc.as_ref().map(|document| &document.body)
        }
        RedirectOperator::Read
        | RedirectOperator::Write
        | RedirectOperator::Append
        | RedirectOperator::Clobber
        | RedirectOperator::ReadWrite
        | RedirectOperator::DuplicateInput
        | RedirectOperator::DuplicateOutput
        | RedirectOperator::WriteBoth
        | RedirectOperator::AppendBoth => None,
    }
}

/// The first secret-like variable whose value bash puts into the word.
fn in_word(word: &Word, secrets: &Secrets<'_>, depth: u32) -> Option<String> {
    word.parts.iter().find_map(|part| match part {
        Part::Text { .. } => None,
        Part::Expansion(expansion) => in_expansion(expansion, secrets, depth),
    })
}

fn in_expansion(expansion: &Expansion, secrets: &Secrets<'_>, depth: u32) -> Option<String> {
    match expansion.kind {
        ExpansionKind::Parameter if puts_in_value(expansion) => {
            let name = expansion.parameter.as_deref().unwrap_or_default();
            let secret = expansion.raw.starts_with("${!") || secrets.is_secret(name);
            secret.then(|| expansion.raw.clone())
        }
        ExpansionKind::Parameter | ExpansionKind::Arithmetic | ExpansionKind::ExtendedPattern => None,
        // The reader hands on the text of a message whole.
        ExpansionKind::Locale => secrets.first_in_text(&expansion.raw),
        ExpansionKind::Command | ExpansionKind::Process if depth < MAX_NESTING => {
            expansion.nested.iter().find_map(|script| in_script(script, secrets, depth + 1))
        }
        ExpansionKind::Command | ExpansionKind::Process => None,
    }
}

/// Whether the value itself is put in: not its length, not the names or keys that match, not a stand-in for a set value.
pub(crate) fn puts_in_value(expansion: &Expansion) -> bool {
    let raw = expansion.raw.as_str();
    let Some(inner) = raw.strip_prefix("${").and_then(|raw| raw.strip_suffix('}')) else { return true };
    if inner.len() > 1 && inner.starts_with('#') {
        return false;
    }
    if inner.starts_with('!') {
        return !inner.ends_with(['*', '@']) && !inner.ends_with("[@]") && !inner.ends_with("[*]");
    }
    let name = expansion.parameter.as_deref().unwrap_or_default();
    let operation = inner.strip_prefix(name).unwrap_or_default();
    !operation.starts_with(":+") && !operation.starts_with('+')
}

/// What commands in a substitution would write: the words of those that write their words, and the whole environment.
fn in_script(script: &Script, secrets: &Secrets<'_>, depth: u32) -> Option<String> {
    script.items.iter().find_map(|AndOr { first, rest, background: _ }| {
        std::iter::once(first).chain(rest.iter().map(|(_, pipeline)| pipeline)).find_map(|pipeline| {
            pipeline.stages.iter().find_map(|stage| match &stage.command {
                Command::Simple(simple) => {
                    let name = simple.words.first().and_then(constant).unwrap_or_default();
                    let alone = simple.words.len() == 1;
                    if matches!(interpreters::plain_name(&name).as_str(), "printenv")
                        || (name == "env" && alone)
                    {
                        return simple.words.get(1).map_or(Some("the environment".to_owned()), |word| {
                            let variable = constant(word).unwrap_or_default();
                            secrets.is_secret(&variable).then(|| variable.into_owned())
                        });
                    }
                    let inputs = simple.redirects.iter().filter_map(input_text);
                    simple.words.iter().skip(1).chain(inputs).find_map(|word| in_word(word, secrets, depth))
                }
                Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => None,
            })
        })
    })
}

fn writes_words(program: &str) -> bool {
    matches!(super::word::base_name(program), "echo" | "printf" | "cat" | "print" | "tee" | "jq")
}

/// Whether the command runs code that could do anything with what it is given.
fn runs_code(segment: &Segment) -> bool {
    let Some(first) = segment.words.first() else { return false };
    let Some(path) = constant(first) else { return !is_constant(first) };
    if interpreters::is_interpreter(&path) {
        return !interpreters::is_filter_language(&path);
    }
    is_own_program(&path) || runs_script(&interpreters::plain_name(&path), &segment.words)
}

/// A script, or a program that is named by its path and stands in no folder of the system.
fn is_own_program(path: &str) -> bool {
    const SCRIPTS: [&str; 19] = [
        ".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".jsx", ".py", ".pyz", ".rb", ".pl", ".php", ".sh",
        ".bash", ".zsh", ".fish", ".lua", ".ps1", ".jar",
    ];
    const SYSTEM: [&str; 9] = [
        "/bin/",
        "/sbin/",
        "/usr/bin/",
        "/usr/sbin/",
        "/usr/local/bin/",
        "/usr/local/sbin/",
        "/opt/homebrew/bin/",
        "/snap/bin/",
        "/run/current-system/sw/bin/",
    ];
    let lower = path.to_ascii_lowercase();
    SCRIPTS.iter().any(|end| lower.ends_with(end))
        || (path.contains('/') && !SYSTEM.iter().any(|folder| path.starts_with(folder)))
}

/// Programs that run a script, a package or a task of the project when asked to: by the words that ask for it.
fn runs_script(name: &str, words: &[Word]) -> bool {
    const ALWAYS: [&str; 19] = [
        "java", "dotnet", "mono", "npx", "bunx", "pnpx", "uvx", "make", "gmake", "just", "task", "rake",
        "ant", "mvn", "gradle", "sbt", "source", ".", "wine",
    ];
    const ASKED: [(&str, &[&str]); 18] = [
        ("go", &["run", "test", "generate"]),
        ("uv", &["run", "tool"]),
        ("cargo", &["run", "r", "test", "bench", "xtask"]),
        ("npm", &["run", "run-script", "exec", "x", "test", "t", "start"]),
        ("pnpm", &["run", "exec", "dlx", "test", "start"]),
        ("yarn", &["run", "exec", "dlx", "test", "start"]),
        ("bun", &["run", "x", "test"]),
        ("pipx", &["run"]),
        ("poetry", &["run"]),
        ("pipenv", &["run"]),
        ("pdm", &["run"]),
        ("hatch", &["run"]),
        ("rye", &["run"]),
        ("bundle", &["exec"]),
        ("composer", &["run", "run-script", "exec"]),
        ("swift", &["run"]),
        ("zig", &["run"]),
        ("dart", &["run"]),
    ];
    if ALWAYS.contains(&name) {
        return true;
    }
    let Some((_, asks)) = ASKED.iter().find(|(program, _)| *program == name) else { return false };
    words.iter().skip(1).take(16).filter_map(constant).any(|word| asks.contains(&word.as_ref()))
}
