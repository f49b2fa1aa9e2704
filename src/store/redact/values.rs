//! Where the value of a named secret begins and ends. Works on bytes, so that no place is inside a character: every
//! end is an ASCII byte or the end of the text. A value never swallows a shell operator or a command substitution
//! outside single quotes, or a record could be made to hide a command.

use std::ops::Range;

use super::MARKER;
use super::names::is_secret_header;

/// How far a value without quotes goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// To the next blank.
    Word,
    /// To the end of the line.
    Line,
    /// To this quote, which was opened before the name, or the end of the line.
    Quote(u8),
}

/// The value that is assigned to the name in `name`, if one is: `NAME=value`, `name: value`, `"name": "value"`.
pub(super) fn assigned(bytes: &[u8], name: &Range<usize>, name_text: &str) -> Option<Range<usize>> {
    let opening = name
        .start
        .checked_sub(1)
        .and_then(|before| bytes.get(before))
        .copied()
        .filter(|byte| is_quote(*byte));
    let mut at = name.end;
    // The name may be quoted itself, and those quotes escaped.
    let closing = skip(bytes, at, |byte| byte == b'\\');
    let name_is_quoted = opening.is_some() && bytes.get(closing).copied() == opening;
    if name_is_quoted {
        at = closing.saturating_add(1);
    }
    let separator = skip(bytes, at, is_blank);
    let blank_before = separator > at || name_is_quoted;
    at = match (bytes.get(separator)?, bytes.get(separator.saturating_add(1))) {
        (b':', Some(b':')) | (b':', Some(b'/')) => return None,
        (b':', Some(b'=')) => separator.saturating_add(2),
        (b':', _) => separator.saturating_add(1),
        (b'=', _) => skip(bytes, separator, |byte| matches!(byte, b'=' | b'>')),
        _ => return None,
    };
    let colon = bytes.get(separator) == Some(&b':');
    let start = skip(bytes, at, is_blank);
    let blank_after = start > at;
    // `PASSWORD= make` assigns nothing.
    if blank_after && !blank_before && !colon {
        return None;
    }
    let header = is_secret_header(name_text);
    let extent = match opening {
        Some(quote) if !name_is_quoted => Extent::Quote(quote),
        _ if colon && blank_after && begins_line(bytes, name.start) => Extent::Line,
        _ => Extent::Word,
    };
    let value = value(bytes, start, extent);
    // `Authorization: Bearer x` are two words.
    if header && extent == Extent::Word && is_scheme(bytes.get(value.clone())?) {
        let second = skip(bytes, value.end, is_blank);
        let end = self::value(bytes, second, Extent::Word).end;
        return Some(value.start..end.max(value.end));
    }
    Some(value)
}

/// The value that follows an option as a word of its own: `--password value`.
pub(super) fn following(bytes: &[u8], option_end: usize) -> Option<Range<usize>> {
    let start = skip(bytes, option_end, is_blank);
    (start > option_end && bytes.get(start) != Some(&b'-')).then(|| value(bytes, start, Extent::Word))
}

/// The rest of the word at this place.
pub(super) fn word(bytes: &[u8], start: usize) -> Range<usize> {
    value(bytes, start, Extent::Word)
}

/// The user and the password in the `user:password` that follows an option; not the numbers of a user and a group.
pub(super) fn following_password(bytes: &[u8], option_end: usize) -> Option<(Range<usize>, Range<usize>)> {
    let pair = following(bytes, option_end)?;
    let colon = bytes.get(pair.clone())?.iter().position(|byte| *byte == b':')?;
    let (user, password) = bytes.get(pair.clone())?.split_at_checked(colon)?;
    let numbers = user.iter().chain(password.iter().skip(1)).all(u8::is_ascii_digit);
    let plain = user.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-+@%".contains(byte));
    let colon = pair.start.saturating_add(colon);
    (plain && !numbers).then(|| (pair.start..colon, colon.saturating_add(1)..pair.end))
}

