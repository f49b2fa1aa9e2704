//! The layer that counts requests, gives each its id and ties it to the trace that it is part of.
//!
//! Promises that every request that begins is counted as ended exactly once, also when its caller goes away, and that no caller
//! can add a label. Knows nothing of what is asked.

use super::methods;
use crate::proto::v1::ErrorReason;
use crate::telemetry::{Method, Metrics};
use crate::trace::{self, SPANS, Thread};
use axum::http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use base64::prelude::{BASE64_STANDARD, Engine};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;
use tonic::{Code, Status};
use tonic_types::StatusExt;
use tower::{Layer, Service};
use tracing::{Instrument, Span};

/// What tells a request of gRPC, in either of its forms.
const GRPC: &str = "application/grpc";

/// What begins the last message of gRPC-Web, which holds the trailers.
const WEB_TRAILERS: u8 = 0x80;

/// The same in Base64, with the length behind it: trailers are far shorter than 64 KiB.
const WEB_TRAILERS_BASE64: &[u8] = b"gAAA";

/// The service whose requests begin no trace: they come every few seconds and say nothing.
const HEALTH: &str = "grpc.health.v1.Health";

/// Measures requests.
#[derive(Debug, Clone)]
pub(super) struct MeasuringLayer(pub(super) Arc<Metrics>);

impl<S> Layer<S> for MeasuringLayer {
    type Service = Measuring<S>;

    fn layer(&self, inner: S) -> Measuring<S> {
        Measuring { inner, metrics: Arc::clone(&self.0) }
    }
}

/// A service whose requests are measured.
#[derive(Debug, Clone)]
pub(super) struct Measuring<S> {
    inner: S,
    metrics: Arc<Metrics>,
}

impl<S, Q, A> Service<Request<Q>> for Measuring<S>
where
    S: Service<Request<Q>, Response = Response<A>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    A: Send + 'static,
{
    type Response = Response<Measured<A>>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Q>) -> Self::Future {
        let Some(method) = method(&request) else {
            let answering = self.inner.call(request);
            return Box::pin(async move { Ok(answering.await?.map(|body| Measured { body, ending: None })) });
        };
        let thread = Thread::of(request.headers());
        // Nobody below sees another id than the one that is told.
        let id = HeaderValue::from_str(thread.id()).ok();
        if let Some(id) = &id {
            request.headers_mut().insert(trace::REQUEST_ID, id.clone());
        }
        let ending = Ending::begin(Arc::clone(&self.metrics), method, id);
        let span = span(method, &thread);
        // The service is called within the thread, too: not all of it waits until it is polled.
        let answering = span.in_scope(|| self.inner.call(request));
        let answering = thread.within(answering).instrument(span.clone());
        Box::pin(async move {
            let ending = ending.under(span);
            let mut response = answering.await?;
            let http = response.status();
            let ending = ending.answered(http, response.headers_mut());
            Ok(response.map(|body| Measured { body, ending }))
        })
    }
}

/// The method that is asked for; `None` for what is not gRPC.
fn method<Q>(request: &Request<Q>) -> Option<Method> {
    let kind = request.headers().get(header::CONTENT_TYPE)?;
    kind.as_bytes()
        .starts_with(GRPC.as_bytes())
        .then(|| methods::at(request.uri().path()).unwrap_or(Method::UNKNOWN))
}

fn span(method: Method, thread: &Thread) -> Span {
    if method.grpc_service == HEALTH {
        return Span::none();
    }
    let span = tracing::info_span!(
        target: SPANS,
        "rpc",
        otel.name = tracing::field::Empty,
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        rpc.system = "grpc",
        rpc.service = method.grpc_service,
        rpc.method = method.grpc_method,
        rpc.grpc.status_code = tracing::field::Empty,
        x_request_id = thread.id(),
        haltgate.action = tracing::field::Empty,
        haltgate.stage = tracing::field::Empty,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("{}/{}", method.grpc_service, method.grpc_method));
        trace::set_parent(&span, thread.context());
    }
    span
}

/// What is still to be counted of a request. Dropping it counts the request as cancelled.
#[derive(Debug)]
struct Ending {
    metrics: Arc<Metrics>,
    method: Method,
    began: Instant,
    /// What is told to the caller at the end.
    id: Option<HeaderValue>,
    /// The answer is in the form for browsers.
    web: bool,
    code: Option<Code>,
    span: Span,
}

impl Ending {
    fn begin(metrics: Arc<Metrics>, method: Method, id: Option<HeaderValue>) -> Self {
        metrics.began(method);
        Self { metrics, method, began: Instant::now(), id, web: false, code: None, span: Span::none() }
    }

    fn under(self, span: Span) -> Self {
        let mut ending = self;
        ending.span = span;
        ending
    }

