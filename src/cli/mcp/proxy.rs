//! Everything between the four streams: two directions that never wait for one another, and the calls that are judged
//! beside them.
//!
//! Promises that a call which is being judged holds up nothing but itself. Knows nothing of how it is judged.

use super::operator::say;
use super::registrar::{self, Registrar};
use super::server::Server;
use super::{Place, judging, pipes};
use crate::cli::connection::Connection;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::mcp::{FromClient, FromServer, Line, Ticket, ToolCall, Traffic};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{AbortHandle, JoinSet};
use uuid::Uuid;

/// How many questions wait for the registrar.
const QUESTIONS: usize = 16;

/// How long the last messages have to reach the client.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How many lines that the server writes beside its messages are told of.
const TOLD_DROPS: u32 = 10;

/// A proxy that is about to run.
pub(super) struct Proxy {
    pub(super) server: Server,
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    pub(super) place: Place,
    pub(super) connection: Connection,
    pub(super) bound: usize,
}

/// What both directions and the calls that are judged share.
pub(super) struct Shared {
    pub(super) place: Place,
    /// The ids of the proxy's own requests begin with it.
    pub(super) own: String,
    pub(super) to_client: mpsc::Sender<String>,
    pub(super) to_server: mpsc::Sender<String>,
    pub(super) registrar: mpsc::Sender<registrar::Question>,
    traffic: Mutex<Traffic>,
    answers: Mutex<HashMap<String, oneshot::Sender<Option<String>>>>,
    judged: Mutex<HashMap<Ticket, AbortHandle>>,
}

impl Shared {
    pub(super) fn traffic(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requests of the proxy's own that wait for an answer.
    pub(super) fn answers(&self) -> MutexGuard<'_, HashMap<String, oneshot::Sender<Option<String>>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn judged(&self) -> MutexGuard<'_, HashMap<Ticket, AbortHandle>> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Proxy {
    /// Passes messages until the client, the server or a signal ends it, and returns how the server ended.
    ///
    /// # Errors
    /// The system has no threads, or loses the server.
    pub(super) async fn run(self, stop: impl Future<Output = ()>) -> Result<Exit, Failure> {
        let lines = pipes::standard_input(self.bound)?;
        let (to_client, written) = pipes::standard_output()?;
        let (to_server, to_be_written) = mpsc::channel(1);
        let (closing, closed) = watch::channel(false);
        let writing = tokio::spawn(pipes::server_input(self.input, to_be_written, closed));
        let (questions, asked) = mpsc::channel(QUESTIONS);
        let own = format!("haltgate-{}-", Uuid::now_v7());
        let shared = Arc::new(Shared {
            place: self.place,
            traffic: Mutex::new(Traffic::new(own.clone())),
            own,
            to_client,
            to_server,
            registrar: questions,
            answers: Mutex::default(),
            judged: Mutex::default(),
        });
        let registering =
            tokio::spawn(Registrar::new(self.connection.clone(), Arc::clone(&shared)).run(asked));
        let output = pipes::ServerOutput::new(self.output, self.bound);
        let mut backward = JoinSet::new();
        backward.spawn(from_server(Arc::clone(&shared), output, self.bound));
        tokio::select! {
            () = from_client(Arc::clone(&shared), lines, self.bound) => {}
            _ended = backward.join_next() => {}
            () = stop => {}
        }
        // Nobody waits for these any more: the call of a client that is gone must not run.
        for (_ticket, call) in shared.judged().drain() {
            call.abort();
        }
        let _nobody_waits = closing.send(true);
        let (ended, ()) = tokio::join!(self.server.end(), registrar::leave(&self.connection, &shared));
        // What the server wrote last is on its way; a process that it left behind may hold its output open for good.
        let _passed = tokio::time::timeout(LAST_WORDS, backward.join_next()).await;
        backward.shutdown().await;
        writing.abort();
        registering.abort();
        let _ended = registering.await;
        drop(shared);
        let _written = tokio::time::timeout(LAST_WORDS, written).await;
        ended
    }
}

/// Passes what the client sends, until it sends no more or the server takes no more.
async fn from_client(shared: Arc<Shared>, mut lines: mpsc::Receiver<Line>, bound: usize) {
    while let Some(line) = lines.recv().await {
        let parts = match line {
            Line::Whole(line) => shared.traffic().from_client(&line),
            Line::TooLong => vec![FromClient::too_long(bound)],
        };
        for part in parts {
            match part {
                FromClient::Forward(message) => {
                    if shared.to_server.send(message).await.is_err() {
                        return;
                    }
                }
                FromClient::Judge { call, ticket, message } => judge(&shared, *call, ticket, message),
                FromClient::GiveUp(ticket) => {
                    if let Some(call) = shared.judged().remove(&ticket) {
                        call.abort();
                    }
                }
                FromClient::Refuse { reply, why } => {
                    say(&format!("refused a message of the client: {why}"));
                    if let Some(reply) = reply
                        && shared.to_client.send(reply).await.is_err()
                    {
                        return;
                    }
                }
            }
        }
    }
}

/// Has a call judged beside everything else.
fn judge(shared: &Arc<Shared>, call: ToolCall, ticket: Ticket, message: String) {
    let mine = Arc::clone(shared);
    // Locked until it is noted, so that one which ends at once is not noted after its end.
    let mut judged = shared.judged();
    let judging = tokio::spawn(async move {
        judging::judge(&mine, &call, ticket, message).await;
        mine.judged().remove(&ticket);
    });
    judged.insert(ticket, judging.abort_handle());
}

/// Passes what the server sends, until it sends no more or the client takes no more.
async fn from_server(shared: Arc<Shared>, mut output: pipes::ServerOutput, bound: usize) {
    let mut drops = 0;
    while let Some(lines) = output.next().await {
        for line in lines {
            let parts = match line {
                Line::Whole(line) => shared.traffic().from_server(&line),
                Line::TooLong => {
                    vec![FromServer::Drop(format!("a message of the server is longer than {bound} bytes"))]
                }
            };
            for part in parts {
                match part {
                    FromServer::Forward(message) => {
                        if shared.to_client.send(message).await.is_err() {
                            return;
                        }
                    }
                    FromServer::Own { id, result } => {
                        let waiting = shared.answers().remove(&id);
                        // One that came too late is of no use any more.
                        let _unwanted = waiting.map(|waiting| waiting.send(result));
                    }
                    FromServer::Drop(why) => {
                        drops += 1;
                        if drops <= TOLD_DROPS {
                            say(&why);
                        }
                    }
                }
            }
        }
    }
}
