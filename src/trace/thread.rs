//! What belongs to the request that is being worked on, wherever in the program that is.
//!
//! Promises an id of bounded length and printable characters. Knows nothing of requests but this.

use super::TraceContext;
use http::HeaderMap;
use std::future::Future;
use std::sync::Arc;
use tracing::Instrument;
use uuid::Uuid;

/// The longest request id that is accepted from outside, in bytes.
pub const MAX_ID_BYTES: usize = 128;

/// The header that carries a request's id.
pub(crate) const REQUEST_ID: &str = "x-request-id";

tokio::task_local! {
    static CURRENT: Thread;
}

/// What belongs to one request.
#[derive(Debug, Clone)]
pub struct Thread {
    id: Arc<str>,
    context: Option<TraceContext>,
}

impl Thread {
    /// The thread of a request with these headers: the id that it came with, if it came with one that can be kept, or one of its
    /// own.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let mut all = headers.get_all(REQUEST_ID).iter();
        let given = all.next().filter(|_| all.next().is_none()).and_then(|value| value.to_str().ok());
        let id = given.filter(|id| is_sane(id)).map_or_else(|| Uuid::now_v7().to_string().into(), Arc::from);
        Self { id, context: TraceContext::read(headers) }
    }

    /// The request's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The trace that it came with.
    #[must_use]
    pub fn context(&self) -> Option<&TraceContext> {
        self.context.as_ref()
    }

    /// Works on the request: what is asked for here, on this task, is of this request.
    pub async fn within<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }
}

/// Whether an id can stand in logs and headers as it is.
fn is_sane(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID_BYTES && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The id of the request that is being worked on.
#[must_use]
pub fn request_id() -> Option<Arc<str>> {
    CURRENT.try_with(|thread| Arc::clone(&thread.id)).ok()
}

/// The trace context for requests that are made from here: of the current span where traces are collected, else the one that
/// the request came with.
#[must_use]
pub fn current() -> Option<TraceContext> {
    #[cfg(feature = "otlp")]
    if let Some(context) = super::otlp::current() {
        return Some(context);
    }
    CURRENT.try_with(|thread| thread.context.clone()).ok().flatten()
}

/// The trace that is being worked on.
#[must_use]
pub fn trace_id() -> Option<String> {
    current().map(|context| context.trace_id().to_owned())
}

/// Work that goes on as part of this request on a task of its own.
pub fn carried<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let thread = CURRENT.try_with(Clone::clone).ok();
    async move {
        match thread {
            Some(thread) => thread.within(work).await,
            None => work.await,
        }
    }
    .in_current_span()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn of(ids: &[&str]) -> Thread {
        let mut headers = HeaderMap::new();
        for id in ids {
            headers.append(REQUEST_ID, HeaderValue::from_bytes(id.as_bytes()).unwrap());
        }
        Thread::of(&headers)
    }

    #[test]
    fn an_id_from_outside_is_kept_if_it_is_short_and_printable_and_one() {
        assert_eq!(of(&["abc-123/4"]).id(), "abc-123/4");
        let longest = "x".repeat(MAX_ID_BYTES);
        assert_eq!(of(&[&longest]).id(), longest);
        for bad in
            [vec![], vec![""], vec!["a b"], vec!["é"], vec!["a\tb"], vec!["a", "b"], vec![&*"x".repeat(129)]]
        {
            let made = of(&bad);
            assert_eq!(made.id().len(), 36, "{bad:?} became {}", made.id());
        }
    }

    #[tokio::test]
    async fn work_on_a_task_of_its_own_is_still_of_the_request() {
        let found =
            of(&["abc"]).within(async { tokio::spawn(carried(async { request_id() })).await.unwrap() }).await;
        assert_eq!(found.as_deref(), Some("abc"));
        assert_eq!(request_id(), None);
    }
}
