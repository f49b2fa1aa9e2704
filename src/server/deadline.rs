//! Deadlines: what its caller asks for, and the longest that this gate lets a request take.
//!
//! Promises `DEADLINE_EXCEEDED` to whoever waited long enough, in time to be heard, and that what was begun for it is let go of;
//! what was submitted before stays decided. A deadline that cannot be read is refused, since its caller relies on it. A feed's
//! deadline is for its beginning alone. Knows nothing of what is asked.
//!
//! The transport has a timer of its own for the same header, and says `CANCELLED`, which no caller can tell from its own
//! hanging up. This layer looks at the clock whenever it is asked for the answer, which the transport does before it looks at
//! its timer. It has to be called before whatever waits, so that its deadline is never the later one.

use super::refusal::Protocol;
use super::status::{Violations, deadline_exceeded};
use axum::http::{HeaderMap, Request, Response};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

/// The header that a deadline comes in.
const HEADER: &str = "grpc-timeout";

/// How long before the deadline an answer leaves, so that it arrives in time.
const AHEAD: Duration = Duration::from_millis(5);

/// Whose limit passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The caller's own deadline.
    Caller,
    /// The longest that the gate lets a request take.
    Server,
}

/// How long a request may take. Its service finds it among the extensions of the request.
#[derive(Debug, Clone)]
pub(super) struct Deadline {
    caller: Option<Instant>,
    outlasts: Arc<AtomicBool>,
}

impl Deadline {
    /// The moment by which the caller wants its answer.
    pub(super) fn of_caller(&self) -> Option<Instant> {
        self.caller
    }

    /// From now on the request may take longer than others: it waits for a human, or reads everything that there is.
    pub(super) fn outlast(&self) {
        self.outlasts.store(true, Ordering::Release);
    }
}

/// The layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadlines {
    /// The longest that a request may take.
    pub(super) longest: Duration,
}

/// A service whose answers come in time.
#[derive(Debug, Clone)]
pub(super) struct Timed<S> {
    inner: S,
    longest: Duration,
}

impl<S> Layer<S> for Deadlines {
    type Service = Timed<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Timed { inner, longest: self.longest }
    }
}

impl<S> Service<Request<Body>> for Timed<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let now = Instant::now();
        let protocol = Protocol::of(request.headers());
        let asked = match timeout(request.headers()) {
            Ok(asked) if protocol.is_grpc() => asked,
            Ok(_) => None,
            Err(status) => return Box::pin(std::future::ready(Ok(protocol.refuse(status)))),
        };
        // A deadline that no clock can hold is none.
        let deadline = Deadline {
            caller: asked.and_then(|asked| now.checked_add(asked)),
            outlasts: Arc::new(AtomicBool::new(false)),
        };
        request.extensions_mut().insert(deadline.clone());
        let bounds = Bounds {
            caller: asked.and_then(|asked| now.checked_add(in_time(asked))),
            server: now.checked_add(self.longest),
            outlasts: deadline.outlasts,
        };
        let longest = self.longest;
        let answer = self.inner.call(request);
        Box::pin(async move {
            bounds.keep(answer).await.unwrap_or_else(|whose| {
                let limit = match whose {
                    Whose::Caller => asked.unwrap_or_default(),
                    Whose::Server => longest,
                };
                Ok(protocol.refuse(deadline_exceeded(whose, limit)))
            })
        })
    }
}

/// The moments at which a request is answered in any case.
struct Bounds {
    caller: Option<Instant>,
    server: Option<Instant>,
    outlasts: Arc<AtomicBool>,
}

impl Bounds {
    /// The answer, or whose limit passed before it was there.
    async fn keep<F: Future>(self, answer: F) -> Result<F::Output, Whose> {
        let mut answer = pin!(answer);
        let mut caller = pin!(passing(self.caller));
        let mut server = pin!(passing(self.server));
        std::future::poll_fn(move |context| {
            if let Poll::Ready(answer) = answer.as_mut().poll(context) {
                return Poll::Ready(Ok(answer));
            }
            // Polled for their wake-ups; the clock says whether they passed.
            let _wakes = caller.as_mut().poll(context);
            let outlasts = self.outlasts.load(Ordering::Acquire);
            if !outlasts {
                let _wakes = server.as_mut().poll(context);
            }
            let now = Instant::now();
            let passed = |moment: Option<Instant>| moment.is_some_and(|moment| moment <= now);
            if passed(self.caller) {
                Poll::Ready(Err(Whose::Caller))
            } else if passed(self.server) && !outlasts {
                Poll::Ready(Err(Whose::Server))
            } else {
                Poll::Pending
            }
        })
        .await
    }
}

/// Ends at a moment, once, and never without one.
async fn passing(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
    std::future::pending::<()>().await;
}

/// How long an answer may take so that it arrives in time. Nothing that is asked for within less than that can be made durable.
fn in_time(asked: Duration) -> Duration {
    asked.saturating_sub(AHEAD)
}

