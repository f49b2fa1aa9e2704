//! The layer that admits requests.
//!
//! Promises that a request which is refused was not begun, and that its places are free again when it is answered or given up,
//! whichever comes first. Health and the files of the console are always admitted: a probe must not be shed.

use super::{Admission, Limits};
use crate::access::Caller;
use crate::server::console::is_file;
use crate::server::refusal::Protocol;
use axum::http::{Request, Response};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::body::Body;
use tower::{Layer, Service};

/// The service that is always admitted.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// The layer.
#[derive(Debug, Clone)]
pub(in crate::server) struct Admitting {
    pub(in crate::server) limits: Limits,
}

/// A service that takes no more than it bears.
#[derive(Debug, Clone)]
pub(in crate::server) struct Admitted<S> {
    inner: S,
    limits: Limits,
}

impl<S> Layer<S> for Admitting {
    type Service = Admitted<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Admitted { inner, limits: self.limits.clone() }
    }
}

/// Gives the places of a request back when it ends in whatever way.
struct UnderWay(Admission);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl<S> Service<Request<Body>> for Admitted<S>
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
        let path = request.uri().path();
        if path.starts_with(HEALTH) || is_file(path) {
            return Box::pin(self.inner.call(request));
        }
        let caller = request.extensions().get::<Arc<Caller>>();
        match self.limits.admit(caller.map(Arc::as_ref)) {
            Ok(admission) => {
                request.extensions_mut().insert(admission.clone());
                let under_way = UnderWay(admission);
                let answer = self.inner.call(request);
                Box::pin(async move {
                    let _to_the_end = under_way;
                    answer.await
                })
            }
            Err(status) => {
                let refusal = Protocol::of(request.headers()).refuse(status);
                Box::pin(std::future::ready(Ok(refusal)))
            }
        }
    }
}
