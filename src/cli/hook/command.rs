//! The command line that an agent runs as its hook.
//!
//! Promises that an agent takes a hook which cannot run for a refusal. Knows nothing of settings files.

use super::agent::Agent;
use super::{Instead, Manner};
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
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("{} || {{ echo 'haltgate: the hook did not run' >&2; exit 2; }}", words.join(" "))
}

/// The longest that the hook may take.
pub(super) fn timeout(agent: Agent, manner: &Manner, connection: &Connection) -> Duration {
    manner.wait(agent).saturating_add(connection.timeout()).saturating_add(MARGIN)
}

/// Whether a command of a settings file is this hook, in whichever manner.
pub(super) fn is_ours(agent: Agent, command: &str) -> bool {
    command.contains("haltgate") && command.contains(&format!(" hook {}", agent.word()))
}

/// A word as a shell takes it whole.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:=@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_reaches_the_hook_whole() {
        for (word, text) in [
            ("haltgate", "haltgate"),
            ("/opt/my tools/haltgate", "'/opt/my tools/haltgate'"),
            ("it's", r"'it'\''s'"),
            ("$(x)", "'$(x)'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), text);
        }
    }
}