/// What a caller asks for.
fn timeout(headers: &HeaderMap) -> Result<Option<Duration>, Status> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    if let Some(timeout) = value.to_str().ok().and_then(parse) {
        return Ok(Some(timeout));
    }
    let mut violations = Violations::default();
    violations.invalid(HEADER, "must be at most eight digits and a unit (H, M, S, m, u or n), such as 30S");
    violations.check().map(|()| None)
}

/// At most eight digits and a unit, as the gRPC protocol has it.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount.saturating_mul(3600))),
        "M" => Some(Duration::from_secs(amount.saturating_mul(60))),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::atomic::AtomicUsize;
    use tonic::Code;
    use tonic_types::StatusExt;
    use tower::{ServiceExt, service_fn};

    #[test]
    fn a_deadline_is_read_as_the_protocol_writes_it_and_nothing_else_is() {
        let cases = [
            ("10S", Some(Duration::from_secs(10))),
            ("0S", Some(Duration::ZERO)),
            ("99999999H", Some(Duration::from_secs(99_999_999 * 3600))),
            ("1500m", Some(Duration::from_millis(1500))),
            ("7u", Some(Duration::from_micros(7))),
            ("100000000S", None),
            ("S", None),
            ("", None),
            ("10", None),
            ("1é", None),
            ("-1S", None),
            ("+1S", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    /// Is answered at once, or never; what never is may have been told that it takes longer.
    #[derive(Debug, Clone, Copy)]
    enum Answers {
        AtOnce,
        Never,
        NeverAndOutlasts,
    }

    async fn ask(
        answers: Answers,
        timeout: Option<&str>,
        longest: Duration,
        let_go: &Arc<AtomicUsize>,
    ) -> Response<Body> {
        struct Held(Arc<AtomicUsize>);
        impl Drop for Held {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::SeqCst);
            }
        }
        let let_go = Arc::clone(let_go);
        let service = service_fn(move |request: Request<Body>| {
            let held = Held(Arc::clone(&let_go));
            async move {
                let _held = held;
                match answers {
                    Answers::AtOnce => {}
                    Answers::Never => std::future::pending().await,
                    Answers::NeverAndOutlasts => {
                        request.extensions().get::<Deadline>().unwrap().outlast();
                        std::future::pending().await
                    }
                }
                Ok::<_, Infallible>(Response::new(Body::empty()))
            }
        });
        let mut request = Request::builder().header("content-type", "application/grpc");
        if let Some(timeout) = timeout {
            request = request.header(HEADER, timeout);
        }
        let layer = Deadlines { longest };
        layer.layer(service).oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn the_earlier_of_the_callers_deadline_and_the_longest_time_ends_a_request() {
        const HOUR: Duration = Duration::from_secs(3600);
        const SOON: Duration = Duration::from_millis(20);
        let let_go = Arc::new(AtomicUsize::new(0));
        let cases = [
            (Answers::AtOnce, None, HOUR, None),
            (Answers::AtOnce, Some("10S"), HOUR, None),
            (Answers::Never, None, SOON, Some(("server", "20"))),
            (Answers::Never, Some("1H"), SOON, Some(("server", "20"))),
            (Answers::Never, Some("99999999H"), SOON, Some(("server", "20"))),
            (Answers::Never, Some("30m"), HOUR, Some(("caller", "30"))),
            (Answers::Never, Some("1m"), HOUR, Some(("caller", "1"))),
            (Answers::Never, Some("0S"), HOUR, Some(("caller", "0"))),
            (Answers::NeverAndOutlasts, Some("150m"), SOON, Some(("caller", "150"))),
        ];
        for (number, (answers, timeout, longest, ended_by)) in cases.into_iter().enumerate() {
            let began = Instant::now();
            let response = ask(answers, timeout, longest, &let_go).await;
            let status = tonic::Status::from_header_map(response.headers());
            let found = status.as_ref().map(|status| {
                assert_eq!(status.code(), Code::DeadlineExceeded);
                status.get_details_error_info().unwrap()
            });
            let found = found.as_ref().map(|info| {
                assert_eq!(info.reason, "DEADLINE_EXCEEDED");
                (info.metadata["scope"].as_str(), info.metadata["limit_ms"].as_str())
            });
            assert_eq!(found, ended_by, "{answers:?} {timeout:?}");
            let limit = ended_by.map_or(0, |(_, limit)| limit.parse().unwrap());
            assert!(began.elapsed() + AHEAD >= Duration::from_millis(limit), "not before its time");
            assert_eq!(let_go.load(Ordering::SeqCst), number + 1, "nothing is left of it");
        }
    }

    #[tokio::test]
    async fn a_deadline_that_cannot_be_read_is_refused_before_anything_begins() {
        let let_go = Arc::new(AtomicUsize::new(0));
        for timeout in ["soon", "1", "100000000S", "-5S"] {
            let response = ask(Answers::AtOnce, Some(timeout), Duration::from_secs(60), &let_go).await;
            let status = tonic::Status::from_header_map(response.headers()).unwrap();
            assert_eq!(status.code(), Code::InvalidArgument, "{timeout}");
            assert_eq!(status.get_details_error_info().unwrap().metadata["field"], HEADER);
        }
        assert_eq!(let_go.load(Ordering::SeqCst), 0);
    }
}
