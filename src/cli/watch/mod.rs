//! `haltgate watch`: what waits for a human, live, and the answers to it.
//!
//! Promises that whatever an agent or a model wrote is framed or in one neutral line, and that only the exact typed phrase
//! lets a halted command run. Knows the gate through `client` alone.

mod desk;
mod document;
mod draw;
mod following;
mod full_screen;
mod plain;
mod sending;
mod terminal;
mod words;

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::words::counted;
use clap::Args;
use draw::Look;
use following::Watched;
use std::io::{IsTerminal, stdin, stdout};

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
On a terminal it takes the whole screen. Each item shows who wants what, the
call in a numbered frame, its rating, and beside each key exactly what that
answer would store:

  j k          next, previous item         o   approve once
  PgUp PgDn    scroll a long call          s   approve, store for the session
  w            the whole call              a   approve, store for the project
  ?            all keys                    n   reject once (c: with a comment)
  q            leave                       d   reject, refuse for the session

A halted run takes the whole screen and the keyboard. Typing `run anyway` and
Enter lets its one command run; anything else and Enter stops the run. The
phrase must be typed: what is pasted is dropped.

A halt waits for an answer only while somebody who may answer is connected.
With --observe-only no halt waits for this watcher.

Lost connections are made anew, behind the last message that was seen. The
first answer wins; the others are told who gave it.

Where standard output is no terminal, or with --plain, each event is a block
of lines with the `haltgate answer` commands that settle it. On a terminal
these commands can be typed below. --json prints the messages of both feeds,
one to a line: {\"escalations\": {…}} or {\"attackHalts\": {…}}.

Examples:
  haltgate watch
  haltgate watch --session build-42
  haltgate watch --plain --observe-only >> questions.log
  haltgate watch --json --observe-only | jq -c 'select(.attackHalts.raised)'")]
pub(super) struct WatchOptions {
    /// Only this session
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    session: String,
    /// Only this run
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    run: String,
    /// Answer nothing, and let no halt wait for this watcher
    #[arg(long)]
    observe_only: bool,
    /// Lines instead of a whole screen
    #[arg(long)]
    plain: bool,
    /// Do not ring for questions; a halted run always rings
    #[arg(long)]
    no_bell: bool,
}

impl WatchOptions {
    /// Runs the command until it is told to leave.
    ///
    /// # Errors
    /// No gate answers, it refuses the feeds, or the terminal is gone.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let client = connection.open().await?;
        let watched = Watched {
            project: connection.project.clone(),
            session: self.session,
            run: self.run,
            observe_only: self.observe_only,
        };
        if connection.json {
            plain::write_json(&client, &watched).await?;
            return Ok(Exit::Good);
        }
        let rings = !self.no_bell;
        let left = if self.plain || !is_capable() {
            plain::watch(&client, &watched, connection, rings).await?
        } else {
            let look = Look { colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) };
            full_screen::watch(client, watched.clone(), rings, look).await?
        };
        output::write(&goodbye(&left, watched.observe_only))?;
        Ok(Exit::Good)
    }
}

/// What is still open when a watcher leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Left {
    /// Questions that go on waiting.
    questions: usize,
    /// Halted runs that may have lost their last watcher.
    halts: usize,
}

/// What leaving means for what was open.
fn goodbye(left: &Left, observed_only: bool) -> String {
    let mut text = String::new();
    if left.questions > 0 {
        let verb = if left.questions == 1 { "waits" } else { "wait" };
        let count = counted(left.questions as u64, "question");
        text.push_str(&format!("{count} still {verb} for an answer.\n"));
    }
    if left.halts > 0 && !observed_only {
        let count = counted(left.halts as u64, "halted run");
        text.push_str(&format!(
            "{count} had no answer: without another watcher within 5 s it stays halted for good.\n"
        ));
    }
    text
}

/// Whether the terminal can be drawn on and typed at.
fn is_capable() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|kind| kind.is_empty() || kind == "dumb");
    stdout().is_terminal() && stdin().is_terminal() && !is_dumb
}
