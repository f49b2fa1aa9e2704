//! The language of `awk`: strings, regular expressions and words, and what a program does besides computing.
//!
//! Promises every file that a program reads or writes, every command that it runs and every variable of the environment that
//! it looks at, or that some of that is not known. What implementations read in different ways is refused. Linear in the
//! program. Knows nothing of options or of files to read.

use std::iter::Peekable;
use std::str::Chars;

/// What a program does besides computing and printing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Does {
    /// Runs a command: the text, where it is one.
    Run(Option<String>),
    /// Reads a file.
    Read(String),
    /// Writes a file.
    Write(String),
    /// Looks at a variable of the environment.
    Variable(String),
    /// Opens a connection to another machine.
    Connect,
    /// Loads code from a file.
    Load,
}

type Gap = &'static str;

const UNENDED: Gap = "its program does not end where it should";
const AMBIGUOUS: Gap = "its program has a slash that is read in more than one way";

/// A token. What computes and nothing else is not told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Number,
    Expression,
    /// One or more signs.
    Sign(&'static str),
    NewLine,
}

/// The signs that matter, longest first.
const SIGNS: &[&str] = &[
    "||", "&&", "|&", ">>", ">=", "<=", "==", "!=", "++", "--", "+=", "-=", "*=", "%=", "^=", "**", "|", ">",
    "<", "=", "!", "~", "(", ")", "[", "]", "{", "}", ";", ",", "$", "+", "-", "*", "%", "^", "?", ":", "@",
    "/",
];
/// Words behind which an expression starts.
const STARTS_EXPRESSION: &[&str] =
    &["print", "printf", "return", "exit", "else", "do", "in", "case", "BEGIN", "END", "delete"];

/// Reads a program.
pub(super) fn read(program: &str) -> Result<Vec<Does>, Gap> {
    let tokens = tokens(program)?;
    let mut does = Vec::new();
    let mut depth = 0_usize;
    // The depth at which a `print` stands whose end has not come.
    let mut printing: Option<usize> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        at += 1;
        match token {
            Token::Word(word) => match word.as_str() {
                "print" | "printf" => printing = Some(depth),
                "system" => does.push(Does::Run(argument(&tokens, at))),
                "getline" => getline(&tokens, at, &mut does)?,
                "ENVIRON" => does.push(Does::Variable(variable(&tokens, at)?)),
                "ARGV" | "ARGC" | "SYMTAB" | "FUNCTAB" | "PROCINFO" => {
                    return Err("its program may change which files it reads");
                }
                "extension" => does.push(Does::Load),
                _ => {}
            },
            Token::Text(text) => {
                if text.contains("/inet") {
                    does.push(Does::Connect);
                }
            }
            Token::Sign(sign) => match *sign {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1).ok_or(UNENDED)?;
                    printing = printing.filter(|printing| *printing <= depth);
                }
                ";" => printing = printing.filter(|printing| *printing < depth),
                ">" | ">>" if printing == Some(depth) => {
                    let target = constant(&tokens, at).ok_or("which file its program writes is not known")?;
                    does.push(Does::Write(target));
                    printing = None;
                }
                "|" | "|&" => does.push(Does::Run(piped(&tokens, at, before))),
                "@" => does.push(Does::Load),
                _ => {}
            },
            Token::NewLine => {
                let goes_on = matches!(before, Some(Token::Sign("," | "&&" | "||" | "{" | "?" | ":")))
                    || matches!(before, Some(Token::Word(word)) if matches!(word.as_str(), "do" | "else"));
                if !goes_on {
                    printing = printing.filter(|printing| *printing < depth);
                }
            }
            Token::Number | Token::Expression => {}
        }
    }
    if depth == 0 { Ok(does) } else { Err(UNENDED) }
}

/// The string that stands alone from a position on.
fn constant(tokens: &[Token], at: usize) -> Option<String> {
    let Some(Token::Text(text)) = tokens.get(at) else { return None };
    match tokens.get(at + 1) {
        None | Some(Token::NewLine | Token::Sign(";" | "}" | ")" | ">" | "||" | "&&")) => Some(text.clone()),
        Some(_) => None,
    }
}

