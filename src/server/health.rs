//! The standard health service: may this gate be asked?
//!
//! Promises `NOT_SERVING` from the start until the gate is ready, whenever it could not record a decision, and as soon as
//! it says that it leaves. `Watch` of an unknown service keeps its stream and says `SERVICE_UNKNOWN`, as the protocol asks.

use crate::proto::health::health_check_response::ServingStatus;
use crate::proto::health::health_server::Health as HealthRpc;
use crate::proto::health::{HealthCheckRequest, HealthCheckResponse, HealthListRequest, HealthListResponse};
use crate::store::{Health as StoreHealth, Store};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_stream::{Stream, StreamExt, wrappers::WatchStream};
use tonic::{Request, Response, Status};

/// The service whose health is told; the empty name stands for the whole server.
const SERVICE: &str = "haltgate.v1.ApprovalGate";

/// How often the store is asked.
const INTERVAL: Duration = Duration::from_millis(500);

/// The health of one gate.
#[derive(Debug, Clone)]
pub(super) struct Health {
    status: watch::Receiver<ServingStatus>,
}

impl Health {
    /// Watches the store until the gate says that it leaves.
    pub(super) fn watch(store: Arc<dyn Store>, mut leaving: watch::Receiver<bool>) -> Self {
        let (sender, status) = watch::channel(ServingStatus::NotServing);
        tokio::spawn(async move {
            loop {
                let found = match store.health() {
                    StoreHealth::Available => ServingStatus::Serving,
                    StoreHealth::Unavailable { .. } | StoreHealth::Closed => ServingStatus::NotServing,
                };
                sender.send_if_modified(|status| std::mem::replace(status, found) != found);
                tokio::select! {
                    () = tokio::time::sleep(INTERVAL) => {}
                    _ = leaving.wait_for(|leaving| *leaving) => break,
                }
            }
            sender.send_replace(ServingStatus::NotServing);
            // The last word stays readable until nobody watches any more.
            sender.closed().await;
        });
        Self { status }
    }

    fn of(&self, service: &str) -> Option<ServingStatus> {
        matches!(service, "" | SERVICE).then(|| *self.status.borrow())
    }
}

fn response(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[tonic::async_trait]
impl HealthRpc for Health {
    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let service = request.into_inner().service;
        match self.of(&service) {
            Some(status) => Ok(Response::new(response(status))),
            None => {
                Err(Status::not_found("this server has no such service; it serves haltgate.v1.ApprovalGate"))
            }
        }
    }

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let stream: Self::WatchStream = match self.of(&request.into_inner().service) {
            Some(_) => Box::pin(WatchStream::new(self.status.clone()).map(|status| Ok(response(status)))),
            None => {
                let unknown = tokio_stream::once(Ok(response(ServingStatus::ServiceUnknown)));
                Box::pin(unknown.chain(tokio_stream::pending()))
            }
        };
        Ok(Response::new(stream))
    }

    async fn list(
        &self,
        _request: Request<HealthListRequest>,
    ) -> Result<Response<HealthListResponse>, Status> {
        let status = *self.status.borrow();
        let statuses = ["", SERVICE].map(|name| (name.to_owned(), response(status)));
        Ok(Response::new(HealthListResponse { statuses: HashMap::from(statuses) }))
    }
}
