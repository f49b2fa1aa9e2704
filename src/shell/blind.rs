//! The blind split of a text that cannot be read: everything that could be a command, without regard to quotes.
//!
//! Promises to over-report; for the restrictive side only. Knows no grammar beyond separators and a few words.

use super::word::base_name;
use super::wrappers;

/// The most pieces of one text.
pub(crate) const MAX_PIECES: usize = 4096;
/// How many words in front of a piece may be taken off.
const MAX_PEELED: usize = 16;

/// The pieces of a text, cut at every separator, with leading reserved words off; false when there are more than are listed.
pub(crate) fn pieces(text: &str) -> (Vec<String>, bool) {
    let joined = text.replace("\\\n", "");
    let mut found: Vec<String> = Vec::new();
    for piece in joined.split([';', '&', '|', '\n', '\r', '(', ')', '`', '{', '}']) {
        let piece = strip_reserved(piece.trim());
        if piece.is_empty() {
            continue;
        }
        if found.len() >= MAX_PIECES {
            return (found, false);
        }
        found.push(piece.to_owned());
    }
    (found, true)
}

/// The texts that a piece may stand for: as it is, without quotes, and without what may stand in front of a command.
pub(crate) fn readings(piece: &str) -> Vec<String> {
    let mut texts = vec![piece.to_owned()];
    let plain: String = piece.chars().filter(|character| !matches!(character, '\'' | '"' | '\\')).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    texts.push(words.join(" "));
    for at in 0..words.len().min(MAX_PEELED) {
        let Some((first, rest)) = words.get(at..).and_then(<[&str]>::split_first) else { break };
        if first.contains('/') {
            let mut short = vec![base_name(first)];
            short.extend(rest);
            texts.push(short.join(" "));
        }
        let assigned = first.contains('=');
        let option = first.starts_with(['-', '+']) || first.bytes().all(|byte| byte.is_ascii_digit());
        let wrapper = !wrappers::named(base_name(first)).is_empty();
        let redirected = first.contains(['<', '>']);
        if !(assigned || option || wrapper || redirected || first.starts_with('$')) {
            break;
        }
        texts.push(rest.join(" "));
    }
    texts
}

fn strip_reserved(mut piece: &str) -> &str {
    const RESERVED: [&str; 15] = [
        "if", "then", "else", "elif", "do", "done", "fi", "while", "until", "!", "time", "esac", "in",
        "coproc", "$",
    ];
    while let Some((first, rest)) = piece.split_once([' ', '\t']) {
        if !RESERVED.contains(&first) {
            break;
        }
        piece = rest.trim_start();
    }
    piece
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_cannot_be_read_is_cut_at_every_separator() {
        let (found, whole) = pieces("if true; then git pu\\\nsh --force; fi && echo \"$(npm publish");
        assert!(whole);
        assert!(found.iter().any(|piece| piece == "git push --force"), "{found:?}");
        assert!(found.iter().any(|piece| piece == "npm publish"), "{found:?}");
    }

    #[test]
    fn quotes_assignments_options_wrappers_and_paths_are_taken_off() {
        let texts = readings("A=1 sudo -n /usr/bin/git \"push\"");
        assert!(texts.iter().any(|text| text == "git push"), "{texts:?}");
    }
}