/// The constant argument of a call.
fn argument(tokens: &[Token], at: usize) -> Option<String> {
    (tokens.get(at) == Some(&Token::Sign("("))).then(|| constant(tokens, at + 1)).flatten()
}

/// The constant command at one end of a pipe.
fn piped(tokens: &[Token], at: usize, before: Option<&Token>) -> Option<String> {
    if !matches!(tokens.get(at), Some(Token::Word(word)) if word == "getline") {
        return constant(tokens, at);
    }
    let two_before = at.checked_sub(3).and_then(|at| tokens.get(at));
    let alone = matches!(two_before, None | Some(Token::NewLine | Token::Sign("(" | "{" | ";" | "}")));
    match before {
        Some(Token::Text(text)) if alone => Some(text.clone()),
        _ => None,
    }
}

/// `getline`, `getline VARIABLE`, and either with `< FILE`.
fn getline(tokens: &[Token], at: usize, does: &mut Vec<Does>) -> Result<(), Gap> {
    const UNKNOWN_FILE: Gap = "which file its program reads is not known";
    let mut at = at;
    while let Some(Token::Word(_) | Token::Number | Token::Sign("$")) = tokens.get(at) {
        at += 1;
    }
    match tokens.get(at) {
        Some(Token::Sign("<")) => does.push(Does::Read(constant(tokens, at + 1).ok_or(UNKNOWN_FILE)?)),
        // An element of an array, or something stranger.
        Some(
            Token::Sign(")" | "}" | ";" | ">" | ">=" | "==" | "!=" | "<=" | "&&" | "||") | Token::NewLine,
        )
        | None => {}
        // An element of an array, or something stranger.
        Some(Token::Sign(_) | Token::Expression | Token::Text(_) | Token::Word(_) | Token::Number) => {
            return Err(UNKNOWN_FILE);
        }
    }
    Ok(())
}

/// The name of the one variable that `ENVIRON[…]` looks at.
fn variable(tokens: &[Token], at: usize) -> Result<String, Gap> {
    match tokens.get(at..at + 3) {
        Some([Token::Sign("["), Token::Text(name), Token::Sign("]")]) => Ok(name.clone()),
        Some(_) | None => Err("which variables of the environment its program looks at is not known"),
    }
}

fn tokens(program: &str) -> Result<Vec<Token>, Gap> {
    let mut left = program.chars().peekable();
    let mut tokens: Vec<Token> = Vec::new();
    // For each open parenthesis, whether a statement starts behind it.
    let mut open: Vec<bool> = Vec::new();
    let mut statement_starts = false;
    while let Some(letter) = left.peek().copied() {
        let starts = std::mem::take(&mut statement_starts);
        if letter == '\n' {
            left.next();
            if tokens.last() != Some(&Token::NewLine) {
                tokens.push(Token::NewLine);
            }
        } else if letter.is_whitespace() {
            left.next();
            statement_starts = starts;
        } else if letter == '#' {
            while left.next_if(|letter| *letter != '\n').is_some() {}
        } else if letter == '\\' {
            left.next();
            left.next_if_eq(&'\r');
            left.next_if_eq(&'\n').ok_or(UNENDED)?;
            statement_starts = starts;
        } else if letter == '"' {
            left.next();
            tokens.push(Token::Text(string(&mut left)?));
        } else if letter.is_alphabetic() || letter == '_' {
            let mut word = String::new();
            while let Some(letter) = left.next_if(|letter| letter.is_alphanumeric() || *letter == '_') {
                word.push(letter);
            }
            tokens.push(Token::Word(word));
        } else if letter.is_ascii_digit() || letter == '.' {
            number(&mut left)?;
            tokens.push(Token::Number);
        } else if letter == '/' && starts {
            // Behind a condition: some divide here.
            return Err(AMBIGUOUS);
        } else if letter == '/' && starts_expression(tokens.last())? {
            left.next();
            expression(&mut left)?;
            tokens.push(Token::Expression);
        } else {
            let sign = sign(&mut left).ok_or("its program has a sign that is not known")?;
            match sign {
                "(" => {
                    let conditional = matches!(tokens.last(), Some(Token::Word(word)) if matches!(word.as_str(), "if" | "while" | "for" | "switch"));
                    open.push(conditional);
                }
                ")" => statement_starts = open.pop().ok_or(UNENDED)?,
                _ => {}
            }
            tokens.push(Token::Sign(sign));
        }
    }
    Ok(tokens)
}

