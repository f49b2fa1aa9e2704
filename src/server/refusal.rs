//! Refusing a request before its service has seen it.
//!
//! Promises an answer that the caller's own protocol can read: gRPC, gRPC-Web, or plain HTTP for whoever speaks neither. Knows
//! nothing of why.

use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode};
use tonic::body::Body;
use tonic::{Code, Status};

/// The protocol that a request speaks.
#[derive(Debug, Clone)]
pub(super) enum Protocol {
    /// gRPC.
    Grpc,
    /// gRPC-Web, in the form that the request came in.
    Web(HeaderValue),
    /// HTTP and nothing else, as browsers ask for a page.
    Plain,
}

impl Protocol {
    /// The protocol of a request with these headers.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let Some(kind) = headers.get(header::CONTENT_TYPE) else { return Self::Plain };
        let kind = kind.as_bytes();
        if kind.starts_with(b"application/grpc-web-text") {
            Self::Web(HeaderValue::from_static("application/grpc-web-text+proto"))
        } else if kind.starts_with(b"application/grpc-web") {
            Self::Web(HeaderValue::from_static("application/grpc-web+proto"))
        } else if kind.starts_with(b"application/grpc") {
            Self::Grpc
        } else {
            Self::Plain
        }
    }

    /// Whether gRPC's own rules hold.
    pub(super) fn is_grpc(&self) -> bool {
        match self {
            Self::Grpc | Self::Web(_) => true,
            Self::Plain => false,
        }
    }

    /// A status as an answer.
    pub(super) fn refuse(&self, status: Status) -> Response<Body> {
        match self {
            Self::Grpc => status.into_http(),
            Self::Web(kind) => {
                let mut response = status.into_http();
                response.headers_mut().insert(header::CONTENT_TYPE, kind.clone());
                response
            }
            Self::Plain => {
                let mut response = Response::new(Body::new(format!("{}\n", status.message())));
                *response.status_mut() = http_status(status.code());
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
                response
            }
        }
    }
}

/// The HTTP status that says the same.
fn http_status(code: Code) -> StatusCode {
    match code {
        Code::Ok => StatusCode::OK,
        Code::InvalidArgument | Code::OutOfRange | Code::FailedPrecondition => StatusCode::BAD_REQUEST,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::Cancelled | Code::Unknown | Code::Internal | Code::DataLoss => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_refused_in_the_protocol_that_they_speak() {
        let cases = [
            (Some("application/grpc"), 200, "application/grpc", Some("8")),
            (Some("application/grpc+proto"), 200, "application/grpc", Some("8")),
            (Some("application/grpc-web+proto"), 200, "application/grpc-web+proto", Some("8")),
            (Some("application/grpc-web-text"), 200, "application/grpc-web-text+proto", Some("8")),
            (Some("text/html"), 429, "text/plain; charset=utf-8", None),
            (None, 429, "text/plain; charset=utf-8", None),
        ];
        for (asked, status, kind, grpc) in cases {
            let mut headers = HeaderMap::new();
            headers.extend(asked.map(|kind| (header::CONTENT_TYPE, HeaderValue::from_static(kind))));
            let response = Protocol::of(&headers).refuse(Status::resource_exhausted("later"));
            assert_eq!(
                (response.status().as_u16(), &response.headers()["content-type"]),
                (status, &HeaderValue::from_static(kind))
            );
            assert_eq!(response.headers().get("grpc-status").map(|found| found.to_str().unwrap()), grpc);
        }
    }
}
