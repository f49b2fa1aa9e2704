//! Playing the conversation, and showing each turn.
//!
//! Promises that a turn which comes out otherwise than scripted is said loudly. Knows nothing of servers.

use super::script::{SESSIONS, TURNS, Turn};
use crate::cli::audit;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::show;
use crate::cli::style::{self, painted};
use crate::cli::words;
use crate::client::Client;
use crate::display::{DEFAULT_COLUMNS, Frame, frame, one_line};
use crate::proto::v1 as pb;
use crate::proto::v1::{Action, Stage};

/// Columns in front of everything about a turn.
const INDENT: &str = "    ";

/// Columns of the action, so that stages stand under one another.
const ACTION_COLUMNS: usize = 10;

/// Columns of what the model is told, at most: what the eye follows without effort.
const MESSAGE_COLUMNS: usize = 80;

/// Plays every turn. A bad exit means that one of them came out otherwise.
pub(super) async fn play(client: &Client) -> Result<Exit, Failure> {
    for (session, rung) in SESSIONS {
        let session_id = session.to_owned();
        client
            .open_session(pb::OpenSessionRequest { session_id, rung: rung.into(), ..Default::default() })
            .await?;
    }
    let mut as_scripted = true;
    for (number, turn) in TURNS.iter().enumerate() {
        as_scripted &= play_turn(client, number + 1, turn).await?;
    }
    let verified = client.verify_audit(pb::VerifyAuditRequest::default()).await?;
    as_scripted &= verified.intact;
    let title = painted(style::HEADING, "All of it is in a hash chain, which holds:");
    output::write(&format!("\n{title} {}", audit::render(&verified)))?;
    if !as_scripted {
        output::write(&format!("\n{}\n", painted(style::ERROR, "Not everything came out as scripted.")))?;
    }
    Ok(if as_scripted { Exit::Good } else { Exit::Bad })
}

async fn play_turn(client: &Client, number: usize, turn: &Turn) -> Result<bool, Failure> {
    let call = turn.wish.call();
    let request = pb::DecideRequest {
        session_id: turn.session.to_owned(),
        run_id: "run-1".to_owned(),
        request_id: turn.request.to_owned(),
        call: Some(call.clone()),
        ..pb::DecideRequest::default()
    };
    let said = client.decide(request.clone()).await?;
    let mut text = format!("\n{number:>2}  {}\n{}", painted(style::HEADING, turn.title), framed_call(&call));
    text.push_str(&outcome(&said));
    let mut as_scripted = expect(&said, turn.said, turn.replayed, &mut text);
    if let (Some(scope), Action::Escalate) = (turn.approved, said.action()) {
        let answer = pb::AnswerRequest {
            target: Some(pb::answer_request::Target::EscalationId(said.escalation_id.clone())),
            verdict: pb::Verdict::Approve.into(),
            scope: scope.into(),
            ..pb::AnswerRequest::default()
        };
        client.answer(answer).await?;
        let answered = client.decide(request).await?;
        let label = format!("{:<ACTION_COLUMNS$}", "you:");
        text.push_str(&format!("{INDENT}{label}approve, {}\n", words::scope(scope)));
        text.push_str(&outcome(&answered));
        let (_, stage) = turn.said;
        as_scripted &= expect(&answered, (Action::Approve, stage), true, &mut text);
        as_scripted &= answered.scope() == scope;
    }
    output::write(&text)?;
    Ok(as_scripted)
}

/// Whether a decision is the scripted one; if not, the text says so.
fn expect(
    response: &pb::DecideResponse,
    (action, stage): (Action, Stage),
    replayed: bool,
    text: &mut String,
) -> bool {
    let as_scripted =
        response.action() == action && response.stage() == stage && response.replayed == replayed;
    if !as_scripted {
        let replay = if replayed { ", replayed" } else { "" };
        let line = format!("the script has {} {}{replay} here", words::action(action), words::stage(stage));
        text.push_str(&format!("{INDENT}{}\n", painted(style::ERROR, &line)));
    }
    as_scripted
}

/// The call in numbered rows, without the notices of a prompt.
fn framed_call(call: &pb::Call) -> String {
    let limits = Frame { columns: DEFAULT_COLUMNS, max_lines: 6, max_rows: None };
    let line = match &call.kind {
        Some(pb::call::Kind::Shell(shell)) => shell.command.clone(),
        Some(_) | None => show::call_line(Some(call)),
    };
    indented(frame(&line, &limits))
}

/// Action, stage and why, and what the model is told.
fn outcome(response: &pb::DecideResponse) -> String {
    let name = words::action(response.action());
    let gap = " ".repeat(ACTION_COLUMNS.saturating_sub(name.len()).max(1));
    let action = painted(style::action(response.action()), name);
    let stage = words::stage(response.stage());
    let why = show::fitted(&why(response), INDENT.len() + ACTION_COLUMNS + stage.len() + 3);
    let mut text = format!("{INDENT}{action}{gap}{stage}  {}\n", painted(style::FAINT, &why));
    if response.action() == Action::Reject && response.matched_rule.is_none() {
        let room = output::columns().saturating_sub(INDENT.len() + ACTION_COLUMNS + 3).min(MESSAGE_COLUMNS);
        for row in show::wrapped(&response.message, room) {
            text.push_str(&format!("{INDENT}{:ACTION_COLUMNS$}│ {row}\n", ""));
        }
    }
    text
}

/// The one thing that explains the decision best, in a neutral line.
fn why(response: &pb::DecideResponse) -> String {
    if let Some(human) = &response.human {
        let stored = human.stored.as_ref().map(|entry| format!(", kept as: {}", one_line(&entry.summary)));
        return format!(
            "{} by {}{}",
            words::verdict(human.verdict()),
            one_line(&human.answered_by),
            stored.unwrap_or_default()
        );
    }
    if let Some(rule) = &response.matched_rule {
        return show::rule(rule);
    }
    if let Some(rating) = &response.rating {
        return show::rating(rating);
    }
    words::meaning(response.stage()).to_owned()
}

fn indented(rows: Vec<String>) -> String {
    rows.into_iter().map(|row| format!("  {row}\n")).collect()
}
