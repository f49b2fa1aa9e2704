//! The words in which the gate explains itself to models and operators.
//!
//! Promises that every text says what happened and what can be done, and never names a floor's pattern. Texts that an
//! agent wrote are quoted in one line here; framing them for a screen is the business of `display`.

use super::call::Call;
use super::decision::{HumanSaid, RuleLayer, RuleMatch};
use super::floors::Hardline;
use super::negotiation::Round;
use super::rating::Rating;
use super::rung::Rung;
use crate::display;
use crate::rules::one_line;

/// How much of an agent's text a message quotes, in characters.
const QUOTED_CHARACTERS: usize = 400;

/// An agent's text in one line, cut where it is long: what a reader cannot see is visible as escapes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let kept: String = text.chars().take(QUOTED_CHARACTERS).collect();
    let cut = kept.len() < text.len();
    let mut line = display::one_line(&kept);
    if cut {
        line.push_str(" … (cut)");
    }
    line
}

/// A deny entry or an earlier refusal matched.
#[must_use]
pub fn denied(rule: &RuleMatch) -> String {
    let entry = quoted(&one_line(&rule.entry));
    match rule.layer {
        RuleLayer::Denial => format!(
            "The user refused this at an earlier prompt, and the refusal stands until this session is closed: {entry}. \
             Do not try it in another form; if you need it, ask the user."
        ),
        RuleLayer::Declared | RuleLayer::SessionGrant | RuleLayer::PersistedGrant => format!(
            "The operator's deny list forbids this: {entry}. It is declared in `approvals.deny`; only the operator can change it."
        ),
    }
}

/// The hardline floor matched.
#[must_use]
pub fn hardline(call: &Call, floor: &Hardline) -> String {
    format!(
        "Refused: this would {}. Nothing can let it through. The command was: {}",
        floor.description,
        quoted(call.command_text().unwrap_or_else(|| call.tool_name()))
    )
}

/// The rater turned it down, or a human said no: what the agent may do next.
#[must_use]
pub fn rejected(
    call: &Call,
    rating: Option<&Rating>,
    human: Option<HumanSaid>,
    comment: Option<&str>,
) -> String {
    let who = match human {
        Some(HumanSaid::Reject | HumanSaid::Approve | HumanSaid::Nobody) => "The user refused",
        None => "The approval rater refused",
    };
    let mut message = format!("{who} this call to {}.", quoted(call.tool_name()));
    if let Some(comment) = comment.filter(|comment| !comment.trim().is_empty()) {
        message.push_str(&format!(" They said: {}", comment.trim()));
    }
    if let Some(rating) = rating {
        message.push_str(&format!(" Reason: {}", rating.reason));
    }
    message.push_str(
        " You can send the same command with a justification that answers this, choose a different command, or ask the user.",
    );
    if let Some(tool) = rating.and_then(|rating| rating.suggested_tool.as_deref()) {
        message.push_str(&format!(" The tool {} would do and needs no approval.", quoted(tool)));
    }
    message
}

/// An attack: what the operator is told. The model gets nothing of it.
#[must_use]
pub fn attack(call: &Call, rating: &Rating) -> String {
    format!(
        "Run halted: the rater called this command an attack. Command: {}. Reason: {} This is not negotiable for the agent. \
         If the command is really wanted, declare it in `approvals.allow`; the rung `bypass` is the blunter last resort.",
        quoted(call.command_text().unwrap_or_else(|| call.tool_name())),
        rating.reason
    )
}

/// A human was asked and has not answered yet: what the caller is told meanwhile.
#[must_use]
pub fn waiting(call: &Call) -> String {
    format!(
        "A human was asked whether this may run: {}. It must not run before they approve it; send the same request again \
         to pick up the answer.",
        quoted(call.command_text().unwrap_or_else(|| call.tool_name()))
    )
}

/// Nobody can answer.
#[must_use]
pub fn unattended(
    call: &Call,
    rating: Option<&Rating>,
    escalated_by: Option<&str>,
    rounds: &[Round],
) -> String {
    let mut message = format!(
        "Approval was needed and nobody can answer in this session. Call: {}.",
        quoted(call.command_text().unwrap_or_else(|| call.tool_name()))
    );
    if let Some(rating) = rating {
        message.push_str(&format!(" Rated {}: {}", rating.outcome, rating.reason));
    }
    for round in rounds {
        message.push_str(&format!(" Round {}: {} — {}", round.number, quoted(&round.command), round.reason));
    }
    match escalated_by {
        Some(entry) => message.push_str(&format!(
            " The escalate entry {} asked for a human, and no allow entry outranks it: remove that entry to let the call run unattended.",
            quoted(entry)
        )),
        None => message.push_str(
            " To let it run unattended, declare it in `approvals.allow`, for example \
             { \"type\": \"shell\", \"matcher\": \"exact\", \"pattern\": \"npm test\" }.",
        ),
    }
    message
}

/// A rating ran out of time.
#[must_use]
pub fn rating_timeout(timeout_ms: u32, what_happened: &str, count: u32) -> String {
    let mut text = format!(
        "A rating took longer than {timeout_ms} ms and was given up on; the command {what_happened}."
    );
    if count > 1 {
        text.push_str(&format!(" That is {count} times in this session."));
    }
    text.push_str(" The limit is `approvals.raterTimeoutMs`.");
    text
}

/// No model was asked, because the project has spent what it may.
#[must_use]
pub fn budget_spent(what_happened: &str) -> String {
    format!(
        "This project's budget for ratings by models is spent, so that none was asked; the command {what_happened}. The budget is \
         `limits.ratings`."
    )
}

/// What a session's rung means, said once when it opens. It never speaks of the floor.
#[must_use]
pub fn posture(rung: Rung) -> &'static str {
    match rung {
        Rung::Manual => "Shell commands need your approval one by one, as do all tools but built-in reads.",
        Rung::Write => "Shell commands need your approval one by one; the built-in file tools are free.",
        Rung::Assisted => "Shell commands are rated; anything not rated safe is refused or brought to you.",
        Rung::Auto => {
            "Shell commands are rated and argued over with the agent; anything not rated safe is refused or brought to you."
        }
        Rung::Bypass => {
            "Nothing is asked or rated in this session; only the deny list applies. Choose another rung to switch approvals back on."
        }
    }
}
