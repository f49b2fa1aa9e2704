//! Serving a gate beside what it is there for: a conversation, a command.
//!
//! Knows nothing of that.

use super::failure::Failure;
use crate::server::{Running, ServeError};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A gate that serves beside something else.
#[derive(Debug)]
pub(super) struct Serving {
    end: oneshot::Sender<()>,
    task: JoinHandle<Result<(), ServeError>>,
}

impl Serving {
    /// Serves from now on.
    pub(super) fn of(running: Running) -> Self {
        let (end, ended) = oneshot::channel::<()>();
        let task = tokio::spawn(running.stopped(async {
            // Whoever drops the sender wants the end, too.
            let _asked = ended.await;
        }));
        Self { end, task }
    }

    /// Ends it, when what is under way is done.
    ///
    /// # Errors
    /// It ended in another way.
    pub(super) async fn end(self) -> Result<(), Failure> {
        drop(self.end);
        let served =
            self.task.await.map_err(|error| Failure::new(format!("the gate ended by itself: {error}")))?;
        served.map_err(|error| Failure::new(error.to_string()))
    }
}
