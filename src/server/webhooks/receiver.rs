//! One receiver: its address, its secret, and one attempt to tell it something.
//!
//! Promises that an attempt ends within its time limit and reads nothing of what is answered but the status. Knows nothing of
//! when to try again.

use super::notification::Notification;
use super::signature::signature;
use crate::config::{HeaderValue as HeaderSource, NotificationSettings, Problem, WebhookSettings};
use crate::outgoing::{Secret, client, retry_after, why};
use crate::store::FeedRow;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, StatusCode};
use std::time::Duration;
use url::Url;

/// A secret that is shorter can be guessed.
const SHORTEST_SECRET: usize = 16;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT: HeaderName = HeaderName::from_static("haltgate-event");
const TIMESTAMP: HeaderName = HeaderName::from_static("haltgate-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("haltgate-signature");
const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// It took the notification.
    Taken,
    /// It wants no more of them, ever.
    Gone,
    /// It did not take it.
    Refused {
        /// What it answered, or why it did not.
        why: String,
        /// How long it asks to be left alone.
        retry_after: Option<Duration>,
    },
}

/// One receiver.
#[derive(Debug)]
pub(super) struct Receiver {
    pub(super) name: String,
    pub(super) settings: WebhookSettings,
    pub(super) console: Option<Url>,
    secret: Secret,
    headers: HeaderMap,
    client: Client,
}

impl PartialEq for Receiver {
    /// The same settings, and the same secrets behind them.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.settings == other.settings
            && self.console == other.console
            && self.secret == other.secret
            && self.headers == other.headers
    }
}

impl Receiver {
    /// Sets a receiver up.
    ///
    /// # Errors
    /// Everything that keeps it from being told anything on this machine.
    pub(super) fn set_up(
        name: &str,
        webhook: &WebhookSettings,
        settings: &NotificationSettings,
    ) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut found =
            |setting: &str, message: String| problems.push(settings.problem(name, setting, message));
        let secret = match Secret::resolve(&webhook.secret) {
            Ok(secret) if secret.bytes().len() >= SHORTEST_SECRET => Some(secret),
            Ok(_) => {
                let message = format!(
                    "the secret is shorter than {SHORTEST_SECRET} bytes and could be guessed; take one from \
                     `openssl rand -hex 32`"
                );
                found(&webhook.secret.setting("secret"), message);
                None
            }
            Err(error) => {
                found(&webhook.secret.setting("secret"), error.to_string());
                None
            }
        };
        let mut headers = HeaderMap::new();
        for header in &webhook.headers {
            let value = match &header.value {
                HeaderSource::Plain(text) => HeaderValue::from_str(text).map_err(|error| error.to_string()),
                HeaderSource::Secret { key, scheme } => Secret::resolve(key)
                    .map_err(|error| error.to_string())
                    .and_then(|key| key.header(scheme).ok_or_else(|| "cannot stand in a header".to_owned())),
            };
            match (HeaderName::from_bytes(header.name.as_bytes()), value) {
                (Ok(header), Ok(value)) => {
                    headers.insert(header, value);
                }
                (Err(error), _) => found("headers", error.to_string()),
                (Ok(_), Err(message)) => found("headers", format!("{}: {message}", header.name)),
            }
        }
        let client = client(webhook.is_here());
        if let Err(error) = &client {
            found("url", format!("a connection cannot be set up on this machine: {error}"));
        }
        match (secret, client) {
            (Some(secret), Ok(client)) if problems.is_empty() => Ok(Self {
                name: name.to_owned(),
                settings: webhook.clone(),
                console: settings.console_url.clone(),
                secret,
                headers,
                client,
            }),
            _ => Err(problems),
        }
    }

    /// Whether it is to be told of a change.
    pub(super) fn wants(&self, change: &FeedRow) -> bool {
        self.settings.events.contains(&super::notification::kind(change))
            && self.settings.project.as_ref().is_none_or(|project| *project == change.question.project)
    }

    /// Tells it once. `sent_at` is in seconds since the Unix epoch.
    pub(super) async fn tell(&self, notification: &Notification, sent_at: i64) -> Reply {
        let mut headers = self.headers.clone();
        if let Some(trace) = &notification.trace {
            trace.write(&mut headers);
        }
        let request = self
            .client
            .post(self.settings.url.clone())
            .headers(headers)
            .header(CONTENT_TYPE, JSON)
            .header(EVENT, notification.kind.as_str())
            .header(KEY, &notification.id)
            .header(TIMESTAMP, sent_at)
            .header(SIGNATURE, signature(self.secret.bytes(), sent_at, &notification.body))
            .timeout(self.settings.timeout)
            .body(notification.body.clone());
        // The body of the answer is dropped unread, however long it is.
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return Reply::Refused { why: why(error), retry_after: None },
        };
        let status = response.status();
        if status.is_success() {
            return Reply::Taken;
        }
        if status == StatusCode::GONE {
            return Reply::Gone;
        }
        let asked_for = response.headers().get(RETRY_AFTER);
        let retry_after = asked_for.and_then(|value| retry_after(value, jiff::Timestamp::now()));
        Reply::Refused { why: format!("it answered {}", status.as_u16()), retry_after }
    }
}
