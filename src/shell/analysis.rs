//! The one value that everything else asks about a command: its tree, segments, resolution and spellings.
//!
//! Promises to be pure and total: any text gives an analysis, in time that grows with its length. Knows nothing of rules.

use std::fmt;
use std::sync::OnceLock;

use super::canonical::{is_plain, is_plain_assignment, only_command, spell_command};
use super::layout::Layout;
use super::reader;
use super::segment::{Opaque, Segment};
use super::segments::Walk;
use super::spellings::{self, Found, Spellings};
use super::tree::{
    Assignment, Command, Compound, ExpansionKind, Part, Redirect, Script, SimpleCommand, Word,
};
use super::word::{is_array, is_pattern};

/// The language that a command is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// bash, and `sh` read as bash.
    #[default]
    Bash,
    /// PowerShell: always unread.
    PowerShell,
    /// The command interpreter of Windows: always unread.
    Cmd,
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Bash => "bash",
            Self::PowerShell => "PowerShell",
            Self::Cmd => "cmd",
        })
    }
}

/// The longest command that is analysed, in bytes; a longer one is unread.
pub const MAX_COMMAND_BYTES: usize = 1 << 20;
/// The deepest nesting that is followed: of the text, and of code inside code.
pub const MAX_DEPTH: u32 = 100;
/// The most segments that one text may have.
pub const MAX_SEGMENTS: usize = 4096;

/// Why, and where, a text was not read as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unread {
    /// The byte of the text at which reading stopped.
    pub at: usize,
    /// Why it stopped.
    pub reason: UnreadReason,
}

impl fmt::Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.reason, self.at)
    }
}

/// Why a text was not read as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnreadReason {
    /// The reader stopped.
    Syntax(reader::UnreadReason),
    /// It is not bash.
    OtherDialect(Dialect),
    /// More than [`MAX_SEGMENTS`] commands.
    TooManySegments,
    /// Code inside code deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Code inside code and commands behind wrappers that add up to more than 4 MiB.
    TooMuchCode,
}

impl fmt::Display for UnreadReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(reason) => write!(formatter, "{reason}"),
            Self::OtherDialect(dialect) => write!(formatter, "{dialect} is not read, only bash is"),
            Self::TooManySegments => write!(formatter, "more than {MAX_SEGMENTS} commands"),
            Self::TooDeep => write!(formatter, "code inside code deeper than {MAX_DEPTH} levels"),
            Self::TooMuchCode => formatter.write_str("more code inside code than is followed"),
        }
    }
}

/// Whether a text is exactly one simple command as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// It is: no list, pipe or compound, no redirection, nothing that is replaced when it runs but pathname patterns, braces
    /// and tildes.
    Single {
        /// Its canonical spelling.
        canonical: String,
    },
    /// It is not.
    Compound {
        /// Why not, in the order of the text, distinct; never empty.
        mechanisms: Vec<Mechanism>,
    },
}

/// What keeps a text from being one simple command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mechanism {
    /// Several commands, a compound command, a function, `!`, `time` or `&`.
    Composition,
    /// A command or process substitution.
    Substitution,
    /// A redirection.
    Redirection,
    /// A parameter, arithmetic or message that is put in when it runs; an array or a subscript.
    Expansion,
    /// It could not be read as a whole.
    Unreadable,
    /// There is no command in it.
    NoCommand,
}

impl fmt::Display for Mechanism {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Composition => "it is more than one plain command",
            Self::Substitution => "the output of another command is put into it",
            Self::Redirection => "its input or output is redirected",
            Self::Expansion => "a value that is only known when it runs is put into it",
            Self::Unreadable => "it cannot be read as a whole",
            Self::NoCommand => "there is no command in it",
        })
    }
}

/// What is known of a command text.
#[derive(Debug, Clone)]
pub struct Analysis {
    text: String,
    dialect: Dialect,
    script: Option<Script>,
    unread: Option<Unread>,
    segments: Vec<Segment>,
    opaque: Vec<Opaque>,
    block_redirects: Vec<Redirect>,
    resolution: Resolution,
    /// Code inside the text that did not read as a whole.
    unread_code: Vec<String>,
    /// A bound stopped the walk, so that there may be more than was found.
    limited: bool,
    /// Made when a restrictive list first asks: most decisions never do.
    spellings: OnceLock<Spellings>,
    layout: Layout,
}