/// Whether what stands here only refers to a secret, or was taken out already.
pub(super) fn is_reference(text: &str) -> bool {
    let text = match text.split_once(' ') {
        Some((scheme, rest)) if is_scheme(scheme.as_bytes()) => rest,
        _ => text,
    };
    if text == MARKER {
        return true;
    }
    let Some(name) = text.strip_prefix('$') else {
        return false;
    };
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|character: char| character.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn value(bytes: &[u8], start: usize, extent: Extent) -> Range<usize> {
    let escapes = skip(bytes, start, |byte| byte == b'\\');
    if let Some(quote) = bytes.get(escapes).copied().filter(|byte| is_quote(*byte))
        && extent != Extent::Quote(quote)
    {
        return quoted(bytes, escapes.saturating_add(1), quote, escapes.saturating_sub(start));
    }
    let mut at = start;
    while let Some(byte) = bytes.get(at).copied() {
        let ends = match byte {
            b'\n' | b'\r' => true,
            b'$' => bytes.get(at.saturating_add(1)) == Some(&b'('),
            b'`' => extent != Extent::Quote(b'\''),
            b'"' | b'\'' => extent == Extent::Word || extent == Extent::Quote(byte),
            b'|' | b'&' | b'<' | b'>' | b'(' | b')' => matches!(extent, Extent::Word | Extent::Line),
            b';' => extent == Extent::Word || (extent == Extent::Line && !continues(bytes, at)),
            byte => extent == Extent::Word && byte.is_ascii_whitespace(),
        };
        if ends {
            break;
        }
        // A backslash takes the byte after it along; the rest of a longer character follows by itself.
        at = at.saturating_add(if byte == b'\\' && extent != Extent::Quote(b'\'') { 2 } else { 1 });
    }
    let mut end = character_end(bytes, at);
    while let Some(last) = end.checked_sub(1).filter(|last| *last >= start)
        && bytes.get(last).is_some_and(|byte| is_blank(*byte) || *byte == b',')
    {
        end = last;
    }
    start..end
}

/// The inside of quotes whose opening one has this many backslashes before it.
fn quoted(bytes: &[u8], start: usize, quote: u8, escapes: usize) -> Range<usize> {
    let mut backslashes = 0_usize;
    let mut at = start;
    let mut before = 0_u8;
    while let Some(byte) = bytes.get(at).copied() {
        let closes = byte == quote && (backslashes <= escapes || quote == b'\'');
        let substitutes = quote == b'"' && (byte == b'`' || (byte == b'(' && before == b'$'));
        if closes || substitutes {
            let back = match (closes, byte) {
                (true, _) if quote == b'"' => backslashes.min(escapes),
                (false, b'(') => 1,
                _ => 0,
            };
            return start..at.saturating_sub(back).max(start);
        }
        backslashes = if byte == b'\\' { backslashes.saturating_add(1) } else { 0 };
        before = byte;
        at = at.saturating_add(1);
    }
    start..bytes.len()
}

/// Whether a semicolon parts two `name=value` pairs of a header rather than two commands.
fn continues(bytes: &[u8], semicolon: usize) -> bool {
    let start = skip(bytes, semicolon.saturating_add(1), is_blank);
    let end = skip(bytes, start, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    end > start && bytes.get(end) == Some(&b'=')
}

fn begins_line(bytes: &[u8], name_start: usize) -> bool {
    // Sixteen bytes of indentation are looked at, so that a line of names stays cheap.
    let indentation = bytes.get(name_start.saturating_sub(16)..name_start).unwrap_or_default();
    match indentation.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'-' | b'<' | b'>')) {
        Some(byte) => *byte == b'\n',
        None => name_start <= 16,
    }
}

fn is_scheme(word: &[u8]) -> bool {
    ["basic", "bearer", "digest", "token", "negotiate", "ntlm", "apikey", "aws4-hmac-sha256"]
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme.as_bytes()))
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The first place from `at` on whose byte is not wanted.
pub(super) fn skip(bytes: &[u8], at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let run = bytes.get(at..).unwrap_or_default().iter().take_while(|byte| wanted(**byte)).count();
    at.saturating_add(run)
}

/// The next place that is not inside a character.
fn character_end(bytes: &[u8], at: usize) -> usize {
    skip(bytes, at.min(bytes.len()), |byte| (0x80..0xc0).contains(&byte))
}
