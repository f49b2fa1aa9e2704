//! Words of closed vocabularies as people write them in cases.
//!
//! Promises that the letters' case, and whether words are joined by blanks, `-` or `_`, makes no difference, and that a
//! word outside the vocabulary is an error. Knows nothing of what the words mean.

use crate::config::{Report, kind, quoted, quoted_list};
use crate::rules::grammar::suggest::nearest;
use serde_json::Value;

/// A word in the one form in which words are compared: `Run anyway` is `run_anyway`.
pub(super) fn plain(word: &str) -> String {
    let joined: Vec<&str> = word.split([' ', '-', '_', '\t']).filter(|part| !part.is_empty()).collect();
    joined.join("_").to_lowercase()
}

/// The member of a vocabulary that a word names, whatever the letters' case.
pub(super) fn member<T: Copy>(word: &str, all: &[T], name: impl Fn(T) -> &'static str) -> Option<T> {
    let word = plain(word);
    all.iter().copied().find(|member| plain(name(*member)) == word)
}

/// Reports a word that is not in a vocabulary, or a value that is no word at all.
pub(super) fn refuse(value: &Value, path: &str, vocabulary: &[&str], report: &mut Report) {
    let written = match value {
        Value::String(_) => quoted(value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            kind(value).to_owned()
        }
    };
    let near = value.as_str().and_then(|word| nearest(word, vocabulary));
    let advice = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
    report.error(path, format!("must be one of {}, not {written}{advice}", quoted_list(vocabulary)));
}
