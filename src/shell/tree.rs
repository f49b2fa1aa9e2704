//! The syntax tree of a command as bash would read it: what the reader makes and everything else walks.
//!
//! Promises that every command, word and redirection of the text is a node here, with its place in the
//! text. Knows nothing of rules, ratings or of how the text was found.

/// A half-open byte range of the text that was analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A list of and-or lists, in source order: the whole text, or the body of a compound command or a substitution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The list's members.
    pub items: Vec<AndOr>,
}

/// Pipelines joined by `&&` and `||`, and whether the whole of them runs in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// What follows it, in order.
    pub rest: Vec<(Connector, Pipeline)>,
    /// Ended by `&`.
    pub background: bool,
}

/// What joins two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// Preceded by `!` (an odd or even number of times: bash runs it all the same).
    pub negated: bool,
    /// Preceded by the reserved word `time`.
    pub timed: bool,
    /// The stages; empty only for a bare `!` or `time`.
    pub stages: Vec<Stage>,
}

/// One command of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The command.
    pub command: Command,
    /// Joined to the next stage by `|&`, so that standard error flows too.
    pub stderr_too: bool,
}

/// A command of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A simple command.
    Simple(SimpleCommand),
    /// A compound command with the redirections behind it.
    Compound {
        /// What it is.
        kind: Compound,
        /// The redirections that hold for all of it.
        redirects: Vec<Redirect>,
        /// Its place in the text; `None` inside re-read text such as backquotes.
        span: Option<Span>,
    },
    /// A function definition. Bash runs the body only when the name is called; the body counts as commands all the same.
    Function {
        /// The name as written.
        name: String,
        /// The body, a compound command.
        body: Box<Command>,
        /// Its place in the text.
        span: Option<Span>,
    },
    /// `coproc [NAME] command`.
    Coproc {
        /// The name where one was given.
        name: Option<String>,
        /// The command.
        body: Box<Command>,
        /// Its place in the text.
        span: Option<Span>,
    },
}

/// The compound commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compound {
    /// `{ …; }`
    Group(Script),
    /// `( … )`
    Subshell(Script),
    /// `if … then … elif … then … else … fi`: each condition with its branch, then the last branch.
    If {
        /// Condition and branch, one pair for `if` and each `elif`.
        branches: Vec<(Script, Script)>,
        /// The `else` branch.
        otherwise: Option<Script>,
    },
    /// `while … do … done`
    While {
        /// The condition.
        condition: Script,
        /// The body.
        body: Script,
    },
    /// `until … do … done`
    Until {
        /// The condition.
        condition: Script,
        /// The body.
        body: Script,
    },
    /// `for NAME in words; do …; done`
    For {
        /// The variable.
        variable: String,
        /// The words; `None` where there is no `in`.
        words: Option<Vec<Word>>,
        /// The body.
        body: Script,
    },
    /// `for ((…;…;…)); do …; done`
    ForArithmetic {
        /// The arithmetic text with what bash expands in it.
        expression: Word,
        /// The body.
        body: Script,
    },
    /// `select NAME in words; do …; done`
    Select {
        /// The variable.
        variable: String,
        /// The words; `None` where there is no `in`.
        words: Option<Vec<Word>>,
        /// The body.
        body: Script,
    },
    /// `case word in …; esac`
    Case {
        /// What is compared.
        word: Word,
        /// The arms: patterns and body.
        arms: Vec<(Vec<Word>, Script)>,
    },
    /// `[[ … ]]`: every word in it, operators included.
    Conditional(Vec<Word>),
    /// `(( … ))`
    Arithmetic(Word),
}

/// A simple command: assignments, words and redirections, each in source order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleCommand {
    /// The assignments in front of the command word (or alone).
    pub assignments: Vec<Assignment>,
    /// The command word and its arguments; empty for an assignment or redirection alone.
    pub words: Vec<Word>,
    /// The redirections, wherever they stand.
    pub redirects: Vec<Redirect>,
    /// Its place in the text; `None` inside re-read text such as backquotes.
    pub span: Option<Span>,
}