/// Analyses a command. Total: every text has an analysis; what cannot be read is reported in it.
#[must_use]
pub fn analyze(command: &str, dialect: Dialect) -> Analysis {
    match dialect {
        Dialect::Bash => analyze_bash(command),
        Dialect::PowerShell | Dialect::Cmd => Analysis {
            text: command.to_owned(),
            dialect,
            script: None,
            unread: Some(Unread { at: 0, reason: UnreadReason::OtherDialect(dialect) }),
            segments: Vec::new(),
            opaque: Vec::new(),
            block_redirects: Vec::new(),
            resolution: Resolution::Compound { mechanisms: vec![Mechanism::Unreadable] },
            unread_code: Vec::new(),
            limited: false,
            spellings: OnceLock::new(),
            layout: Layout::default(),
        },
    }
}

fn analyze_bash(command: &str) -> Analysis {
    let (script, before, syntax) = if command.len() > MAX_COMMAND_BYTES {
        (
            None,
            Script::default(),
            Some(Unread { at: 0, reason: UnreadReason::Syntax(reader::UnreadReason::TooLong) }),
        )
    } else {
        match reader::read(command) {
            Ok(script) => (Some(script), Script::default(), None),
            Err(error) => {
                let unread = Unread { at: error.at, reason: UnreadReason::Syntax(error.reason) };
                (None, error.before, Some(unread))
            }
        }
    };
    let mut walk = Walk::default();
    walk.whole(script.as_ref().unwrap_or(&before));
    let limit = walk.limit.map(|(at, reason)| Unread { at, reason });
    let resolution = script
        .as_ref()
        .filter(|_| limit.is_none())
        .map_or_else(|| Resolution::Compound { mechanisms: vec![Mechanism::Unreadable] }, resolve);
    let Walk { segments, opaque, unread_code, layout, block_redirects, .. } = walk;
    Analysis {
        text: command.to_owned(),
        dialect: Dialect::Bash,
        segments,
        opaque,
        block_redirects,
        unread: syntax.or(limit),
        resolution,
        unread_code,
        limited: limit.is_some(),
        spellings: OnceLock::new(),
        layout,
        script,
    }
}

impl Analysis {
    /// The text as it was sent.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The language it was taken to be in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The tree, when the whole text was read.
    #[must_use]
    pub fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }

    /// Why and where the text was not read as a whole; `None` when it was.
    #[must_use]
    pub fn unread(&self) -> Option<&Unread> {
        self.unread.as_ref()
    }

    /// Every simple command that bash could run from the text, outer before inner. Of an unread text, those that bash
    /// would still run before the error.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// How the commands of the text hang together.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The redirections of compound commands, at any depth and in code inside code: they belong to no segment.
    #[must_use]
    pub fn block_redirects(&self) -> &[Redirect] {
        &self.block_redirects
    }

    /// Whether the text is exactly one simple command.
    #[must_use]
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// The canonical spelling; `Some` exactly for [`Resolution::Single`].
    #[must_use]
    pub fn canonical(&self) -> Option<&str> {
        match &self.resolution {
            Resolution::Single { canonical } => Some(canonical),
            Resolution::Compound { .. } => None,
        }
    }

    /// Whether the text is unread, or some of the code in it cannot be read.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.unread.is_some() || self.opaque_reasons().next().is_some()
    }

    /// Why code in the text cannot be read, in the order of the segments; not the reason of an unread text.
    pub fn opaque_reasons(&self) -> impl Iterator<Item = &Opaque> {
        self.segments.iter().filter_map(|segment| segment.opaque.as_ref()).chain(&self.opaque)
    }

    /// Whether some argument vector or value carries commands, readable or not.
    #[must_use]
    pub fn carries_code(&self) -> bool {
        let reaches = |segment: &Segment| {
            segment
                .reached
                .iter()
                .any(|reach| !reach.is_syntax() && *reach != super::segment::Reach::Expanded)
        };
        self.segments.iter().any(|segment| segment.carries_code || reaches(segment))
    }

    fn spellings(&self) -> &Spellings {
        self.spellings.get_or_init(|| match self.dialect {
            Dialect::Bash => {
                let found = Found {
                    segments: &self.segments,
                    unread_code: &self.unread_code,
                    limited: self.limited,
                    unread: self.script.is_none(),
                };
                spellings::of_bash(&self.text, self.canonical(), &found)
            }
            Dialect::PowerShell | Dialect::Cmd => spellings::of_other_dialect(&self.text),
        })
    }

    /// The distinct texts that deny and escalate entries are compared with. Case is kept.
    #[must_use]
    pub fn restrictive_spellings(&self) -> &[String] {
        self.spellings().texts()
    }

    /// Whether there are more spellings than are listed: then "no match" proves nothing.
    #[must_use]
    pub fn spellings_truncated(&self) -> bool {
        self.spellings().truncated()
    }
}

