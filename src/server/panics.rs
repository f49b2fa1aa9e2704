//! Catching panics: the outermost layer.
//!
//! Promises that a panic while a request is handled ends that request with `INTERNAL` and an incident id, and nothing else: its
//! words go to the log alone, and the connection lives on. Whatever was not made durable before it did not happen, so that it
//! approves nothing. Knows nothing of what was handled.

use super::refusal::Protocol;
use super::status::internal;
use axum::http::{Request, Response};
use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use tonic::body::Body;
use tower::{Layer, Service};

/// The layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct CatchPanics;

/// A service whose panics are caught.
#[derive(Debug, Clone)]
pub(super) struct Catching<S> {
    inner: S,
}

impl<S> Layer<S> for CatchPanics {
    type Service = Catching<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Catching { inner }
    }
}

impl<S> Service<Request<Body>> for Catching<S>
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

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let protocol = Protocol::of(request.headers());
        // At once, not when the answer is first asked for: deadlines count from here. A panic leaves nothing of this request
        // that anybody looks at again, and the locks of the gate recover from one.
        let called = catch_unwind(AssertUnwindSafe(|| Box::pin(self.inner.call(request))));
        Box::pin(async move {
            let outcome = match called {
                Ok(answer) => caught(answer).await,
                Err(panic) => Err(panic),
            };
            outcome.unwrap_or_else(|panic| {
                Ok(protocol.refuse(internal(&format!("a panic: {}", words(&*panic)))))
            })
        })
    }
}

/// What a future comes to, or what it panicked with.
async fn caught<F: Future>(answer: Pin<Box<F>>) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut under_way = Some(answer);
    poll_fn(move |context| {
        let Some(answer) = &mut under_way else { return Poll::Pending };
        let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        polled.map_or_else(
            |panic| {
                let abandoned = under_way.take();
                // What it holds is let go of now; another panic on the way would say nothing new.
                let _also = catch_unwind(AssertUnwindSafe(|| drop(abandoned)));
                Poll::Ready(Err(panic))
            },
            |polled| polled.map(Ok),
        )
    })
    .await
}

/// The words of a panic.
fn words(panic: &(dyn Any + Send)) -> &str {
    let fixed = panic.downcast_ref::<&'static str>().copied();
    fixed.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};
    use tonic_types::StatusExt;
    use tower::{ServiceExt, service_fn};

    fn asked(path: &str, kind: &str) -> Request<Body> {
        Request::builder().uri(path).header("content-type", kind).body(Body::empty()).unwrap()
    }

    /// Panics where its request says so, and counts what is let go of.
    fn panicking(
        held: Arc<AtomicUsize>,
        lock: Arc<Mutex<u32>>,
    ) -> impl Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send + 'static> + Clone
    {
        struct Held(Arc<AtomicUsize>);
        impl Drop for Held {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        service_fn(move |request: Request<Body>| {
            let path = request.uri().path().to_owned();
            assert_ne!(path, "/at-once", "before there is a future");
            held.fetch_add(1, Ordering::SeqCst);
            let (held, lock) = (Held(Arc::clone(&held)), Arc::clone(&lock));
            async move {
                let _held = held;
                tokio::task::yield_now().await;
                let mut number = lock.lock().unwrap_or_else(PoisonError::into_inner);
                *number += 1;
                assert_ne!(path, "/late", "the secret that the panic {} names", "p4ss");
                Ok(Response::new(Body::empty()))
            }
        })
    }

    #[tokio::test]
    async fn a_panic_ends_its_request_with_an_incident_and_says_no_more() {
        let (held, lock) = (Arc::new(AtomicUsize::new(0)), Arc::default());
        let service = CatchPanics.layer(panicking(Arc::clone(&held), Arc::clone(&lock)));
        for path in ["/at-once", "/late"] {
            let response = service.clone().oneshot(asked(path, "application/grpc")).await.unwrap();
            let status = tonic::Status::from_header_map(response.headers()).unwrap();
            assert_eq!(status.code(), tonic::Code::Internal);
            assert!(!status.message().contains("p4ss") && !status.message().contains("future"), "{status:?}");
            let info = status.get_details_error_info().unwrap();
            assert_eq!(info.reason, "INTERNAL");
            assert!(status.message().contains(&info.metadata["incident"]));
            assert_eq!(held.load(Ordering::SeqCst), 0, "what it held was let go of");
        }
        let response = service.clone().oneshot(asked("/late", "text/html")).await.unwrap();
        assert_eq!(response.status().as_u16(), 500);
        let response = service.oneshot(asked("/fine", "application/grpc")).await.unwrap();
        assert!(response.headers().get("grpc-status").is_none(), "the next one is served");
        assert_eq!(*lock.lock().unwrap_or_else(PoisonError::into_inner), 3);
    }
}
