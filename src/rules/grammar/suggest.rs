//! The word that was probably meant.
//!
//! Promises a suggestion only when it is close. Knows nothing of what the words are for.

/// Words longer than this get no suggestion: no vocabulary here has any.
const MAX_LENGTH: usize = 40;

/// The nearest of the words, when no more than about a third of the letters differ.
#[must_use]
pub fn nearest<'a>(written: &str, words: &[&'a str]) -> Option<&'a str> {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let written = plain(written);
    if written.is_empty() || written.len() > MAX_LENGTH {
        return None;
    }
    words
        .iter()
        .map(|word| (distance(&written, &plain(word)), *word))
        .filter(|(distance, word)| *distance <= (word.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many letters must be put in, taken out or changed.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (place, from) in left.iter().enumerate() {
        let mut diagonal = place;
        let mut before = place.saturating_add(1);
        for (to, cell) in right.iter().zip(row.iter_mut().skip(1)) {
            let above = *cell;
            let changed = diagonal.saturating_add(usize::from(from != to));
            *cell = changed.min(above.saturating_add(1)).min(before.saturating_add(1));
            diagonal = above;
            before = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = place.saturating_add(1);
        }
    }
    row.last().copied().unwrap_or(left.len())
}

/// `; did you mean …?` when there is a near word, else nothing.
pub(super) fn did_you_mean(written: &str, words: &[&str]) -> String {
    nearest(written, words).map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_near_word_is_suggested() {
        let words = ["shell", "tool", "mcpTool"];
        for (written, suggestion) in [
            ("shel", Some("shell")),
            ("Shell", Some("shell")),
            ("mcp_tool", Some("mcpTool")),
            ("tools", Some("tool")),
            ("banana", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, &words), suggestion, "{written}");
        }
    }
}
