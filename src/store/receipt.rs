//! The promise that `submit` hands back, and the other end by which a writer keeps it.
//! Knows nothing of how batches are written.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::error::StoreError;
use super::rows::RecordHash;

/// What a durable batch left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// The audit records of the batch, in its order.
    pub records: Vec<RecordRef>,
    /// The last feed sequence that the batch used, if it changed an escalation or a halt.
    pub feed: Option<u64>,
    /// How many questions and requests retention dropped with it.
    pub settled: Settled,
}

/// Settled questions and answered requests that retention dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Escalations and halts.
    pub questions: u64,
    /// Requests.
    pub requests: u64,
}

/// Where a record ended up in its project's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRef {
    /// The id the caller gave it.
    pub id: String,
    /// Its place in the project, from 1, without gaps.
    pub sequence: u64,
    /// Its link in the chain.
    pub hash: RecordHash,
}

/// Resolves when the batch is durable or has failed. Dropping it does not take the batch back.
#[must_use = "nothing may be acknowledged before the receipt has resolved"]
pub struct Receipt {
    outcome: oneshot::Receiver<Result<Committed, StoreError>>,
    observer: Option<Observer>,
}

/// Hears how a batch ended, before whoever waits for it.
type Observer = Box<dyn FnOnce(&Result<Committed, StoreError>) + Send>;

impl std::fmt::Debug for Receipt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Receipt").field("outcome", &self.outcome).finish_non_exhaustive()
    }
}

/// The writer's end of a [`Receipt`]. Dropping it fails the receipt as [`StoreError::Closed`].
#[derive(Debug)]
pub struct Acknowledgement(oneshot::Sender<Result<Committed, StoreError>>);

impl Receipt {
    /// A receipt and the end that resolves it.
    pub fn new() -> (Acknowledgement, Self) {
        let (sender, receiver) = oneshot::channel();
        (Acknowledgement(sender), Self { outcome: receiver, observer: None })
    }

    /// The same receipt, whose outcome somebody else hears of, too.
    pub fn observed(self, observer: impl FnOnce(&Result<Committed, StoreError>) + Send + 'static) -> Self {
        Self { observer: Some(Box::new(observer)), ..self }
    }
}

impl Acknowledgement {
    /// Resolves the receipt. It is no fault if nobody waits any more.
    pub fn resolve(self, outcome: Result<Committed, StoreError>) {
        let _nobody_waits = self.0.send(outcome);
    }
}

impl Future for Receipt {
    type Output = Result<Committed, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.outcome).poll(context).map(|received| {
            let outcome = received.unwrap_or(Err(StoreError::Closed));
            if let Some(observer) = self.observer.take() {
                observer(&outcome);
            }
            outcome
        })
    }
}
