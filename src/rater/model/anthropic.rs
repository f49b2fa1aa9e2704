//! Anthropic's Messages, with a tool call that the model is made to make.
//!
//! Promises that only the input of that one call is read as an answer, and text beside it never.

use super::prompt::Prompt;
use super::provider::{Outgoing, Reply, Tokens};
use super::schema;
use crate::config::ModelProfile;
use crate::outgoing::Secret;
use reqwest::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::{Value, json};

/// The version of the interface that is spoken.
const VERSION: &str = "2023-06-01";

pub(super) fn outgoing(profile: &ModelProfile, key: Option<&Secret>, prompt: &Prompt) -> Outgoing {
    let body = json!({
        "model": profile.model,
        "max_tokens": profile.max_output_tokens,
        "system": prompt.system,
        "messages": [{ "role": "user", "content": prompt.user }],
        "tools": [{
            "name": schema::NAME,
            "description": schema::PURPOSE,
            "input_schema": schema::verdict(),
        }],
        "tool_choice": { "type": "tool", "name": schema::NAME, "disable_parallel_tool_use": true },
    });
    let version = (HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION));
    let key = key.and_then(|key| key.header("")).map(|value| (HeaderName::from_static("x-api-key"), value));
    Outgoing { path: "/v1/messages", headers: std::iter::once(version).chain(key).collect(), body }
}

#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    input: Option<Value>,
}

/// What was read from a cache was sent all the same.
const PROMPT_TOKENS: [&str; 3] = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

pub(super) fn read(body: &[u8]) -> Option<Reply> {
    let message: Message = serde_json::from_slice(body).ok()?;
    let tokens = Tokens::read(message.usage.as_ref(), &PROMPT_TOKENS, &["output_tokens"]);
    let mut calls = message.content.into_iter().filter(|block| block.kind == "tool_use");
    let (first, another) = (calls.next(), calls.next());
    let ours = first.filter(|block| block.name.as_deref() == Some(schema::NAME));
    let complete = message.stop_reason.as_deref() == Some("tool_use") && ours.is_some() && another.is_none();
    let text = ours.and_then(|block| block.input).map_or_else(String::new, |input| input.to_string());
    Some(Reply { text, complete, tokens })
}
