//! The thread that ties a request to the requests it leads to: its id, and the W3C trace context it is part of.
//!
//! Promises that what came from outside is checked before it is kept, that a context is handed on whether or not anybody
//! collects traces, and that no span holds anything of a call. It must not know what a request is about.
//!
//! | module | subject |
//! |---|---|
//! | `context` | `traceparent` and `tracestate` |
//! | `thread` | what belongs to the request that is being worked on |
//! | `otlp` | spans for an OpenTelemetry collector; only with the feature `otlp` |

mod context;
#[cfg(feature = "otlp")]
mod otlp;
mod thread;

pub use context::TraceContext;
#[cfg(feature = "otlp")]
pub use otlp::{Exporter, Plan, SetupError};
pub(crate) use thread::REQUEST_ID;
pub use thread::{MAX_ID_BYTES, Thread, carried, current, request_id, trace_id};

/// The target of the spans, which are for traces and not for log lines.
pub const SPANS: &str = "haltgate::spans";

/// Ties a span to the context that its request came with.
#[allow(unused_variables, reason = "without the feature `otlp` there is nothing to tie it to")]
pub(crate) fn set_parent(span: &tracing::Span, context: Option<&TraceContext>) {
    #[cfg(feature = "otlp")]
    otlp::set_parent(span, context);
}
