//! What differs between providers: where a question goes, how it is written and how an answer is read.
//!
//! Promises one way to ask them all. It must not know connections, time or what an answer means.

use super::prompt::Prompt;
use super::{anthropic, ollama, openai};
use crate::config::{ModelProfile, ModelProvider};
use crate::outgoing::Secret;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

/// A question as a provider wants it.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// What follows the base address.
    pub(super) path: &'static str,
    /// Headers beside the usual ones, the key among them.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// The body.
    pub(super) body: Value,
}

/// What a provider answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// The text that should be a verdict.
    pub(super) text: String,
    /// Whether the model came to its end by itself: it was neither cut off nor did it refuse.
    pub(super) complete: bool,
    /// What it cost.
    pub(super) tokens: Tokens,
}

/// Tokens as a provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    /// Of the question.
    pub(super) prompt: u64,
    /// Of the answer.
    pub(super) completion: u64,
}

impl Tokens {
    /// The numbers under these keys, where there are any: what a provider counts must not cost a verdict.
    pub(super) fn read(usage: Option<&Value>, prompt: &[&str], completion: &[&str]) -> Self {
        let number = |key: &&str| usage.and_then(|usage| usage.get(*key)).and_then(Value::as_u64);
        let sum = |keys: &[&str]| keys.iter().filter_map(number).fold(0, u64::saturating_add);
        Self { prompt: sum(prompt), completion: sum(completion) }
    }
}

/// Writes a question.
pub(super) fn outgoing(profile: &ModelProfile, key: Option<&Secret>, prompt: &Prompt) -> Outgoing {
    match profile.provider {
        ModelProvider::OpenAi => openai::outgoing(profile, key, prompt),
        ModelProvider::Anthropic => anthropic::outgoing(profile, key, prompt),
        ModelProvider::Ollama => ollama::outgoing(profile, key, prompt),
    }
}

/// Reads the body of an answer; `None` where it does not have the provider's form.
pub(super) fn read(provider: ModelProvider, body: &[u8]) -> Option<Reply> {
    match provider {
        ModelProvider::OpenAi => openai::read(body),
        ModelProvider::Anthropic => anthropic::read(body),
        ModelProvider::Ollama => ollama::read(body),
    }
}

/// The header that most providers take a key in.
pub(super) fn bearer(key: Option<&Secret>) -> Vec<(HeaderName, HeaderValue)> {
    let value = key.and_then(|key| key.header("Bearer "));
    value.map(|value| (reqwest::header::AUTHORIZATION, value)).into_iter().collect()
}
