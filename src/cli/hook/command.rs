//! The command line that an agent runs as its hook.
//!
//! Promises that an agent takes a hook which cannot run for a refusal. Knows nothing of settings files.

use super::agent::Agent;
use super::{Instead, Manner};
use crate::cli::call::command_of;
use crate::cli::connection::Connection;
use std::time::Duration;

/// How much longer than its wait a hook may take: connecting, deciding, looking for a gate that went away.
const MARGIN: Duration = Duration::from_secs(30);

/// The command line, for a shell. Agents let a call run when its hook fails in any other way than with code 2.
pub(super) fn line(agent: Agent, program: &str, manner: &Manner, connection: &Connection) -> String {
    let mut words = vec![program.to_owned(), "hook".to_owned(), agent.word().to_owned()];
    words.extend(connection.as_words());
    if let Some(wait) = manner.wait {
        words.extend(["--wait".to_owned(), format!("{}ms", wait.as_millis())]);
    }
    let instead = |what: Instead| match what {
        Instead::Ask => "ask".to_owned(),
        Instead::Deny => "deny".to_owned(),
    };
    if let Some(then) = manner.then {
        words.extend(["--then".to_owned(), instead(then)]);
    }
    if manner.on_unavailable != Instead::Deny {
        words.extend(["--on-unavailable".to_owned(), instead(manner.on_unavailable)]);
    }
    let hook = command_of(&words);
    format!("{hook} || {{ echo 'haltgate: the hook did not run' >&2; exit 2; }}")
}

/// The longest that the hook may take.
pub(super) fn timeout(agent: Agent, manner: &Manner, connection: &Connection) -> Duration {
    manner.wait(agent).saturating_add(connection.timeout()).saturating_add(MARGIN)
}

/// Whether a command of a settings file is this hook, in whichever manner.
pub(super) fn is_ours(agent: Agent, command: &str) -> bool {
    command.contains("haltgate") && command.contains(&format!(" hook {}", agent.word()))
}
