//! The four streams between which messages pass.
//!
//! Promises bounded memory: who reads slowly slows down who writes, in that direction alone. Threads stand at this
//! process's own streams, so that one which blocks for good does not keep the process from ending. Knows nothing of what
//! passes.

use crate::cli::failure::Failure;
use crate::mcp::{Line, Lines};
use std::io::{BufRead, Write};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot, watch};

/// How many messages a stream holds on their way.
const HELD: usize = 4;

/// How many bytes are read at a time.
const CHUNK: usize = 64 << 10;

/// The lines of standard input.
///
/// # Errors
/// The system has no thread to read them.
pub(super) fn standard_input(bound: usize) -> Result<mpsc::Receiver<Line>, Failure> {
    let (sender, receiver) = mpsc::channel(HELD);
    start("mcp-input", move || {
        let mut input = std::io::stdin().lock();
        let mut lines = Lines::new(bound);
        loop {
            // A stream that fails has ended.
            let chunk = input.fill_buf().unwrap_or_default();
            let size = chunk.len();
            let read = if size == 0 { lines.last().into_iter().collect() } else { lines.take(chunk) };
            for line in read {
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
            if size == 0 {
                return;
            }
            input.consume(size);
        }
    })?;
    Ok(receiver)
}

/// Writes messages to standard output; the second channel closes when the last one is written.
///
/// # Errors
/// The system has no thread to write them.
pub(super) fn standard_output() -> Result<(mpsc::Sender<String>, oneshot::Receiver<()>), Failure> {
    let (sender, mut receiver) = mpsc::channel::<String>(HELD);
    let (written, ended) = oneshot::channel::<()>();
    start("mcp-output", move || {
        let _when_done = written;
        let mut output = std::io::stdout().lock();
        while let Some(message) = receiver.blocking_recv() {
            let line = [message.as_bytes(), b"\n"].concat();
            if output.write_all(&line).and_then(|()| output.flush()).is_err() {
                // Nobody reads: who sends learns it from the channel.
                return;
            }
        }
    })?;
    Ok((sender, ended))
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map(drop).map_err(|error| Failure::new(format!("cannot start a thread: {error}")))
}

/// The lines of the server's output, one after another.
#[derive(Debug)]
pub(super) struct ServerOutput {
    output: ChildStdout,
    lines: Lines,
    chunk: Vec<u8>,
}

impl ServerOutput {
    pub(super) fn new(output: ChildStdout, bound: usize) -> Self {
        Self { output, lines: Lines::new(bound), chunk: Vec::with_capacity(CHUNK) }
    }

    /// The next lines; `None` at the end. Bytes without a line feed at the end are no message.
    pub(super) async fn next(&mut self) -> Option<Vec<Line>> {
        self.chunk.clear();
        match self.output.read_buf(&mut self.chunk).await {
            Ok(0) | Err(_) => None,
            Ok(_read) => Some(self.lines.take(&self.chunk)),
        }
    }
}

/// Writes messages to the server's input until it is told that there are no more, or the server reads no more.
pub(super) async fn server_input(
    mut input: ChildStdin,
    mut messages: mpsc::Receiver<String>,
    mut closing: watch::Receiver<bool>,
) {
    loop {
        let message = tokio::select! {
            biased;
            message = messages.recv() => message,
            _told = closing.wait_for(|&closing| closing) => messages.try_recv().ok(),
        };
        let Some(message) = message else { return };
        let line = [message.as_bytes(), b"\n"].concat();
        if input.write_all(&line).await.is_err() || input.flush().await.is_err() {
            return;
        }
    }
}