/// `NAME=value`, `NAME+=value`, `NAME[subscript]=value` or `NAME=( … )`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable's name.
    pub name: String,
    /// The subscript's text with what bash expands in it.
    pub subscript: Option<Word>,
    /// `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue,
    /// The assignment as it stands in the text.
    pub raw: String,
    /// Its place in the text.
    pub span: Option<Span>,
}

/// The right side of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignedValue {
    /// One word; `None` when nothing follows the `=`.
    Scalar(Option<Word>),
    /// `( … )`: its elements and their subscripts, as words.
    Array(Vec<Word>),
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor in front: digits, or `{name}` as `name` in braces; `None` where none is written.
    pub descriptor: Option<String>,
    /// The operator.
    pub operator: RedirectOperator,
    /// The target; for a here-document its delimiter as written.
    pub target: Word,
    /// The body of a here-document.
    pub heredoc: Option<HereDocument>,
    /// Its place in the text.
    pub span: Option<Span>,
}

/// The redirection operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<`
    HereDocument,
    /// `<<-`
    HereDocumentStripped,
    /// `<<<`
    HereString,
}

impl RedirectOperator {
    /// The operator as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "<",
            Self::Write => ">",
            Self::Append => ">>",
            Self::Clobber => ">|",
            Self::ReadWrite => "<>",
            Self::DuplicateInput => "<&",
            Self::DuplicateOutput => ">&",
            Self::WriteBoth => "&>",
            Self::AppendBoth => "&>>",
            Self::HereDocument => "<<",
            Self::HereDocumentStripped => "<<-",
            Self::HereString => "<<<",
        }
    }
}

/// The body of a here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HereDocument {
    /// The delimiter was quoted, so that nothing in the body is expanded.
    pub quoted: bool,
    /// The body as the command reads it, parts that bash expands included. For a quoted delimiter one quoted text.
    pub body: Word,
}

/// A word with the structure of its quoting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The parts in order. A word such as `''` has one empty quoted text.
    pub parts: Vec<Part>,
    /// The word as it stands in the text (of the text it was read from).
    pub raw: String,
    /// Its place in the text; `None` inside re-read text such as backquotes.
    pub span: Option<Span>,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text after quote removal and escape decoding.
    Text {
        /// The text.
        text: String,
        /// Quoted or escaped: pattern characters, braces and tildes in it are plain.
        quoted: bool,
    },
    /// Something that bash replaces when it runs.
    Expansion(Expansion),
}

/// Something that bash replaces when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// What kind.
    pub kind: ExpansionKind,
    /// Inside double quotes.
    pub quoted: bool,
    /// The parameter's name where there is one (`HOME`, `1`, `@`).
    pub parameter: Option<String>,
    /// The expansion as it stands in the text.
    pub raw: String,
    /// The bodies of the command and process substitutions in it, outermost first (in operands, subscripts and arithmetic too).
    pub nested: Vec<Script>,
    /// What else stands in it; `None` where nothing does.
    pub inside: Option<Box<Inside>>,
}

/// What stands in an expansion besides commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inside {
    /// The parameter and arithmetic expansions and messages in it, at any depth (in operands, subscripts and arithmetic), but
    /// for the plain `$NAME`; what is nested in them is nested in the outermost one.
    pub expansions: Vec<Expansion>,
    /// The constant texts in it, after quote removal, of which code could be made: those with a dollar sign, a backquote, a
    /// backslash or a parenthesis that is no arithmetic.
    pub literals: String,
}

/// The kinds of expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpansionKind {
    /// `$NAME`, `${…}`
    Parameter,
    /// `$((…))`, `$[…]`
    Arithmetic,
    /// `$(…)` or backquotes
    Command,
    /// `<(…)`, `>(…)`
    Process,
    /// `$"…"`: text that a message catalogue may replace.
    Locale,
    /// `@(…)` and friends where the reader knows them (inside `[[ ]]`).
    ExtendedPattern,
}
