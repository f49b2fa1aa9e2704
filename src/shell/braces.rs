//! Brace expansion: which characters of a word make one, and the words it gives.
//!
//! Promises what bash does with `{a,b}` and `{1..3}`, within stated bounds. Knows nothing of commands.

use super::tree::Word;
use super::word::{Piece, from_pieces, pieces};

/// More unquoted opening braces than this in one word are not looked into; the scan is quadratic in them.
pub(crate) const MAX_OPEN_BRACES: usize = 64;
/// The most words that one list of words may become.
pub(crate) const MAX_BRACE_WORDS: usize = 64;
/// The longest word that is expanded, in pieces.
const MAX_BRACE_PIECES: usize = 4_096;

/// A brace expansion: where it opens and closes, and its commas; none for a sequence `{x..y}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The index of `{`.
    pub(crate) open: usize,
    /// The index of `}`.
    pub(crate) close: usize,
    /// The indices of the commas that separate its members.
    pub(crate) commas: Vec<usize>,
}

/// The first brace expansion that opens at `from` or behind.
pub(crate) fn next_group(pieces: &[Piece], from: usize) -> Option<Group> {
    let mut open = from;
    loop {
        open = pieces.iter().skip(open).position(|piece| piece.bare() == Some('{'))? + open;
        let starts_word_with_pair = open == 0 && pieces.get(1).and_then(Piece::bare) == Some('}');
        if !starts_word_with_pair && let Some(group) = group_at(pieces, open) {
            return Some(group);
        }
        open += 1;
    }
}

fn group_at(pieces: &[Piece], open: usize) -> Option<Group> {
    let mut level = 0_usize;
    let mut commas = Vec::new();
    let mut dots = false;
    let mut inner_comma = false;
    let mut previous_dot = false;
    for (index, piece) in pieces.iter().enumerate().skip(open + 1) {
        let bare = piece.bare();
        match bare {
            Some('{') => level += 1,
            Some('}') if level > 0 => level -= 1,
            Some('}') if !commas.is_empty() || dots => {
                if commas.is_empty() && !inner_comma && !is_sequence(pieces.get(open + 1..index)?) {
                    return None;
                }
                return Some(Group { open, close: index, commas });
            }
            Some(',') if level == 0 => commas.push(index),
            Some(',') => inner_comma = true,
            Some('.') if level == 0 && previous_dot => dots = true,
            Some(_) | None => {}
        }
        previous_dot = bare == Some('.');
    }
    None
}

fn is_sequence(inner: &[Piece]) -> bool {
    sequence_ends(inner).is_some()
}

/// The two ends and the step of `x..y` or `x..y..step`, both numbers or both letters.
fn sequence_ends(inner: &[Piece]) -> Option<(String, String, i64)> {
    if inner.len() > 70 {
        return None;
    }
    let text: String = inner.iter().map(Piece::bare).collect::<Option<_>>()?;
    let mut fields = text.split("..");
    let (first, last) = (fields.next()?, fields.next()?);
    let step = match fields.next() {
        Some(step) => step.parse::<i64>().ok()?,
        None => 1,
    };
    if fields.next().is_some() {
        return None;
    }
    let letter = |end: &str| end.len() == 1 && end.bytes().all(|byte| byte.is_ascii_alphabetic());
    let number = |end: &str| end.parse::<i64>().is_ok();
    ((letter(first) && letter(last)) || (number(first) && number(last)))
        .then(|| (first.to_owned(), last.to_owned(), step))
}

/// Whether the word has more opening braces than are looked into.
pub(crate) fn too_many_braces(pieces: &[Piece]) -> bool {
    pieces.iter().filter(|piece| piece.bare() == Some('{')).count() > MAX_OPEN_BRACES
}

/// The words after brace expansion: `Ok(None)` when there is none to do, `Err` beyond the bounds.
pub(crate) fn expand(words: &[Word]) -> Result<Option<Vec<Word>>, TooManyWords> {
    if !words.iter().any(|word| word.raw.contains('{')) {
        return Ok(None);
    }
    let mut expanded = Vec::new();
    let mut changed = false;
    for word in words {
        if !word.raw.contains('{') {
            expanded.push(word.clone());
            continue;
        }
        let pieces = pieces(word);
        if too_many_braces(&pieces) || pieces.len() > MAX_BRACE_PIECES {
            return Err(TooManyWords);
        }
        if next_group(&pieces, 0).is_none() {
            expanded.push(word.clone());
            continue;
        }
        changed = true;
        let results = expand_pieces(&pieces, 0)?;
        // A member that is empty leaves no word behind, unless something quoted keeps it.
        expanded.extend(results.into_iter().filter(|result| !result.is_empty()).map(from_pieces));
        if expanded.len() > words.len() + MAX_BRACE_WORDS {
            return Err(TooManyWords);
        }
    }
    Ok(changed.then_some(expanded))
}

