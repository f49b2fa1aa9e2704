//! Code of a few languages cut into words, texts and signs.
//!
//! Promises that where one text ends is never guessed: code in which a quote, a pattern or a comment could be read in two ways
//! is not read at all. What is put into a text when it runs (`${…}`, `#{…}`, `{…}`) is code, too. Knows nothing of what the
//! words mean.

/// The most characters of code that are looked at.
const MAX_CODE: usize = 64 * 1024;
/// How deep texts may stand in code that stands in texts.
const MAX_DEPTH: usize = 8;

/// A language that inline code is read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Ruby.
    Ruby,
    /// Perl.
    Perl,
    /// PHP.
    Php,
}

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name.
    Word(String),
    /// A name with a sigil, without it: `$x`, `@x`.
    Variable(String),
    /// A text, without its quotes.
    Text(String),
    /// A pattern.
    Pattern,
    /// A number.
    Number,
    /// Any other character.
    Sign(char),
    /// The end of a line outside of texts.
    Line,
}

impl Token {
    /// Whether it is that sign.
    pub(super) fn is(&self, sign: char) -> bool {
        *self == Self::Sign(sign)
    }

    /// The name that it is.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Variable(_) | Self::Text(_) | Self::Pattern | Self::Number | Self::Sign(_) | Self::Line => {
                None
            }
        }
    }
}

/// The tokens of code; `None` where it cannot be told what is text and what is not, or where brackets do not match.
pub(super) fn tokens(language: Language, code: &str) -> Option<Vec<Token>> {
    let characters: Vec<char> = code.chars().take(MAX_CODE + 1).collect();
    let mut tokens = Vec::new();
    (characters.len() <= MAX_CODE).then(|| read(language, &characters, 0, &mut tokens))??;
    is_balanced(&tokens).then_some(tokens)
}

/// Whether each bracket is closed by one of its kind.
fn is_balanced(tokens: &[Token]) -> bool {
    let mut open = Vec::new();
    for token in tokens {
        match token {
            Token::Sign('(') => open.push(')'),
            Token::Sign('[') => open.push(']'),
            Token::Sign('{') => open.push('}'),
            Token::Sign(close @ (')' | ']' | '}')) if open.pop() != Some(*close) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Whether a text of Perl puts in a member whose index is more than a name or a number: the index is code.
fn puts_in_code(text: &str) -> bool {
    text.split(['$', '@']).skip(1).any(|behind| {
        let rest = behind
            .trim_start_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '$'));
        let rest = rest.strip_prefix("->").unwrap_or(rest);
        let Some(index) = rest.strip_prefix(['[', '{']) else { return false };
        let inside = index.split([']', '}']).next().unwrap_or_default();
        !inside.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '^' | '+'))
    })
}

struct Reader<'c, 't> {
    language: Language,
    characters: &'c [char],
    at: usize,
    depth: usize,
    tokens: &'t mut Vec<Token>,
    /// For each open parenthesis, whether a statement stands behind it: `if (…)`.
    open: Vec<bool>,
    /// The parenthesis that was closed last did so.
    closed_condition: bool,
}

fn read(language: Language, characters: &[char], depth: usize, tokens: &mut Vec<Token>) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut reader =
        Reader { language, characters, at: 0, depth, tokens, open: Vec::new(), closed_condition: false };
    while reader.at < characters.len() {
        reader.next()?;
    }
    Some(())
}

/// Words behind which a value starts, so that a slash starts a pattern.
const OPERATORS: &[&str] = &[
    "return", "typeof", "case", "in", "of", "if", "unless", "and", "or", "not", "while", "until", "when",
    "split", "grep", "print", "puts", "p", "map", "elsif", "else", "yield", "await", "void", "delete",
    "join",
];

