//! What whoever watches reads when a command was rated an attack.
//!
//! Promises that the command and the reason are framed, that the warning does not depend on either, and that only the
//! whole typed phrase lets the command run. Knows nothing of keys or screens.

use super::frame::{Frame, frame, frame_command, narrow_notice};
use super::notices::wrapped;
use super::severity::Severity;

/// The phrase that lets one command run.
pub const RUN_ANYWAY: &str = "run anyway";

/// What stands in front of the typed phrase.
pub const RUN_ANYWAY_PROMPT: &str = "Type the phrase, or anything else to stop:";

/// What is said once the phrase was typed.
pub const AFTER_RUN_ANYWAY: &str =
    "This one command runs now. Nothing was remembered: the next one like it halts the run again.";

/// What is said under every banner, whatever the command is: what can be typed and what follows.
pub const CONTROLS: [&str; 4] = [
    "What it does may be impossible to take back.",
    "  `run anyway` lets this one command run.",
    "  Anything else stops the run.",
    "  Neither is remembered.",
];

/// Whether the typed line is the whole phrase; letter case and blanks around it do not matter. There is no second
/// attempt: any other line stops the run.
#[must_use]
pub fn is_run_anyway(typed: &str) -> bool {
    typed.trim().eq_ignore_ascii_case(RUN_ANYWAY)
}

/// The banner, row by row, without the prompt: what happened, the command, the reason and what can be typed.
#[must_use]
pub fn attack_banner(command: &str, reason: &str, limits: &Frame) -> Vec<String> {
    let mut rows = vec!["RUN HALTED: this command was rated an attack.".to_owned()];
    rows.extend(attacking_command(command, reason, limits));
    rows.extend(CONTROLS.map(str::to_owned));
    rows
}

/// The middle of the banner: what the rating means, the command and the reason.
#[must_use]
pub fn attacking_command(command: &str, reason: &str, limits: &Frame) -> Vec<String> {
    let heading = format!("{} {}", Severity::Attack.glyph(), Severity::Attack.heading());
    let mut rows = wrapped(&heading, limits.width());
    rows.extend(narrow_notice(limits.columns).map(str::to_owned));
    rows.push("The command:".to_owned());
    rows.extend(frame_command(command, limits));
    rows.push("The auto-rater's reason:".to_owned());
    rows.extend(frame(reason, limits));
    rows
}
