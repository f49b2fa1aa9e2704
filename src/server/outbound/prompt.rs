//! A question to a human as rows to print: headline, the call in its frame, the rating, the exchange, what would be stored.
//!
//! Promises that every text an agent or a model wrote passes through `display`, and that the whole fits in a message.

use crate::display::{Frame, Headline, Severity, attack_banner, frame, frame_command, wrapped};
use crate::gate::{AttackHalt, Call, Escalation, Outcome, Rating, Round, SHELL_TOOL};
use crate::proto::v1 as pb;
use crate::session::SubjectView;

/// Rows of a call or a reason.
const BODY_ROWS: usize = 40;
/// Rows of a notice.
const NOTICE_ROWS: usize = 4;
/// Rows of an entry on offer.
const ENTRY_ROWS: usize = 4;
/// Rows of one round of an exchange.
const ROUND_ROWS: usize = 6;

fn rows(limit: usize) -> Frame {
    Frame { max_rows: Some(limit), ..Frame::default() }
}

/// An escalation as rows.
pub(super) fn escalation_prompt(escalation: &Escalation, subject: &SubjectView) -> pb::Prompt {
    let headline = match subject {
        SubjectView::Shell { .. } => Headline::Shell { tool: SHELL_TOOL },
        SubjectView::Tool { name, .. } => Headline::Tool { name },
        SubjectView::McpTool { server, name, registered, .. } => {
            Headline::McpTool { server, name, registered }
        }
    };
    let headline = format!("{headline}.");
    let mut lines = wrapped(&headline, Frame::default().width());
    for notice in &escalation.notices {
        lines.extend(frame(&notice.text, &rows(NOTICE_ROWS)));
    }
    lines.extend(called(&escalation.call));
    if let Some(rating) = &escalation.rating {
        lines.extend(rated(rating));
    }
    if let Some(entry) = &escalation.escalated_by {
        lines.push("An escalate entry of the policy asks for you:".to_owned());
        lines.extend(frame(entry, &rows(ENTRY_ROWS)));
    }
    if !escalation.rounds.is_empty() {
        lines.push(format!("{} attempts were turned down before:", escalation.attempts));
        lines.extend(exchange(&escalation.rounds));
    }
    if let Some(offer) = &escalation.grant {
        lines.push("Approving for the session, or always, stores exactly:".to_owned());
        lines.extend(frame(&offer.preview, &rows(ENTRY_ROWS)));
    }
    if let Some(offer) = &escalation.denial {
        lines.push("Refusing for the rest of the session keeps in memory exactly:".to_owned());
        lines.extend(frame(&offer.preview, &rows(ENTRY_ROWS)));
    }
    pb::Prompt { headline, framed_lines: lines }
}

/// A call as rows.
fn called(call: &Call) -> Vec<String> {
    match call.command_text() {
        Some(command) => frame_command(command, &rows(BODY_ROWS)),
        None => frame(&call.arguments_text(), &rows(BODY_ROWS)),
    }
}

/// A call and its rating as rows.
pub(in crate::server) fn rated_call(call: &Call, rating: &Rating) -> Vec<String> {
    let mut lines = called(call);
    lines.extend(rated(rating));
    lines
}

/// A rating as rows: what it means, and the reason.
fn rated(rating: &Rating) -> Vec<String> {
    let severity = match rating.outcome {
        Outcome::Safe => Severity::Safe,
        Outcome::Destructive => Severity::Destructive,
        Outcome::Catastrophic => Severity::Catastrophic,
        Outcome::Attack => Severity::Attack,
    };
    let heading = format!("{} {}", severity.glyph(), severity.heading());
    let mut lines = wrapped(&heading, Frame::default().width());
    lines.extend(frame(&rating.reason, &rows(BODY_ROWS)));
    lines
}

/// The rounds of an argument as rows.
pub(super) fn exchange(rounds: &[Round]) -> Vec<String> {
    let mut lines = Vec::new();
    for round in rounds {
        lines.push(format!("Round {}, the agent wanted:", round.number));
        lines.extend(frame(&round.command, &rows(ROUND_ROWS)));
        if let Some(justification) = &round.justification {
            lines.push("It said:".to_owned());
            lines.extend(frame(justification, &rows(ROUND_ROWS)));
        }
        lines.push("The rater said:".to_owned());
        lines.extend(frame(&round.reason, &rows(ROUND_ROWS)));
    }
    lines
}

/// An attack as rows.
pub(super) fn attack_prompt(halt: &AttackHalt) -> pb::Prompt {
    let command = halt.call.command_text().map_or_else(|| halt.call.arguments_text(), str::to_owned);
    pb::Prompt {
        headline: "A run was halted: a command was rated an attack.".to_owned(),
        framed_lines: attack_banner(&command, &halt.rating.reason, &rows(BODY_ROWS)),
    }
}
