//! Being told to stop.
//!
//! Promises that the first signal asks and the second one ends the process at once. Knows nothing of what is stopped.

use super::failure::Failure;
use std::future::Future;
use tokio::signal::unix::{SignalKind, signal};

/// The exit code of a process that was interrupted: 128 and the number of SIGINT, as shells say it.
const INTERRUPTED: i32 = 130;

/// A future that resolves at the first SIGINT or SIGTERM.
///
/// # Errors
/// The system does not let signals be handled.
pub(super) fn stop() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("cannot handle signals: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(cannot)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(cannot)?;
    Ok(async move {
        tokio::select! {
            _interrupted = interrupt.recv() => {}
            _terminated = terminate.recv() => {}
        }
        tracing::info!("stopping; requests under way may finish, a second signal ends at once");
        tokio::spawn(async move {
            tokio::select! {
                _interrupted = interrupt.recv() => {}
                _terminated = terminate.recv() => {}
            }
            std::process::exit(INTERRUPTED);
        });
    })
}
