//! One request and its answer over HTTP.
//!
//! Promises that no answer is read beyond its bound, that no redirect is followed, and that dropping an exchange drops the
//! connection under it. Nothing of a key or of a body is logged. It must not know what is asked.

use super::provider::Outgoing;
use crate::config::ModelProfile;
use crate::outgoing::{client, retry_after, why};
use crate::trace::{self, SPANS};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use serde_json::Value;
use std::time::Duration;
use tracing::Instrument;

/// The most of an answer that is read, in bytes.
pub(super) const MAX_ANSWER: usize = 256 * 1024;
/// The most of a refusal that is looked at for its code, in bytes.
const MAX_REFUSAL: usize = 16 * 1024;
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// The connection did not come about or broke.
    #[error("the connection failed: {why}")]
    Broken {
        /// What the layers below say, without the address.
        why: String,
    },
    /// The server asks for patience, or has a fault of its own.
    #[error("the server answered {status}")]
    Busy {
        /// The status.
        status: u16,
        /// How long it asks to be left alone.
        retry_after: Option<Duration>,
    },
    /// The server will not serve this: a wrong key, a wrong model, a redirect.
    #[error("the server refused with {status} ({code})")]
    Refused {
        /// The status.
        status: u16,
        /// What the server calls it.
        code: String,
    },
    /// The answer is longer than any verdict.
    #[error("the answer is too long")]
    TooLong,
}

impl Fault {
    /// Whether asking again may help.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Broken { .. } | Self::Busy { .. } => true,
            Self::Refused { .. } | Self::TooLong => false,
        }
    }

    /// Whether the server, and not this one question, is at fault: a filter that rejects one command says nothing of the next.
    pub(super) fn is_of_the_server(&self) -> bool {
        match self {
            Self::Broken { .. } | Self::Busy { .. } => true,
            Self::Refused { status, .. } => !matches!(status, 400 | 413 | 422),
            Self::TooLong => false,
        }
    }

    /// How long the server asks to be left alone.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after, .. } => *retry_after,
            Self::Broken { .. } | Self::Refused { .. } | Self::TooLong => None,
        }
    }
}

/// A way to one server.
#[derive(Debug)]
pub(super) struct Wire {
    client: Client,
    base: String,
}

impl Wire {
    /// A way to the server of a profile.
    ///
    /// # Errors
    /// TLS cannot be set up on this machine.
    pub(super) fn new(profile: &ModelProfile) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: client(profile.is_here())?,
            base: profile.base_url.as_str().trim_end_matches('/').to_owned(),
        })
    }

    /// Asks once.
    ///
    /// # Errors
    /// Whatever is not an answer.
    pub(super) async fn exchange(&self, outgoing: &Outgoing) -> Result<Vec<u8>, Fault> {
        let span = tracing::info_span!(target: SPANS, "ask model", otel.kind = "client");
        self.ask(outgoing).instrument(span).await
    }

    async fn ask(&self, outgoing: &Outgoing) -> Result<Vec<u8>, Fault> {
        let mut trace = HeaderMap::new();
        if let Some(context) = trace::current() {
            context.write(&mut trace);
        }
        let mut request = self
            .client
            .post(format!("{}{}", self.base, outgoing.path))
            .header(CONTENT_TYPE, JSON)
            .header(ACCEPT, JSON)
            .headers(trace)
            .body(outgoing.body.to_string());
        for (name, value) in &outgoing.headers {
            request = request.header(name, value);
        }
        let response = request.send().await.map_err(broken)?;
        let status = response.status();
        if status == StatusCode::OK {
            return read(response, MAX_ANSWER).await;
        }
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            let asked_for = response.headers().get(RETRY_AFTER);
            let retry_after = asked_for.and_then(|value| retry_after(value, jiff::Timestamp::now()));
            return Err(Fault::Busy { status: status.as_u16(), retry_after });
        }
        let code = match read(response, MAX_REFUSAL).await {
            Ok(body) => code(&body),
            Err(_) => None,
        };
        Err(Fault::Refused { status: status.as_u16(), code: code.unwrap_or_else(|| "no code".to_owned()) })
    }
}

async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, Fault> {
    let room = u64::try_from(most).unwrap_or(u64::MAX);
    if response.content_length().is_some_and(|length| length > room) {
        return Err(Fault::TooLong);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len().saturating_add(chunk.len()) > most {
            return Err(Fault::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn broken(error: reqwest::Error) -> Fault {
    Fault::Broken { why: why(error) }
}

/// What a server calls its refusal, where that is a plain word: sentences may repeat the key.
fn code(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let error = value.get("error")?;
    let plain = |text: &&str| {
        (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'-')
    };
    let found = ["code", "type"].iter().find_map(|key| error.get(*key)?.as_str().filter(plain))?;
    Some(found.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_word_of_a_refusal_is_shown() {
        for (body, expected) in [
            (
                r#"{"error":{"message":"Incorrect key sk-live-123","type":"x","code":"invalid_api_key"}}"#,
                Some("invalid_api_key"),
            ),
            (
                r#"{"type":"error","error":{"type":"authentication_error","message":"no"}}"#,
                Some("authentication_error"),
            ),
            (r#"{"error":{"code":"sk-LIVE-123","type":"not plain"}}"#, None),
            (r#"{"error":"model 'x' not found"}"#, None),
            ("<html>", None),
        ] {
            assert_eq!(code(body.as_bytes()).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn a_client_for_the_network_can_be_set_up() {
        let address = url::Url::parse("https://api.example/v1").unwrap();
        let profile = ModelProfile::new(crate::config::ModelProvider::OpenAi, "m", address);
        assert!(Wire::new(&profile).is_ok());
    }
}