fn resolve(script: &Script) -> Resolution {
    if let Some(command) = only_command(script).filter(|command| is_plain(command)) {
        return Resolution::Single { canonical: spell_command(&command.assignments, &command.words) };
    }
    let mut found = Mechanisms::default();
    found.script(script);
    if found.list.is_empty() {
        found.add(Mechanism::NoCommand);
    }
    Resolution::Compound { mechanisms: found.list }
}

#[derive(Default)]
struct Mechanisms {
    list: Vec<Mechanism>,
}

impl Mechanisms {
    fn add(&mut self, mechanism: Mechanism) {
        if !self.list.contains(&mechanism) {
            self.list.push(mechanism);
        }
    }

    fn script(&mut self, script: &Script) {
        if script.items.len() > 1 {
            self.add(Mechanism::Composition);
        }
        for item in &script.items {
            if item.background || !item.rest.is_empty() {
                self.add(Mechanism::Composition);
            }
            for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
            {
                if pipeline.negated || pipeline.timed || pipeline.stages.len() != 1 {
                    self.add(Mechanism::Composition);
                }
                for stage in &pipeline.stages {
                    self.command(&stage.command);
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound { kind, redirects, span: _ } => {
                self.add(Mechanism::Composition);
                self.compound(kind);
                self.redirects(redirects);
            }
            Command::Function { body, .. } | Command::Coproc { body, .. } => {
                self.add(Mechanism::Composition);
                self.command(body);
            }
        }
    }

    fn compound(&mut self, kind: &Compound) {
        match kind {
            Compound::Group(body) | Compound::Subshell(body) => self.script(body),
            Compound::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.script(condition);
                    self.script(body);
                }
                if let Some(body) = otherwise {
                    self.script(body);
                }
            }
            Compound::While { condition, body } | Compound::Until { condition, body } => {
                self.script(condition);
                self.script(body);
            }
            Compound::For { words, body, .. } | Compound::Select { words, body, .. } => {
                self.words(words.as_deref().unwrap_or_default());
                self.script(body);
            }
            Compound::ForArithmetic { expression, body } => {
                self.words(std::slice::from_ref(expression));
                self.script(body);
            }
            Compound::Case { word, arms } => {
                self.words(std::slice::from_ref(word));
                for (patterns, body) in arms {
                    self.words(patterns);
                    self.script(body);
                }
            }
            Compound::Conditional(words) => self.words(words),
            Compound::Arithmetic(expression) => self.words(std::slice::from_ref(expression)),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        for assignment in &simple.assignments {
            self.assignment(assignment);
        }
        if simple.words.first().is_some_and(is_pattern) {
            self.add(Mechanism::Expansion);
        }
        self.words(&simple.words);
        self.redirects(&simple.redirects);
    }

    fn assignment(&mut self, assignment: &Assignment) {
        use super::tree::AssignedValue;
        match &assignment.value {
            AssignedValue::Scalar(value) => self.words(value.as_slice()),
            AssignedValue::Array(words) => self.words(words),
        }
        if !is_plain_assignment(assignment) {
            self.words(assignment.subscript.as_slice());
            if self.list.is_empty() {
                self.add(Mechanism::Expansion);
            }
        }
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            self.add(Mechanism::Redirection);
            self.words(std::slice::from_ref(&redirect.target));
            if let Some(document) = &redirect.heredoc {
                self.words(std::slice::from_ref(&document.body));
            }
        }
    }

    fn words(&mut self, words: &[Word]) {
        if words.iter().any(is_array) {
            self.add(Mechanism::Expansion);
        }
        for part in words.iter().flat_map(|word| &word.parts) {
            let Part::Expansion(expansion) = part else { continue };
            self.add(match expansion.kind {
                ExpansionKind::Command | ExpansionKind::Process => Mechanism::Substitution,
                ExpansionKind::Parameter
                | ExpansionKind::Arithmetic
                | ExpansionKind::Locale
                | ExpansionKind::ExtendedPattern => Mechanism::Expansion,
            });
            if !expansion.nested.is_empty() {
                self.add(Mechanism::Substitution);
            }
        }
    }
}

#[cfg(test)]
mod tests;
