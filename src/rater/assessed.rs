//! What comes back beside a verdict: which model was asked, with which words, and what it answered.
//!
//! Promises the exact text that was sent, captured and never rendered again. Nothing here is redacted: whoever writes it
//! down redacts it first.

use crate::gate::{FailureCause, RatingResult, Verdict};
use serde::{Deserialize, Serialize};

/// For whom a rating is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct RatingScope {
    /// The project. Nothing is shared between projects.
    pub project: String,
    /// The session; empty for a rating outside of sessions, which is never used again.
    pub session: String,
    /// Whether the question may join an identical one that is under way.
    pub share: bool,
    /// Whether an earlier rating of the session may be used again.
    pub reuse: bool,
}

/// A rating with how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessed {
    /// The verdict, or why there is none.
    pub result: RatingResult,
    /// The provider and the model that was asked, now or for the rating that is used again; absent where none was.
    pub model: Option<String>,
    /// How a model was asked; absent where none was, and for a rating that is used again.
    pub record: Option<Box<RatingRecord>>,
    /// Whether the rating was taken over from an identical question, earlier or under way.
    pub reused: bool,
}

impl From<RatingResult> for Assessed {
    fn from(result: RatingResult) -> Self {
        Self { result, model: None, record: None, reused: false }
    }
}

/// How a model was asked and what it answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingRecord {
    /// The profile, as the policy names it.
    pub profile: String,
    /// The provider and the model, such as `openai/gpt-5-mini`. Never holds a key or an address.
    pub model: String,
    /// The time limit, in milliseconds.
    pub timeout_ms: u32,
    /// From the question to the answer or to giving up, waiting for a turn included, in microseconds.
    pub duration_us: u64,
    /// How many times the model was asked; more than one after faults.
    pub attempts: u32,
    /// The system message, exactly as sent.
    pub system: String,
    /// The user message, exactly as sent.
    pub user: String,
    /// The model's answer before it was checked, at most 64 KiB; absent where none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_answer: Option<String>,
    /// What the model found, before any floor; absent where its answer was no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why there is no verdict of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<FailureCause>,
    /// The round of the negotiation, from 1.
    pub round: u32,
    /// Whether a rejection would have gone back to the agent.
    pub negotiable: bool,
    /// What the model was told of what was said before, and why.
    pub context_note: String,
    /// Tokens of the prompts of all attempts, as the provider counted them.
    pub prompt_tokens: u64,
    /// Tokens of the answers.
    pub completion_tokens: u64,
}
