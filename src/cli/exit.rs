//! What a command says with its exit code.
//!
//! Promises the codes of the documentation. Knows nothing of how a command came to its result.

use crate::proto::v1::Action;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

/// What shells add to the number of the signal that ended a command.
const BY_SIGNAL: i32 = 128;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// It did what it was asked, and the answer is good.
    Good,
    /// It did what it was asked, and the answer is bad: rejected, errors found, a chain broken.
    Bad,
    /// It was used wrongly, or could not do what it was asked.
    Fault,
    /// A human was asked and has not answered.
    Escalated,
    /// The run was halted.
    Halted,
    /// Approval was needed and nobody can answer.
    Unattended,
    /// As the command that was run ended.
    AsRun(u8),
}

impl Exit {
    /// What an agent's backend must do, as an exit code. An action that this version does not know is a rejection.
    pub(super) fn of(action: Action) -> Self {
        match action {
            Action::Approve => Self::Good,
            Action::Reject | Action::Unspecified => Self::Bad,
            Action::Escalate => Self::Escalated,
            Action::Halt => Self::Halted,
            Action::Unattended => Self::Unattended,
        }
    }
}

impl From<ExitStatus> for Exit {
    /// As a shell says it: the code, or 128 and the number of the signal.
    fn from(status: ExitStatus) -> Self {
        let code = status.code().or_else(|| status.signal().map(|number| BY_SIGNAL + number));
        Self::AsRun(code.and_then(|code| u8::try_from(code & 0xff).ok()).unwrap_or(u8::MAX))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Good => 0,
            Exit::Bad => 1,
            Exit::Fault => 2,
            Exit::Escalated => 3,
            Exit::Halted => 4,
            Exit::Unattended => 5,
            Exit::AsRun(code) => code,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_approval_is_a_success_and_what_is_not_known_is_a_rejection() {
        let cases = [
            (Action::Approve, 0),
            (Action::Reject, 1),
            (Action::Escalate, 3),
            (Action::Halt, 4),
            (Action::Unattended, 5),
            (Action::Unspecified, 1),
        ];
        for (action, code) in cases {
            assert_eq!(ExitCode::from(Exit::of(action)), ExitCode::from(code), "{action:?}");
        }
        assert_eq!(ExitCode::from(Exit::Fault), ExitCode::from(2));
    }
}