    /// The headers of the answer are there. `None` when they say all that there is to say.
    fn answered(mut self, http: StatusCode, headers: &mut HeaderMap) -> Option<Self> {
        let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        self.web = kind.starts_with(b"application/grpc-web");
        let Some(status) = Status::from_header_map(headers) else {
            if http != StatusCode::OK {
                // It was refused before it came to gRPC.
                self.tell(headers);
                let refused = http == StatusCode::FORBIDDEN;
                self.code = Some(if refused { Code::PermissionDenied } else { Code::Unknown });
                return None;
            }
            if self.web {
                // Its trailers are part of the body, which is made below.
                self.tell(headers);
            }
            return Some(self);
        };
        self.tell(headers);
        self.refused(&status);
        self.code = Some(status.code());
        None
    }

    fn tell(&self, headers: &mut HeaderMap) {
        if let Some(id) = &self.id {
            headers.insert(trace::REQUEST_ID, id.clone());
        }
    }

    /// Counts what was not looked into.
    fn refused(&self, status: &Status) {
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied | Code::ResourceExhausted | Code::Unavailable => {}
            Code::Ok
            | Code::Cancelled
            | Code::Unknown
            | Code::InvalidArgument
            | Code::DeadlineExceeded
            | Code::NotFound
            | Code::AlreadyExists
            | Code::FailedPrecondition
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unimplemented
            | Code::Internal
            | Code::DataLoss => return,
        }
        let reason = status.get_details_error_info().map(|info| format!("ERROR_REASON_{}", info.reason));
        let reason =
            reason.and_then(|name| ErrorReason::from_str_name(&name)).unwrap_or(ErrorReason::Unspecified);
        self.metrics.refused(reason.wire_name());
    }

    /// A part of the body goes out.
    fn sends(&mut self, frame: &mut Frame<Bytes>) {
        if let Some(trailers) = frame.trailers_mut() {
            self.code = Some(code(trailers));
            self.tell(trailers);
        } else if self.web
            && let Some(data) = frame.data_ref()
            && let Some(code) = web_code(data)
        {
            self.code = Some(code);
        }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        // Whoever is dropped without an end was given up by its caller, or brought down by a fault of the gate's own.
        let without_end = if std::thread::panicking() { Code::Internal } else { Code::Cancelled };
        let code = self.code.unwrap_or(without_end);
        self.metrics.ended(self.method, code, self.began.elapsed());
        self.span.record("rpc.grpc.status_code", i32::from(code));
        let at_fault = matches!(
            code,
            Code::Unknown
                | Code::DeadlineExceeded
                | Code::Unimplemented
                | Code::Internal
                | Code::Unavailable
                | Code::DataLoss
        );
        if at_fault {
            self.span.record("otel.status_code", "ERROR");
        }
    }
}

fn code(trailers: &HeaderMap) -> Code {
    trailers.get("grpc-status").map_or(Code::Unknown, |code| Code::from_bytes(code.as_bytes()))
}

/// The code in the trailers of gRPC-Web, which are lines of headers behind five bytes, as they are or in Base64; `None` for any
/// other message.
fn web_code(message: &[u8]) -> Option<Code> {
    if message.starts_with(WEB_TRAILERS_BASE64) {
        return web_code(&BASE64_STANDARD.decode(message).ok()?);
    }
    if message.first() != Some(&WEB_TRAILERS) {
        return None;
    }
    let lines = message.get(5..).unwrap_or_default().split(|byte| *byte == b'\n');
    let mut codes = lines.filter_map(|line| line.strip_prefix(b"grpc-status:"));
    Some(codes.next().map_or(Code::Unknown, |code| Code::from_bytes(code.trim_ascii())))
}

pin_project! {
    /// The body of an answer that is measured to its end.
    #[derive(Debug)]
    pub(super) struct Measured<B> {
        #[pin]
        body: B,
        ending: Option<Ending>,
    }
}

impl<B: Body<Data = Bytes>> Body for Measured<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        let mut frame = ready!(this.body.poll_frame(context));
        if let Some(ending) = this.ending {
            match &mut frame {
                Some(Ok(frame)) => ending.sends(frame),
                Some(Err(_)) => ending.code = Some(Code::Unknown),
                // An answer without a status is none.
                None => {
                    ending.code.get_or_insert(Code::Unknown);
                }
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_found_in_the_trailers_for_browsers() {
        for (trailers, expected) in [
            (&b"\x80\0\0\0\x10grpc-status:5\r\n"[..], Some(Code::NotFound)),
            (b"\x80\0\0\0\x20grpc-message:a\r\ngrpc-status: 0\r\n", Some(Code::Ok)),
            (b"\x80", Some(Code::Unknown)),
            (b"gAAAABBncnBjLXN0YXR1czo1DQo=", Some(Code::NotFound)),
            (b"gAAA\xff", None),
            (b"\0\0\0\0\0grpc-status:5\r\n", None),
            (b"", None),
        ] {
            assert_eq!(web_code(trailers), expected, "{trailers:?}");
        }
    }
}
