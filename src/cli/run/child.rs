//! The command that is run: it has the terminal, gets the signals, and says how it ended.
//!
//! Promises that a signal reaches the command exactly once. Knows nothing of the gate.

use crate::cli::credentials;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::display::one_line;
use rustix::process::{Pid, Signal, getpgrp, kill_process};
use std::ffi::OsString;
use std::io::ErrorKind;
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// There is no such command, as shells say it.
const NOT_FOUND: u8 = 127;

/// There is one, and it cannot be run.
const NOT_RUN: u8 = 126;

/// Runs a command to its end, with these variables beside those of this process.
///
/// # Errors
/// The system does not let signals be handled, or loses the command.
pub(super) async fn run(command: &[OsString], variables: &[(&str, OsString)]) -> Result<Exit, Failure> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Failure::new("there is no command to run"));
    };
    // Before the command starts: a signal that comes early must not end this process and leave the command behind.
    let mut signals = signals().map_err(|error| Failure::new(format!("cannot handle signals: {error}")))?;
    // In this process's own group: the terminal treats both as one job, and an interactive program keeps its terminal.
    let mut prepared = Command::new(program);
    prepared.args(arguments).envs(variables.iter().map(|(name, value)| (name, value)));
    // What shows another gate who calls is none of the command's business: this one asks for nothing.
    for name in credentials::VARIABLES {
        prepared.env_remove(name);
    }
    let mut child = match prepared.spawn() {
        Ok(child) => child,
        Err(error) => return Ok(not_started(program, &error)),
    };
    let lost = |error: std::io::Error| Failure::new(format!("the command was lost: {error}"));
    loop {
        tokio::select! {
            ended = child.wait() => return Ok(ended.map_err(lost)?.into()),
            Some(signal) = signals.recv() => pass_on(&child, signal),
        }
    }
}

fn not_started(program: &OsString, error: &std::io::Error) -> Exit {
    let name = one_line(&program.to_string_lossy());
    let (failure, code) = match error.kind() {
        ErrorKind::NotFound => {
            let advice = "check its spelling and PATH; options of `haltgate run` stand before `--`";
            (Failure::new(format!("there is no command {name}")).advise(advice), NOT_FOUND)
        }
        _other => (Failure::new(format!("{name} cannot be run: {error}")), NOT_RUN),
    };
    output::complain(&failure.render());
    Exit::AsRun(code)
}

fn pass_on(child: &Child, signal: Signal) {
    if from_terminal(signal) {
        return;
    }
    let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else { return };
    if let Err(error) = kill_process(pid, signal) {
        tracing::warn!(%error, "a signal did not reach the command");
    }
}

/// Whether the command has the signal already: what is typed at a terminal goes to its whole foreground group.
fn from_terminal(signal: Signal) -> bool {
    let typed = signal == Signal::INT || signal == Signal::QUIT;
    typed
        && std::fs::File::open("/dev/tty")
            .is_ok_and(|terminal| rustix::termios::tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp()))
}

/// What asks a process for something, in place of what it would do to this one.
const PASSED_ON: [(fn() -> SignalKind, Signal); 6] = [
    (SignalKind::interrupt, Signal::INT),
    (SignalKind::terminate, Signal::TERM),
    (SignalKind::hangup, Signal::HUP),
    (SignalKind::quit, Signal::QUIT),
    (SignalKind::user_defined1, Signal::USR1),
    (SignalKind::user_defined2, Signal::USR2),
];

/// The signals that this process gets from now on, except those that it was started to ignore, as by `nohup`: the
/// command ignores them too.
fn signals() -> std::io::Result<mpsc::Receiver<Signal>> {
    let ignored = ignored();
    let (sender, receiver) = mpsc::channel(PASSED_ON.len());
    for (kind, number) in PASSED_ON {
        let bit = u32::try_from(number.as_raw() - 1).ok().and_then(|shift| 1_u64.checked_shl(shift));
        if bit.is_some_and(|bit| ignored & bit != 0) {
            continue;
        }
        let mut received = signal(kind())?;
        let sender = sender.clone();
        tokio::spawn(
            async move { while received.recv().await.is_some() && sender.send(number).await.is_ok() {} },
        );
    }
    Ok(receiver)
}

/// The signals that this process ignores, a bit for each. Where the system does not say, none.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
