//! Threads that read, each with a connection of its own. In memory there is only the writer's connection, and reads
//! queue up behind the batches there: the same statements, the same answers.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::writer::Work;
use crate::store::Reading;
use crate::store::error::{OpenError, StoreError};

/// Something to do with a connection.
pub(super) type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Where reads go.
#[derive(Debug)]
pub(super) enum Readers {
    /// To threads of their own.
    Pool(Mutex<Option<Sender<Job>>>),
    /// To the thread that writes.
    Writer(Sender<Work>),
}

impl Readers {
    /// Starts one thread per connection; they end when the pool is closed or dropped.
    pub(super) fn pool(connections: Vec<Connection>) -> Result<(Self, Vec<JoinHandle<()>>), OpenError> {
        let (sender, receiver) = channel::<Job>();
        let jobs = Arc::new(Mutex::new(receiver));
        let threads = connections
            .into_iter()
            .map(|connection| {
                let jobs = Arc::clone(&jobs);
                std::thread::Builder::new()
                    .name("haltgate-reader".into())
                    .spawn(move || work(&connection, &jobs))
                    .map_err(OpenError::Thread)
            })
            .collect::<Result<_, _>>()?;
        Ok((Self::Pool(Mutex::new(Some(sender))), threads))
    }

    /// Runs a read and hands its result to whoever waits.
    pub(super) fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Reading<T> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // Whoever gave up meanwhile does not cost a query.
            if !reply.is_closed() {
                let _nobody_waits = reply.send(read(connection));
            }
        });
        // A closed store drops the job and with it the reply, which the reader below hears.
        match self {
            Self::Pool(sender) => {
                let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
                let _closed = sender.as_ref().map(|sender| sender.send(job));
            }
            Self::Writer(sender) => {
                let _closed = sender.send(Work::Read(job));
            }
        }
        Box::pin(async move { answer.await.unwrap_or(Err(StoreError::Closed)) })
    }

    /// Takes no more reads; those already queued are still answered.
    pub(super) fn close(&self) {
        match self {
            Self::Pool(sender) => *sender.lock().unwrap_or_else(PoisonError::into_inner) = None,
            Self::Writer(_) => {}
        }
    }
}

fn work(connection: &Connection, jobs: &Mutex<Receiver<Job>>) {
    loop {
        // The lock is held only while waiting for a job, never while doing one.
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(job) => job(connection),
            Err(_closed) => return,
        }
    }
}
