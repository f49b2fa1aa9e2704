//! Why a text could not be read: a closed vocabulary, in plain words.
//!
//! Promises one variant per reason and a display that a person understands. Knows nothing of what is done about it.

/// Why the reader stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum UnreadReason {
    /// More than [`super::MAX_BYTES`] bytes.
    #[error("longer than 1 MiB")]
    TooLong,
    /// A NUL byte, which bash drops or truncates at.
    #[error("contains a NUL byte")]
    NulByte,
    /// More than [`super::MAX_DEPTH`] levels.
    #[error("nesting deeper than 100")]
    TooDeep,
    /// More than [`super::MAX_COMMANDS`] simple commands.
    #[error("more than 4096 commands")]
    TooManyCommands,
    /// More words than [`super::MAX_WORDS`].
    #[error("more than {} words", super::MAX_WORDS)]
    TooManyWords,
    /// `'` without its end.
    #[error("unterminated single quote")]
    UnterminatedSingleQuote,
    /// `"` without its end.
    #[error("unterminated double quote")]
    UnterminatedDoubleQuote,
    /// `$'` without its end.
    #[error("unterminated $'…' quote")]
    UnterminatedAnsiQuote,
    /// A backquote without its end.
    #[error("unterminated backquote")]
    UnterminatedBackquote,
    /// `${` without its end.
    #[error("unterminated ${{…}} expansion")]
    UnterminatedParameter,
    /// `((`, `$((` or `$[` without its end.
    #[error("unterminated arithmetic expression")]
    UnterminatedArithmetic,
    /// `name[` without its `]`.
    #[error("unterminated array subscript")]
    UnterminatedSubscript,
    /// An extended pattern or a group of a regular expression without its `)`.
    #[error("unterminated parenthesis in a pattern")]
    UnterminatedPattern,
    /// `name=(` without its `)`.
    #[error("unterminated array value")]
    UnterminatedArray,
    /// A here-document whose delimiter line never comes.
    #[error("unterminated here-document")]
    UnterminatedHereDocument,
    /// The text ends where a command or the end of a compound command is needed.
    #[error("unexpected end of the text")]
    UnexpectedEnd,
    /// An operator or separator where none may stand.
    #[error("unexpected operator")]
    UnexpectedOperator,
    /// A parenthesis where none may stand.
    #[error("unexpected parenthesis")]
    UnexpectedParenthesis,
    /// A reserved word where none may stand, or another one is needed.
    #[error("unexpected or missing reserved word")]
    UnexpectedReservedWord,
    /// A compound command with nothing between its reserved words.
    #[error("empty list of commands")]
    EmptyList,
    /// A word is needed and something else stands there.
    #[error("missing word")]
    MissingWord,
    /// A redirection without its target.
    #[error("missing redirection target")]
    MissingRedirectionTarget,
    /// The inside of `[[ … ]]` is no conditional expression.
    #[error("malformed conditional expression")]
    MalformedConditional,
    /// The variable of `for` or `select` is no plain name.
    #[error("loop variable is not a plain name")]
    LoopVariable,
    /// The head of a `for ((` is not three expressions.
    #[error("arithmetic loop without three expressions")]
    LoopExpressions,
    /// The name of a function or coprocess is no plain text.
    #[error("function name is not plain text")]
    FunctionName,
    /// The body of a function is no compound command.
    #[error("function body is not a compound command")]
    FunctionBody,
    /// A decoded text that is not UTF-8.
    #[error("escape codes that do not decode to UTF-8")]
    NotUtf8,
    /// An escape in `$'…'` that shells decode differently.
    #[error("ambiguous escape in a $'…' quote")]
    AmbiguousEscape,
    /// `${ command; }`, which only newer shells run.
    #[error("${{ command; }} substitution, which depends on the version of bash")]
    FunctionSubstitution,
    /// `${…}` that bash refuses when it runs.
    #[error("malformed ${{…}} expansion")]
    MalformedParameter,
    /// Quotes whose meaning in this place differs between parsing and expansion.
    #[error("ambiguous quoting")]
    AmbiguousQuoting,
    /// `((` or `$((` that could be arithmetic or nested subshells.
    #[error("ambiguous double parenthesis")]
    AmbiguousParentheses,
    /// `!(`, which means another thing when extended patterns are on.
    #[error("!( is ambiguous with an extended pattern")]
    AmbiguousNegation,
    /// Bash 5.2 writes a substitution anew before it runs it. It then takes `COPROC` for the command of a plain coprocess, loses
    /// the next semicolon behind a here-document, takes a reserved word behind a redirection for one, and ends a `case` at
    /// a pattern `esac`.
    #[error("a substitution that some versions of bash write anew and then read differently")]
    RewrittenSubstitution,
    /// A process substitution in a place where versions differ.
    #[error("ambiguous process substitution")]
    AmbiguousProcessSubstitution,
    /// A bracket or brace that bash matches differently at parsing and expansion.
    #[error("ambiguous brackets")]
    AmbiguousBrackets,
    /// A descriptor such as `{a[0]}>` or one too big for a number.
    #[error("ambiguous descriptor in front of a redirection")]
    AmbiguousDescriptor,
    /// A here-document delimiter with an expansion or a newline in it.
    #[error("unusual here-document delimiter")]
    HereDocumentDelimiter,
    /// A substitution goes over several lines while a here-document waits for its body, or ends before a body came.
    #[error("here-document body crosses a substitution")]
    HereDocumentCrossing,
    /// A line of a here-document in a substitution that only some versions take as its end.
    #[error("here-document delimiter with the closing parenthesis on its line")]
    HereDocumentGluedEnd,
    /// Text directly behind `name=( … )`.
    #[error("text glued to an array value")]
    TextAfterArray,
}

impl UnreadReason {
    /// Whether bash stops at this place when it *parses*, so that nothing of the same line runs. For the others bash may
    /// run the line, or part of it.
    #[must_use]
    pub fn stops_the_line(self) -> bool {
        match self {
            Self::UnterminatedSingleQuote
            | Self::UnterminatedDoubleQuote
            | Self::UnterminatedAnsiQuote
            | Self::UnterminatedBackquote
            | Self::UnterminatedParameter
            | Self::UnterminatedArithmetic
            | Self::UnterminatedSubscript
            | Self::UnterminatedPattern
            | Self::UnterminatedArray
            | Self::UnexpectedEnd
            | Self::UnexpectedOperator
            | Self::UnexpectedParenthesis
            | Self::UnexpectedReservedWord
            | Self::EmptyList
            | Self::MissingWord
            | Self::MissingRedirectionTarget
            | Self::MalformedConditional
            | Self::LoopExpressions
            | Self::FunctionBody => true,
            Self::TooLong
            | Self::NulByte
            | Self::TooDeep
            | Self::TooManyCommands
            | Self::TooManyWords
            | Self::UnterminatedHereDocument
            | Self::LoopVariable
            | Self::FunctionName
            | Self::NotUtf8
            | Self::AmbiguousEscape
            | Self::FunctionSubstitution
            | Self::MalformedParameter
            | Self::AmbiguousQuoting
            | Self::AmbiguousParentheses
            | Self::AmbiguousNegation
            | Self::RewrittenSubstitution
            | Self::AmbiguousProcessSubstitution
            | Self::AmbiguousBrackets
            | Self::AmbiguousDescriptor
            | Self::HereDocumentDelimiter
            | Self::HereDocumentCrossing
            | Self::HereDocumentGluedEnd
            | Self::TextAfterArray => false,
        }
    }
}
