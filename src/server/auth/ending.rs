//! A response that ends when its caller's credentials do.
//!
//! Promises a status at the end, in the form that the response has: gRPC, or gRPC-Web in either of its two.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tonic::Status;
use tonic::body::Body;

/// In which form a response ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Grpc,
    Web,
    WebText,
}

/// Marks the frame of gRPC-Web that holds what gRPC has behind the body.
const TRAILERS: u8 = 0x80;

/// A body that ends early when `ended` does.
struct Ending<Ended> {
    body: Option<Body>,
    ended: Pin<Box<Ended>>,
    status: fn() -> Status,
    form: Form,
}

/// The response, which ends with a status when `ended` resolves.
pub(super) fn ending<Ended>(
    response: Response<Body>,
    ended: Pin<Box<Ended>>,
    status: fn() -> Status,
) -> Response<Body>
where
    Ended: Future<Output = ()> + Send + 'static,
{
    if response.body().is_end_stream() {
        return response;
    }
    let kind = response.headers().get(CONTENT_TYPE).map(|kind| kind.as_bytes()).unwrap_or_default();
    let form = if kind.starts_with(b"application/grpc-web-text") {
        Form::WebText
    } else if kind.starts_with(b"application/grpc-web") {
        Form::Web
    } else {
        Form::Grpc
    };
    response.map(|body| Body::new(Ending { body: Some(body), ended, status, form }))
}

impl<Ended: Future<Output = ()> + Send + 'static> HttpBody for Ending<Ended> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        if this.ended.as_mut().poll(context).is_ready() {
            this.body = None;
            return Poll::Ready(last(&(this.status)(), this.form).map(Ok));
        }
        Pin::new(body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// The last frame, with a status.
fn last(status: &Status, form: Form) -> Option<Frame<Bytes>> {
    let mut headers = HeaderMap::new();
    // A status that cannot be written ends the body without one, which callers take for a fault.
    status.add_header(&mut headers).ok()?;
    match form {
        Form::Grpc => Some(Frame::trailers(headers)),
        Form::Web => Some(Frame::data(Bytes::from(framed(&headers)?))),
        Form::WebText => Some(Frame::data(Bytes::from(STANDARD.encode(framed(&headers)?)))),
    }
}

fn framed(headers: &HeaderMap) -> Option<Vec<u8>> {
    let mut block = Vec::new();
    for (name, value) in headers {
        block.extend_from_slice(name.as_str().as_bytes());
        block.push(b':');
        block.extend_from_slice(value.as_bytes());
        block.extend_from_slice(b"\r\n");
    }
    let mut frame = vec![TRAILERS];
    frame.extend_from_slice(&u32::try_from(block.len()).ok()?.to_be_bytes());
    frame.append(&mut block);
    Some(frame)
}