/// A brace expansion gives more words than are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManyWords;

fn expand_pieces(pieces: &[Piece], depth: u32) -> Result<Vec<Vec<Piece>>, TooManyWords> {
    if depth > 16 {
        return Err(TooManyWords);
    }
    let Some(group) = next_group(pieces, 0) else { return Ok(vec![pieces.to_vec()]) };
    let slice = |from: usize, to: usize| pieces.get(from..to).unwrap_or_default();
    let mut members: Vec<Vec<Piece>> = Vec::new();
    if group.commas.is_empty() {
        let inner = slice(group.open + 1, group.close);
        match sequence_ends(inner) {
            Some((first, last, step)) => members = sequence(&first, &last, step)?,
            None => members.extend(expand_pieces(inner, depth + 1)?),
        }
    } else {
        let mut start = group.open + 1;
        for end in group.commas.iter().copied().chain([group.close]) {
            members.extend(expand_pieces(slice(start, end), depth + 1)?);
            start = end + 1;
        }
    }
    let suffixes = expand_pieces(slice(group.close + 1, pieces.len()), depth + 1)?;
    if members.len().saturating_mul(suffixes.len()) > MAX_BRACE_WORDS {
        return Err(TooManyWords);
    }
    let prefix = slice(0, group.open);
    Ok(members
        .iter()
        .flat_map(|member| {
            suffixes.iter().map(move |suffix| prefix.iter().chain(member).chain(suffix).cloned().collect())
        })
        .collect())
}

fn sequence(first: &str, last: &str, step: i64) -> Result<Vec<Vec<Piece>>, TooManyWords> {
    let letters = first.parse::<i64>().is_err();
    let end = |text: &str| {
        if letters { text.bytes().next().map(i64::from) } else { text.parse().ok() }.ok_or(TooManyWords)
    };
    let (from, to) = (end(first)?, end(last)?);
    let stride = i64::try_from(step.unsigned_abs().max(1)).map_err(|_| TooManyWords)?;
    let count = from.abs_diff(to) / stride.unsigned_abs() + 1;
    if count > MAX_BRACE_WORDS as u64 {
        return Err(TooManyWords);
    }
    let width = [first, last]
        .iter()
        .filter(|text| {
            text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1
        })
        .map(|_| first.len().max(last.len()))
        .max()
        .unwrap_or(0);
    let mut members = Vec::new();
    let mut value = from;
    for _ in 0..count {
        let text = if letters {
            u8::try_from(value).map_or_else(|_| String::new(), |byte| char::from(byte).to_string())
        } else {
            format!("{value:0width$}")
        };
        members.push(text.chars().map(|character| Piece::Character { character, quoted: false }).collect());
        value = if from <= to { value.saturating_add(stride) } else { value.saturating_sub(stride) };
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::tree::Part;

    fn word(text: &str) -> Word {
        Word {
            parts: vec![Part::Text { text: text.to_owned(), quoted: false }],
            raw: text.to_owned(),
            span: None,
        }
    }

    #[test]
    fn braces_expand_as_bash_expands_them() {
        for (text, expected) in [
            ("{git,push,--force}", Some("git push --force")),
            ("--{force,no-verify}", Some("--force --no-verify")),
            ("{1..3}", Some("1 2 3")),
            ("{03..1}", Some("03 02 01")),
            ("{a..c..2}", Some("a c")),
            ("a{},b}", Some("a} ab")),
            ("HEAD@{1},x}", Some("HEAD@1} HEAD@x")),
            ("{{a,b}", Some("{a {b")),
            ("{a..{b,c}}", Some("a..b a..c")),
            ("x{,}", Some("x x")),
            ("{a,{b,c}d}", Some("a bd cd")),
            ("{},a}", None),
            ("{1..a}", None),
            ("{x,y", None),
            ("HEAD@{1}", None),
            ("HEAD@{1}..HEAD@{2}", None),
        ] {
            let words = expand(&[word(text)]).unwrap();
            let joined =
                words.map(|words| words.iter().map(|word| word.raw.clone()).collect::<Vec<_>>().join(" "));
            assert_eq!(joined.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn an_expansion_beyond_the_bound_is_refused_and_not_cut_short() {
        assert_eq!(expand(&[word("{1..100000000}")]), Err(TooManyWords));
        assert_eq!(expand(&[word(&"{a,b}".repeat(40))]), Err(TooManyWords));
        assert_eq!(expand(&[word(&"{".repeat(100_000))]), Err(TooManyWords));
    }
}
