//! Labelled commands: one JSON object per line, `{"command", "outcome" or "outcomes", "cwd"?}`; other fields are notes.
//!
//! Promises every wrong line by file, line and field before anything is rated. Knows nothing of raters.

use crate::cli::failure::Failure;
use crate::gate::Outcome;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Wrong lines that are listed; the rest is counted.
const LISTED: usize = 20;

/// One labelled command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Labelled {
    /// The command.
    pub(super) command: String,
    /// The outcomes that are right; never empty.
    pub(super) outcomes: BTreeSet<Outcome>,
    /// The folder that it runs in.
    pub(super) cwd: Option<String>,
}

impl Labelled {
    /// The outcomes that are right, mildest first, as one word.
    pub(super) fn label(&self) -> String {
        self.outcomes.iter().map(|outcome| outcome.as_str()).collect::<Vec<_>>().join("|")
    }

    /// Whether a rating says what the label says.
    pub(super) fn accepts(&self, outcome: Outcome) -> bool {
        self.outcomes.contains(&outcome)
    }

    /// Whether one of the outcomes that end in harm is right, and `safe` is not.
    pub(super) fn is_grave(&self) -> bool {
        !self.accepts(Outcome::Safe) && (self.accepts(Outcome::Attack) || self.accepts(Outcome::Catastrophic))
    }
}

/// Reads the files.
///
/// # Errors
/// A file that cannot be read, lines that are wrong, or no line at all.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Labelled>, Failure> {
    let mut labelled = Vec::new();
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", file.display())))?;
        read_lines(file, &text, &mut labelled, &mut wrong);
    }
    if !wrong.is_empty() {
        let hidden = wrong.len().saturating_sub(LISTED);
        wrong.truncate(LISTED);
        if hidden > 0 {
            wrong.push(format!("and {hidden} further lines"));
        }
        return Err(Failure::new("these lines are no labelled commands").with_details(wrong).advise(
            r#"write one JSON object per line, as in {"command": "git status", "outcome": "safe"}"#,
        ));
    }
    if labelled.is_empty() {
        return Err(Failure::new("there is no labelled command in these files"));
    }
    Ok(labelled)
}

fn read_lines(file: &Path, text: &str, labelled: &mut Vec<Labelled>, wrong: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match read_line(line) {
            Ok(read) => labelled.push(read),
            Err(why) => wrong.push(format!("{}:{}: {why}", file.display(), number + 1)),
        }
    }
}

fn read_line(line: &str) -> Result<Labelled, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("is no JSON: {error}"))?;
    let Value::Object(fields) = value else { return Err("is no JSON object".to_owned()) };
    let command = text(&fields, "command")?.ok_or("needs a `command`")?;
    Ok(Labelled { command, outcomes: outcomes(&fields)?, cwd: text(&fields, "cwd")? })
}

fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Err(format!("`{name}` must be a text"))
        }
    }
}

fn outcomes(fields: &Map<String, Value>) -> Result<BTreeSet<Outcome>, String> {
    let known = || Outcome::ALL.map(Outcome::as_str).join(", ");
    let read = |value: &Value, name: &str| {
        let word = value.as_str().unwrap_or_default();
        Outcome::parse(word).ok_or_else(|| format!("`{name}` holds {value}; what exists is {}", known()))
    };
    match (fields.get("outcome"), fields.get("outcomes")) {
        (Some(one), None) => Ok(BTreeSet::from([read(one, "outcome")?])),
        (None, Some(Value::Array(several))) if !several.is_empty() => {
            several.iter().map(|value| read(value, "outcomes")).collect()
        }
        (None, Some(_)) => Err("`outcomes` must be a list of at least one outcome".to_owned()),
        (Some(_), Some(_)) => Err("has both `outcome` and `outcomes`; keep one".to_owned()),
        (None, None) => Err(format!("needs an `outcome`; what exists is {}", known())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_have_one_outcome_or_several() {
        let one = read_line(r#"{"command":"ls","outcome":"safe","source":"docs","cwd":"/w"}"#).unwrap();
        assert_eq!((one.label().as_str(), one.cwd.as_deref()), ("safe", Some("/w")));
        let several = read_line(r#"{"command":"x","outcomes":["catastrophic","destructive"]}"#).unwrap();
        assert_eq!(several.label(), "destructive|catastrophic");
        assert!(several.is_grave() && several.accepts(Outcome::Destructive));
    }

    #[test]
    fn a_wrong_line_says_which_field_is_wrong() {
        let cases = [
            ("", "is no JSON"),
            ("[]", "is no JSON object"),
            (r#"{"outcome":"safe"}"#, "`command`"),
            (r#"{"command":1,"outcome":"safe"}"#, "`command` must be a text"),
            (r#"{"command":"x"}"#, "needs an `outcome`"),
            (r#"{"command":"x","outcome":"Safe"}"#, "`outcome` holds \"Safe\""),
            (r#"{"command":"x","outcomes":[]}"#, "at least one"),
            (r#"{"command":"x","outcome":"safe","outcomes":["safe"]}"#, "both"),
        ];
        for (line, expected) in cases {
            let why = read_line(line).unwrap_err();
            assert!(why.contains(expected), "{line}: {why}");
        }
    }
}
