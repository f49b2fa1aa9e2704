//! A trace context as headers carry it: `traceparent` and `tracestate` of the W3C.
//!
//! Promises that whatever is not of the exact form is no context at all, and that what is written is what was read. Knows
//! nothing of spans.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The length of the four fields that this version knows.
const LENGTH: usize = 55;

/// The longest list of other systems' notes that is handed on, in bytes; a longer one is left out, as the specification allows.
const MAX_STATE: usize = 512;

/// Which trace a request is part of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TraceContext {
    trace_id: String,
    parent_id: String,
    sampled: bool,
    state: Option<HeaderValue>,
}

/// A text that is no trace context.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "is no trace context; write one such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 (version, trace, \
     parent and flags in lower-case hexadecimal)"
)]
pub struct ContextError;

impl FromStr for TraceContext {
    type Err = ContextError;

    fn from_str(text: &str) -> Result<Self, ContextError> {
        let mut fields = text.splitn(5, '-');
        let mut hex = |length: usize| {
            let field = fields.next().filter(|field| field.len() == length)?;
            let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            field.bytes().all(lower).then_some(field)
        };
        let read = (|| {
            let (version, trace_id, parent_id, flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
            // Later versions may say more behind what this one knows.
            let complete = if version == "00" { text.len() == LENGTH } else { version != "ff" };
            let flags = u8::from_str_radix(flags, 16).ok()?;
            let named = |id: &str| id.bytes().any(|byte| byte != b'0');
            (complete && named(trace_id) && named(parent_id)).then(|| Self {
                trace_id: trace_id.to_owned(),
                parent_id: parent_id.to_owned(),
                sampled: flags & 1 == 1,
                state: None,
            })
        })();
        read.ok_or(ContextError)
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace_id, parent_id, sampled, state: _ } = self;
        write!(formatter, "00-{trace_id}-{parent_id}-{:02x}", u8::from(*sampled))
    }
}

impl TryFrom<String> for TraceContext {
    type Error = ContextError;

    fn try_from(text: String) -> Result<Self, ContextError> {
        text.parse()
    }
}

impl From<TraceContext> for String {
    fn from(context: TraceContext) -> Self {
        context.to_string()
    }
}

impl TraceContext {
    /// The context that a request came with. More than one is none: nobody can tell which is meant.
    #[must_use]
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let mut all = headers.get_all(TRACEPARENT).iter();
        let context: Self = all.next()?.to_str().ok()?.parse().ok()?;
        if all.next().is_some() {
            return None;
        }
        let notes: Vec<&str> =
            headers.get_all(TRACESTATE).iter().filter_map(|value| value.to_str().ok()).collect();
        Some(context.with_state(&notes.join(",")))
    }

    /// Puts it into the headers of a request.
    pub fn write(&self, headers: &mut HeaderMap) {
        if let Ok(value) = HeaderValue::from_str(&self.to_string()) {
            headers.insert(TRACEPARENT, value);
        }
        if let Some(state) = &self.state {
            headers.insert(TRACESTATE, state.clone());
        }
    }

    /// The same with the notes of other systems.
    #[must_use]
    pub fn with_state(self, state: &str) -> Self {
        let fits = !state.is_empty() && state.len() <= MAX_STATE;
        let state = Some(state).filter(|_| fits).and_then(|state| HeaderValue::from_str(state).ok());
        Self { state, ..self }
    }

    /// The trace.
    #[must_use]
    pub fn trace_id(&self) -> &str {
        &self.trace_id
    }

    /// The span that the request comes from.
    #[must_use]
    pub fn parent_id(&self) -> &str {
        &self.parent_id
    }

    /// Whether whoever asks keeps the trace.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.sampled
    }

    /// The notes of other systems.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_ref().and_then(|state| state.to_str().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn what_is_not_of_the_exact_form_is_no_context() {
        for (text, good) in [
            (GOOD, true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-and-more", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-and-more", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e47-3600f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01", false),
            ("", false),
            ("----", false),
        ] {
            assert_eq!(text.parse::<TraceContext>().is_ok(), good, "{text}");
        }
    }

    #[test]
    fn what_is_read_is_written_again_and_two_are_none() {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", HeaderValue::from_static(GOOD));
        headers.append("tracestate", HeaderValue::from_static("a=1"));
        headers.append("tracestate", HeaderValue::from_static("b=2"));
        let context = TraceContext::read(&headers).unwrap();
        let mut written = HeaderMap::new();
        context.write(&mut written);
        assert_eq!(written["traceparent"], GOOD);
        assert_eq!(written["tracestate"], "a=1,b=2");
        headers.append("traceparent", HeaderValue::from_static(GOOD));
        assert_eq!(TraceContext::read(&headers), None);
        assert_eq!(context.with_state(&"x".repeat(MAX_STATE + 1)).state(), None);
    }
}