impl Reader<'_, '_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, letter)| self.peek(ahead) == Some(letter))
    }

    fn at_line_start(&self) -> bool {
        self.at.checked_sub(1).is_none_or(|before| self.characters.get(before) == Some(&'\n'))
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|letter| letter != '\n') {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<()> {
        let letter = self.peek(0)?;
        let python = self.language == Language::Python;
        let slashes = matches!(self.language, Language::JavaScript | Language::Php);
        match letter {
            '\n' => {
                self.tokens.push(Token::Line);
                self.at += 1;
            }
            letter if letter.is_whitespace() => self.at += 1,
            '#' if self.language == Language::JavaScript => return None,
            '#' => self.skip_line(),
            '/' if slashes && self.starts("//") => self.skip_line(),
            '/' if slashes && self.starts("/*") => {
                self.at += 2;
                while !self.starts("*/") {
                    self.peek(0)?;
                    self.at += 1;
                }
                self.at += 2;
            }
            // A line that goes on; anywhere else a backslash is no code.
            '\\' if python && self.peek(1) == Some('\n') => self.at += 2,
            '\\' => {
                self.tokens.push(Token::Sign('\\'));
                self.at += 1;
            }
            '=' if self.at_line_start() && matches!(self.language, Language::Ruby | Language::Perl) => {
                return None;
            }
            '<' if self.starts("<!--") => return None,
            '-' if self.starts("-->") => return None,
            '<' if self.here_document() => return None,
            '?' if self.language == Language::Php && self.starts("?>") => return None,
            '?' if self.language == Language::Ruby
                && matches!(self.peek(1), Some('"' | '\'' | '`' | '/' | '#')) =>
            {
                return None;
            }
            '%' if self.language == Language::Ruby && !self.value_before() => return None,
            '\'' | '"' => self.text("", letter)?,
            '`' if self.language == Language::JavaScript => self.text("", letter)?,
            // Elsewhere what stands between them is a command.
            '`' => {
                self.tokens.push(Token::Sign('`'));
                self.at = self.characters.len();
            }
            '$' | '@' | '%' | '&' if self.language == Language::Perl => self.variable()?,
            '$' if self.language != Language::JavaScript => self.variable()?,
            '@' if self.language == Language::Ruby => self.variable()?,
            ':' if self.language == Language::Ruby => self.symbol()?,
            '/' if !python && self.language != Language::Php => self.slash()?,
            letter if letter.is_ascii_digit() => self.number(),
            letter if letter.is_alphabetic() || matches!(letter, '_' | '$') => self.word()?,
            sign => self.sign(sign),
        }
        Some(())
    }

    fn sign(&mut self, sign: char) {
        match sign {
            '(' => {
                let condition =
                    self.tokens.last().and_then(Token::word).is_some_and(|word| {
                        matches!(word, "if" | "while" | "for" | "with" | "unless" | "until")
                    });
                self.open.push(condition);
            }
            ')' => self.closed_condition = self.open.pop().unwrap_or(false),
            _ => {}
        }
        self.tokens.push(Token::Sign(sign));
        self.at += 1;
    }

    /// `<<END`, `<<~END`, `<<'END'`, `<<<END`.
    fn here_document(&self) -> bool {
        let behind = |ahead: usize| {
            self.peek(ahead)
                .is_some_and(|next| next.is_alphabetic() || matches!(next, '_' | '~' | '-' | '"' | '\''))
        };
        match self.language {
            Language::Python | Language::JavaScript => false,
            Language::Ruby | Language::Perl => self.starts("<<") && behind(2),
            Language::Php => self.starts("<<<"),
        }
    }

    fn number(&mut self) {
        while self.peek(0).is_some_and(|letter| {
            letter.is_ascii_alphanumeric() || letter == '_' || self.is_decimal_point(letter)
        }) {
            self.at += 1;
        }
        self.tokens.push(Token::Number);
    }

    fn is_decimal_point(&self, letter: char) -> bool {
        letter == '.' && self.peek(1).is_some_and(|next| next.is_ascii_digit())
    }

    fn take_name(&mut self) -> String {
        let mut name = String::new();
        while let Some(letter) =
            self.peek(0).filter(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$'))
        {
            name.push(letter);
            self.at += 1;
        }
        name
    }

    fn word(&mut self) -> Option<()> {
        let word = self.take_name();
        let quote = self.peek(0).filter(|next| matches!(next, '"' | '\''));
        if self.language == Language::Python
            && let Some(quote) = quote
        {
            let prefix = word.to_ascii_lowercase();
            if matches!(prefix.as_str(), "r" | "b" | "u" | "f" | "rb" | "br" | "rf" | "fr") {
                return self.text(&prefix, quote);
            }
            return None;
        }
        if self.language == Language::Perl
            && !matches!(self.tokens.last(), Some(Token::Sign('{' | '>' | '-')))
            && matches!(word.as_str(), "q" | "qq" | "qw" | "qx" | "qr" | "m" | "s" | "tr" | "y")
        {
            return self.perl_quote(&word);
        }
        if self.language == Language::Ruby
            && matches!(self.peek(0), Some('?' | '!'))
            && self.peek(1) != Some('=')
        {
            self.at += 1;
        }
        self.tokens.push(Token::Word(word));
        Some(())
    }

    /// `$x`, `@x`, `%x`, `$#x`, `$_`, `$1`, `@$x`; `%` and `&` are operators where a value stands in front.
    fn variable(&mut self) -> Option<()> {
        let sigil = self.peek(0)?;
        if matches!(sigil, '%' | '&') {
            let name_follows =
                self.peek(1).is_some_and(|next| next.is_alphabetic() || matches!(next, '_' | '$' | '{'));
            if self.value_before() || sigil == '&' && !name_follows {
                self.sign(sigil);
                return Some(());
            }
            if sigil == '&' || !name_follows {
                return None;
            }
        }
        self.at += 1;
        while self.peek(0).is_some_and(|next| matches!(next, '$' | '@' | '#'))
            && self.peek(1).is_some_and(|next| next.is_alphanumeric() || matches!(next, '_' | '$' | '{'))
        {
            self.at += 1;
        }
        match self.peek(0)? {
            next if next.is_alphanumeric() || next == '_' => {
                let mut name = self.take_name();
                while self.language == Language::Perl && self.starts("::") {
                    self.at += 2;
                    name.push_str("::");
                    name.push_str(&self.take_name());
                }
                self.tokens.push(Token::Variable(name));
            }
            // What stands in the braces is read as code.
            '{' => self.tokens.push(Token::Variable(String::new())),
            '&' | '.' | ',' | '/' | '\\' | '!' | '0' | ';' | '@' | '$' | '+' | '-' | '~' | '"' | '\''
                if self.language == Language::Perl && sigil == '$' =>
            {
                self.at += 1;
                self.tokens.push(Token::Variable(String::new()));
            }
            _ => return None,
        }
        Some(())
    }

    /// `:name`, `::`, and the colon of a key or a choice.
    fn symbol(&mut self) -> Option<()> {
        let before = self.at.checked_sub(1).and_then(|before| self.characters.get(before));
        let glued =
            before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | ':' | '"' | '\''));
        if !glued && self.peek(1).is_some_and(|next| next.is_alphabetic() || next == '_') {
            self.at += 1;
            let name = self.take_name();
            self.tokens.push(Token::Text(name));
        } else {
            self.sign(':');
        }
        Some(())
    }

    /// Whether a value ends in front of here.
    fn value_before(&self) -> bool {
        match self.tokens.last() {
            None | Some(Token::Line) => false,
            Some(Token::Sign(sign)) => matches!(sign, ')' | ']' | '}'),
            Some(Token::Word(word)) => !OPERATORS.contains(&word.as_str()),
            Some(Token::Variable(_) | Token::Text(_) | Token::Number | Token::Pattern) => true,
        }
    }

    /// A division or a pattern.
    fn slash(&mut self) -> Option<()> {
        let mut last = self.tokens.iter().rev();
        match last.next() {
            Some(Token::Sign('}')) => return None,
            Some(Token::Sign(')')) if self.closed_condition => return None,
            Some(Token::Sign(sign @ ('+' | '-'))) if last.next().is_some_and(|other| other.is(*sign)) => {
                return None;
            }
            Some(Token::Word(word))
                if !OPERATORS.contains(&word.as_str()) && self.language != Language::JavaScript =>
            {
                return None;
            }
            Some(_) | None => {}
        }
        if self.value_before() {
            self.sign('/');
            return Some(());
        }
        self.at += 1;
        self.delimited('/', '/')?;
        self.flags("e")
    }

    /// What stands up to the closing delimiter, which is consumed. A class of a JavaScript pattern may hold a slash.
    fn delimited(&mut self, open: char, close: char) -> Option<String> {
        let mut text = String::new();
        let mut depth = 0_usize;
        let mut in_class = false;
        loop {
            let letter = self.peek(0)?;
            self.at += 1;
            match letter {
                '\\' => {
                    text.push(letter);
                    text.push(self.peek(0)?);
                    self.at += 1;
                    continue;
                }
                '\n' if self.language == Language::JavaScript => return None,
                '[' if self.language == Language::JavaScript => in_class = true,
                ']' if self.language == Language::JavaScript => in_class = false,
                _ if in_class => {}
                letter if letter == close && depth == 0 => break,
                letter if letter == close => depth -= 1,
                letter if letter == open && open != close => depth += 1,
                _ => {}
            }
            text.push(letter);
        }
        // Code inside a pattern.
        if self.language == Language::Perl && puts_in_code(&text) {
            return None;
        }
        let hidden = ["(?{", "(??{", "@{", "${", "#{"].iter().any(|start| text.contains(start));
        let dollar = self.language == Language::JavaScript;
        (!hidden || dollar).then_some(text)
    }

    /// The letters behind a pattern.
    fn flags(&mut self, refused: &str) -> Option<()> {
        let flags = self.take_name();
        let code = self.language == Language::Perl && flags.chars().any(|flag| refused.contains(flag));
        self.tokens.push(Token::Pattern);
        (!code).then_some(())
    }

    fn perl_quote(&mut self, word: &str) -> Option<()> {
        let before = self.at;
        while self.peek(0).is_some_and(|next| next == ' ') {
            self.at += 1;
        }
        let open = self.peek(0);
        if open.is_none_or(|open| matches!(open, ',' | ';' | ')')) || self.starts("=>") || self.starts("=") {
            self.at = before;
            self.tokens.push(Token::Word(word.to_owned()));
            return Some(());
        }
        let open = open?;
        if open.is_alphanumeric() || open.is_whitespace() || open == '#' || word == "qx" {
            return None;
        }
        let closing = |open| match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        self.at += 1;
        let text = self.delimited(open, closing(open))?;
        match word {
            "q" | "qq" | "qw" => {
                self.tokens.push(Token::Text(text));
                Some(())
            }
            "s" | "tr" | "y" => {
                let mut second = open;
                if closing(open) != open {
                    while self.peek(0).is_some_and(char::is_whitespace) {
                        self.at += 1;
                    }
                    second = self.peek(0)?;
                    self.at += 1;
                }
                self.delimited(second, closing(second))?;
                self.flags(if word == "s" { "e" } else { "" })
            }
            _ => self.flags("e"),
        }
    }

    /// A text from its opening quote on.
    fn text(&mut self, prefix: &str, quote: char) -> Option<()> {
        let python = self.language == Language::Python;
        let triple = python && (0..3).all(|ahead| self.peek(ahead) == Some(quote));
        let length = if triple { 3 } else { 1 };
        self.at += length;
        let holds_code = match self.language {
            Language::Python => prefix.contains('f'),
            Language::JavaScript => quote == '`',
            Language::Ruby | Language::Perl | Language::Php => quote == '"',
        };
        let mut text = String::new();
        loop {
            let letter = self.peek(0)?;
            if letter == quote && (0..length).all(|ahead| self.peek(ahead) == Some(quote)) {
                self.at += length;
                break;
            }
            if letter == '\n'
                && (python || quote != '`')
                && !triple
                && matches!(self.language, Language::Python | Language::JavaScript)
            {
                return None;
            }
            if letter == '\\' {
                self.at += 1;
                let escaped = self.peek(0)?;
                self.at += 1;
                // A letter that is written as a number is no text that anybody reads.
                if matches!(escaped, 'x' | 'u' | 'U' | 'N' | '0'..='7') && !prefix.contains('r') {
                    text.push('\u{fffd}');
                } else if !matches!(escaped, '\n') {
                    text.push(if escaped == 'n' { '\n' } else { escaped });
                }
                continue;
            }
            if holds_code && self.insertion(letter, &mut text)? {
                continue;
            }
            text.push(letter);
            self.at += 1;
        }
        if self.language == Language::Perl && holds_code && puts_in_code(&text) {
            return None;
        }
        self.tokens.push(Token::Text(text));
        Some(())
    }

    /// What is put into a text: reads it as code that stands in front of the text. Returns whether there was something.
    fn insertion(&mut self, letter: char, text: &mut String) -> Option<bool> {
        match (self.language, letter) {
            (Language::Python, '{' | '}') if self.peek(1) == Some(letter) => {
                text.push(letter);
                self.at += 2;
                return Some(true);
            }
            (Language::Python, '{') => self.at += 1,
            (Language::JavaScript, '$') | (Language::Ruby, '#') if self.peek(1) == Some('{') => self.at += 2,
            // Both put whole expressions into texts.
            (Language::Perl, '$' | '@') if matches!(self.peek(1), Some('{')) => return None,
            (Language::Php, '{' | '$') if matches!(self.peek(1), Some('{' | '$')) => return None,
            (Language::Ruby, '#') if matches!(self.peek(1), Some('$' | '@')) => return None,
            _ => return Some(false),
        }
        let start = self.at;
        let mut depth = 0_usize;
        let mut quoted: Option<char> = None;
        let mut format = None;
        loop {
            let letter = self.peek(0)?;
            match (quoted, letter) {
                (_, '\\') => self.at += 1,
                (Some(quote), letter) if letter == quote => quoted = None,
                (Some(_), _) => {}
                (None, '\'' | '"' | '`') => quoted = Some(letter),
                (None, '{' | '(' | '[') => depth += 1,
                (None, '}') if depth == 0 => break,
                (None, '}' | ')' | ']') => depth = depth.checked_sub(1)?,
                (None, ':' | '!')
                    if self.language == Language::Python && depth == 0 && self.peek(1) != Some('=') =>
                {
                    format.get_or_insert(self.at);
                }
                (None, _) => {}
            }
            self.at += 1;
        }
        let end = self.at;
        self.at += 1;
        if let Some(format) = format {
            let behind = self.characters.get(format..end).unwrap_or_default();
            // A width may be code of its own.
            if behind.contains(&'{') {
                return None;
            }
        }
        let inner = self.characters.get(start..format.unwrap_or(end))?;
        // Where such code ends is plain only without patterns, comments and further texts in it that hold quotes.
        let quotes = inner.iter().any(|letter| matches!(letter, '\'' | '"'));
        let doubtful = |letter: &char| match self.language {
            Language::Python => *letter == '#',
            Language::JavaScript => *letter == '`' || *letter == '/' && quotes,
            Language::Ruby | Language::Perl | Language::Php => {
                matches!(letter, '#' | '`' | '%') || *letter == '/' && quotes
            }
        };
        if inner.iter().any(doubtful) {
            return None;
        }
        self.tokens.push(Token::Sign('('));
        read(self.language, inner, self.depth + 1, self.tokens)?;
        self.tokens.push(Token::Sign(')'));
        self.tokens.push(Token::Sign('+'));
        text.push('\u{fffc}');
        Some(true)
    }
}