/// Whether a slash behind a token starts a regular expression, and does not divide.
fn starts_expression(before: Option<&Token>) -> Result<bool, Gap> {
    match before {
        None | Some(Token::NewLine) => Ok(true),
        Some(Token::Word(word)) if matches!(word.as_str(), "getline" | "length") => Err(AMBIGUOUS),
        Some(Token::Word(word)) => Ok(STARTS_EXPRESSION.contains(&word.as_str())),
        Some(Token::Text(_) | Token::Number) => Ok(false),
        Some(Token::Expression) => Err(AMBIGUOUS),
        Some(Token::Sign(")" | "]" | "++" | "--")) => Ok(false),
        Some(Token::Sign("@")) => Err(AMBIGUOUS),
        Some(Token::Sign(_)) => Ok(true),
    }
}

fn sign(left: &mut Peekable<Chars<'_>>) -> Option<&'static str> {
    let first = left.next()?;
    let second = left.peek().copied();
    let sign = SIGNS.iter().find(|sign| {
        let mut letters = sign.chars();
        letters.next() == Some(first) && letters.next().is_none_or(|letter| Some(letter) == second)
    })?;
    if sign.len() == 2 {
        left.next();
    }
    Some(sign)
}

/// A number. What follows it without a blank may belong to it or not.
fn number(left: &mut Peekable<Chars<'_>>) -> Result<(), Gap> {
    let digits = |left: &mut Peekable<Chars<'_>>| {
        let mut some = false;
        while left.next_if(|letter| letter.is_ascii_digit() || *letter == '.').is_some() {
            some = true;
        }
        some
    };
    digits(left);
    if left.next_if(|letter| matches!(letter, 'e' | 'E')).is_some() {
        left.next_if(|letter| matches!(letter, '+' | '-'));
        if !digits(left) {
            return Err(UNENDED);
        }
    }
    match left.peek() {
        Some(letter) if letter.is_alphabetic() || *letter == '_' => Err(UNENDED),
        Some(_) | None => Ok(()),
    }
}

/// The rest of a string.
fn string(left: &mut Peekable<Chars<'_>>) -> Result<String, Gap> {
    let mut text = String::new();
    loop {
        match left.next().ok_or(UNENDED)? {
            '"' => return Ok(text),
            '\n' => return Err(UNENDED),
            '\\' => match left.next().ok_or(UNENDED)? {
                '\n' => {}
                letter @ ('"' | '\\' | '/') => text.push(letter),
                'n' => text.push('\n'),
                't' => text.push('\t'),
                // It may stand for any character: it is no constant.
                letter if letter.is_ascii_digit() || matches!(letter, 'x' | 'u' | 'U') => text.push('\0'),
                letter => text.extend(['\\', letter]),
            },
            letter => text.push(letter),
        }
    }
}

/// The rest of a regular expression.
fn expression(left: &mut Peekable<Chars<'_>>) -> Result<(), Gap> {
    let mut in_brackets = false;
    let mut only_opened = false;
    loop {
        match left.next().ok_or(UNENDED)? {
            '/' if in_brackets => return Err(AMBIGUOUS),
            '/' => return Ok(()),
            '\n' => return Err(UNENDED),
            '\\' => {
                left.next_if(|letter| *letter != '\n').ok_or(UNENDED)?;
                only_opened = false;
            }
            letter if in_brackets => {
                let first = only_opened;
                only_opened &= letter == '^';
                let class = letter == '[' && left.peek().is_some_and(|next| matches!(next, ':' | '.' | '='));
                if class {
                    // Up to its own closing bracket.
                    while left
                        .next_if(|letter| letter.is_alphanumeric() || ":.=-".contains(*letter))
                        .is_some()
                    {}
                    left.next_if_eq(&']').ok_or(AMBIGUOUS)?;
                } else {
                    in_brackets = letter != ']' || first;
                }
            }
            '[' => {
                in_brackets = true;
                only_opened = true;
            }
            _ => {}
        }
    }
}
