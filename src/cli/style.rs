//! The few styles that the command line uses, by what they mean.
//!
//! Promises that nothing is said by colour alone. Whether colour is shown at all is the business of `output`.

use crate::proto::v1::{Action, Outcome};
use anstyle::{AnsiColor, Style};

/// What went wrong.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What may go wrong.
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default();
/// What went well.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The name of a value.
pub(super) const LABEL: Style = AnsiColor::Cyan.on_default();
/// A heading.
pub(super) const HEADING: Style = Style::new().bold();
/// What matters less.
pub(super) const FAINT: Style = Style::new().dimmed();

/// A text in a style.
pub(super) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// How an action looks.
pub(super) fn action(action: Action) -> Style {
    match action {
        Action::Approve => GOOD,
        Action::Reject => AnsiColor::Red.on_default().bold(),
        Action::Escalate => AnsiColor::Yellow.on_default().bold(),
        Action::Halt | Action::Unspecified => AnsiColor::White.on(AnsiColor::Red).bold(),
        Action::Unattended => AnsiColor::Magenta.on_default().bold(),
    }
}

/// How an outcome looks.
pub(super) fn outcome(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Safe => GOOD,
        Outcome::Destructive | Outcome::Unspecified => AnsiColor::Yellow.on_default().bold(),
        Outcome::Catastrophic => AnsiColor::Red.on_default().bold(),
        Outcome::Attack => AnsiColor::White.on(AnsiColor::Red).bold(),
    }
}
