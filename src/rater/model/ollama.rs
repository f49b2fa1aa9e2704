//! Ollama's chat, with the answer's schema as its format.
//!
//! Promises that a prompt which does not fit into the model's context is not silently cut where Ollama knows how to refuse.

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
        "format": schema::verdict(),
        "stream": false,
        // Its own default would drop the beginning of a longer prompt: the rules.
        "truncate": false,
        "options": {
            "temperature": 0,
            "num_predict": profile.max_output_tokens,
            "num_ctx": profile.context_tokens,
        },
    });
    Outgoing { path: "/api/chat", headers: bearer(key), body }
}

#[derive(Deserialize)]
struct Chat {
    message: Message,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(flatten)]
    rest: Value,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

pub(super) fn read(body: &[u8]) -> Option<Reply> {
    let chat: Chat = serde_json::from_slice(body).ok()?;
    // Versions before there were reasons say only that they are done.
    let ended = chat.done_reason.as_deref().is_none_or(|reason| reason == "stop");
    Some(Reply {
        text: chat.message.content,
        complete: chat.done && ended,
        tokens: Tokens::read(Some(&chat.rest), &["prompt_eval_count"], &["eval_count"]),
    })
}
