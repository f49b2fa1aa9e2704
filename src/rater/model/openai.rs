//! Chat completions as OpenAI and many others serve them, with structured output.
//!
//! Promises that a refusal, a tool call or a cut answer is never read as complete.

use super::prompt::Prompt;
use super::provider::{Outgoing, Reply, Tokens, bearer};
use super::schema;
use crate::config::ModelProfile;
use crate::outgoing::Secret;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) fn outgoing(profile: &ModelProfile, key: Option<&Secret>, prompt: &Prompt) -> Outgoing {
    let body = json!({
        "model": profile.model,
        "messages": [
            { "role": "system", "content": prompt.system },
            { "role": "user", "content": prompt.user },
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": { "name": schema::NAME, "strict": true, "schema": schema::verdict() },
        },
        "max_completion_tokens": profile.max_output_tokens,
    });
    Outgoing { path: "/chat/completions", headers: bearer(key), body }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

pub(super) fn read(body: &[u8]) -> Option<Reply> {
    let completion: Completion = serde_json::from_slice(body).ok()?;
    let tokens = Tokens::read(completion.usage.as_ref(), &["prompt_tokens"], &["completion_tokens"]);
    let choice = completion.choices.into_iter().next()?;
    let refused = choice.message.refusal.is_some_and(|refusal| !refusal.is_empty());
    let complete = choice.finish_reason.as_deref() == Some("stop") && !refused;
    Some(Reply { text: choice.message.content.unwrap_or_default(), complete, tokens })
}
