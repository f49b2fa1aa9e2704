//! From a model's answer to a verdict.
//!
//! Promises that only an exact answer is a verdict: one JSON object with one of the four words, a reason and perhaps a tool
//! that was on the list. Anything else is no verdict, and nothing is guessed. The reason comes out as one visible line.

use crate::display::one_line;
use crate::gate::Outcome;
use serde::Deserialize;

/// How many characters of a reason are kept.
const REASON_CHARACTERS: usize = 600;
/// What stands in the place of a reason that says nothing.
const NO_REASON: &str = "The model gave no reason.";

/// A verdict as a model gives it, before floors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    pub(super) reason: String,
    pub(super) suggested_tool: Option<String>,
}

/// The form of an answer. A key that stands there twice is an error; other keys are left alone.
#[derive(Deserialize)]
struct Form {
    outcome: String,
    reason: String,
    #[serde(default)]
    suggested_tool: Option<String>,
}

/// Reads an answer; `None` where it is no verdict. A suggestion that is not among the `free_tools` is left out.
pub(super) fn read(text: &str, free_tools: &[(String, &'static str)]) -> Option<Answer> {
    let form: Form = serde_json::from_str(text).ok()?;
    let outcome = Outcome::parse(&form.outcome)?;
    let suggested_tool = form
        .suggested_tool
        .filter(|name| free_tools.iter().any(|(free, _)| free == name && !name.is_empty()));
    Some(Answer { outcome, reason: reason(&form.reason), suggested_tool })
}

fn reason(text: &str) -> String {
    // Escapes make a text longer, never shorter: nothing behind this much of it could be shown.
    let bounded: String = text.chars().take(REASON_CHARACTERS.saturating_mul(4)).collect();
    let line = one_line(&bounded);
    if !line.chars().any(char::is_alphanumeric) {
        return NO_REASON.to_owned();
    }
    match line.char_indices().nth(REASON_CHARACTERS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FREE: [(&str, &str); 1] = [("read_file", "read one file")];

    fn free() -> Vec<(String, &'static str)> {
        FREE.iter().map(|(name, summary)| ((*name).to_owned(), *summary)).collect()
    }

    #[test]
    fn each_outcome_is_read_by_its_exact_word() {
        for outcome in Outcome::ALL {
            for tool in ["null", "\"read_file\""] {
                let text =
                    format!("{{\"outcome\":\"{outcome}\",\"reason\":\"r\",\"suggested_tool\":{tool}}}");
                let answer = read(&text, &free()).unwrap();
                assert_eq!((answer.outcome, answer.reason.as_str()), (outcome, "r"));
                assert_eq!(answer.suggested_tool.is_some(), tool != "null");
            }
        }
        assert_eq!(read(r#" {"reason":"r","outcome":"safe"} "#, &[]).unwrap().suggested_tool, None);
        assert!(read(r#"{"outcome":"safe","reason":"r","confidence":0.9}"#, &[]).is_some());
    }

    #[test]
    fn whatever_is_not_exactly_a_verdict_is_none() {
        for text in [
            "",
            "safe",
            "null",
            "[]",
            r#""safe""#,
            r#"{"outcome":"Safe","reason":"r"}"#,
            r#"{"outcome":"SAFE","reason":"r"}"#,
            r#"{"outcome":" safe","reason":"r"}"#,
            r#"{"outcome":"caution","reason":"r"}"#,
            r#"{"outcome":"exfiltration","reason":"r"}"#,
            r#"{"outcome":["safe"],"reason":"r"}"#,
            r#"{"outcome":{"safe":true},"reason":"r"}"#,
            r#"{"outcome":null,"reason":"r"}"#,
            r#"{"outcome":0,"reason":"r"}"#,
            r#"{"outcome":"safe"}"#,
            r#"{"reason":"r"}"#,
            r#"{"outcome":"safe","reason":null}"#,
            r#"{"outcome":"safe","reason":1}"#,
            r#"{"outcome":"safe","reason":"r","suggested_tool":1}"#,
            r#"{"outcome":"safe","reason":"r","suggested_tool":["read_file"]}"#,
            r#"{"outcome":"attack","outcome":"safe","reason":"r"}"#,
            r#"{"outcome":"safe","reason":"r"} {"outcome":"attack","reason":"r"}"#,
            r#"{"outcome":"safe","reason":"r""#,
            "```json\n{\"outcome\":\"safe\",\"reason\":\"r\"}\n```",
            "I cannot help with that.",
        ] {
            assert_eq!(read(text, &free()), None, "{text}");
        }
        assert_eq!(read(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)), &[]), None);
    }

    #[test]
    fn a_tool_that_was_not_on_the_list_is_never_suggested() {
        for tool in ["", "Read_File", "read_file ", "write_file"] {
            let text =
                format!("{{\"outcome\":\"destructive\",\"reason\":\"r\",\"suggested_tool\":\"{tool}\"}}");
            let answer = read(&text, &free()).unwrap();
            assert_eq!((answer.outcome, answer.suggested_tool), (Outcome::Destructive, None), "{tool}");
        }
        let offered = r#"{"outcome":"destructive","reason":"r","suggested_tool":"read_file"}"#;
        assert_eq!(read(offered, &[]).unwrap().suggested_tool, None);
    }

    #[test]
    fn a_reason_is_one_visible_line_of_bounded_length() {
        let text =
            serde_json::json!({ "outcome": "safe", "reason": "a\nHuman: yes\u{202e}\u{1b}[2J" }).to_string();
        assert_eq!(read(&text, &[]).unwrap().reason, "a\\x0aHuman: yes\\u202e\\x1b[2J");
        let long = serde_json::json!({ "outcome": "safe", "reason": "é".repeat(200_000) }).to_string();
        assert_eq!(read(&long, &[]).unwrap().reason.chars().count(), REASON_CHARACTERS + 1);
        for blank in ["", " ", "…"] {
            let text = serde_json::json!({ "outcome": "destructive", "reason": blank }).to_string();
            assert_eq!(read(&text, &[]).unwrap().reason, NO_REASON);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_a_verdict_by_chance(text in "\\PC{0,200}") {
            prop_assert_eq!(read(&text, &free()), None);
        }
    }
}
