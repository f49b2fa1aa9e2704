//! Text that is aimed at whoever judges the command, and not at the shell, and words that are not what they look like.
//!
//! Promises to look only at what the shell does not run: comments, marks that no command needs, and letters that only look like
//! those of an option. Knows nothing of effects.

use super::findings::Findings;
use super::objects::shown;
use crate::gate::Outcome;
use crate::shell::Analysis;
use crate::shell::folding::{Separators, Sequences, fold, may_fold};
use crate::shell::tree::{Part, Word};

/// What a comment says that speaks to a judge, in small letters.
const CLAIMS: [&str; 20] = [
    "rate this",
    "rate it",
    "rated safe",
    "already approved",
    "has approved",
    "pre-approved",
    "preapproved",
    "user approved",
    "approved by the user",
    "ignore previous",
    "ignore all previous",
    "ignore the above",
    "disregard",
    "system:",
    "assistant:",
    "this command is safe",
    "this is safe",
    "is harmless",
    "mark as safe",
    "do not flag",
];
/// What text anywhere in a command says that can only be meant for a judge, in small letters.
const ADDRESSED: [&str; 11] = [
    "ignore all previous instructions",
    "ignore previous instructions",
    "ignore your instructions",
    "disregard all previous",
    "disregard previous instructions",
    "note to rater",
    "note to the rater",
    "note to reviewer",
    "outcome: safe",
    "outcome safe",
    "outcome\":\"safe",
];
/// The longest comment that is looked at, in characters.
const MAX_COMMENT: usize = 2_000;
/// How many comments are looked at.
const MAX_COMMENTS: usize = 64;

/// Adds what the text says to its judge.
pub(super) fn add(analysis: &Analysis, findings: &mut Findings) {
    let text = analysis.text();
    if text.contains("command_to_evaluate>") {
        findings.add(Outcome::Attack, || {
            "It holds a mark that is meant to mislead whoever judges it.".to_owned()
        });
        return;
    }
    let small = text.to_lowercase();
    if ADDRESSED.iter().any(|claim| small.contains(claim)) {
        findings.add(Outcome::Destructive, || {
            "It holds words that speak to whoever judges it, not to a program.".to_owned()
        });
    }
    if !text.contains('#') {
        return;
    }
    let spans: Vec<(usize, usize)> = analysis
        .segments()
        .iter()
        .filter_map(|segment| segment.span)
        .map(|span| (span.start, span.end))
        .collect();
    let starts = text.match_indices('#').filter(|(at, _)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        before.is_none_or(char::is_whitespace)
            && !spans.iter().any(|(start, end)| (*start..*end).contains(at))
    });
    for (at, _) in starts.take(MAX_COMMENTS) {
        let line = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let comment: String = line.chars().take(MAX_COMMENT).collect::<String>().to_lowercase();
        if CLAIMS.iter().any(|claim| comment.contains(claim)) {
            findings.add(Outcome::Attack, || {
                "A comment in it speaks to whoever judges it, and claims that it is approved or safe."
                    .to_owned()
            });
            return;
        }
    }
}

/// Adds words that look like options and are none: what follows them is no value.
pub(super) fn false_options(words: &[Word], findings: &mut Findings) {
    for word in words {
        let mut text = String::new();
        for part in &word.parts {
            match part {
                Part::Text { text: more, .. } => text.push_str(more),
                Part::Expansion(_) => break,
            }
        }
        if text.starts_with('-') || !may_fold(&text) {
            continue;
        }
        let looks_like = fold(&text, Sequences::Dropped, Separators::Blank);
        if looks_like.is_ok_and(|text| text.starts_with('-')) {
            findings
                .not_assessed(|| format!("The word {} looks like an option and is none.", shown(&word.raw)));
        }
    }
}
