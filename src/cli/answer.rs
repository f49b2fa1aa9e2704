//! `haltgate answer`: a human's answer to an escalation or an attack halt.
//!
//! Knows nothing of what it leads to.

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::show;
use super::time::{ahead, parse_duration};
use super::words::{ScopeWord, VerdictWord};
use crate::display::one_line;
use crate::proto::v1 as pb;
use clap::Args;
use std::time::Duration;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
The first answer wins. `decide` and `decisions list` show the ids.

Examples:
  haltgate answer 0199f0c2-… approve
  haltgate answer 0199f0c2-… approve --scope always --expires 7d --note 'for the release'
  haltgate answer 0199f0c2-… reject --scope session --comment 'use the staging registry'
  haltgate answer 0199f0c3-… run-anyway              lets one halted command run")]
pub(super) struct AnswerOptions {
    /// The escalation, or for run-anyway and stop the attack halt
    #[arg(value_name = "ID")]
    id: String,
    /// The answer
    #[arg(value_enum)]
    verdict: VerdictWord,
    /// How far it reaches
    #[arg(long, value_enum, default_value = "once")]
    scope: ScopeWord,
    /// What the agent is told with it
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    #[command(flatten)]
    terms: TermOptions,
}

/// What bounds a grant.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "What bounds the grant")]
pub(super) struct TermOptions {
    /// It ends after this time
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    expires: Option<Duration>,
    /// It ends after so many uses
    #[arg(long, value_name = "N")]
    max_uses: Option<u32>,
    /// A note for people
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl TermOptions {
    /// The terms in the contract's form; nothing where nothing bounds the grant.
    ///
    /// # Errors
    /// The time is beyond the calendar.
    pub(super) fn terms(&self) -> Result<Option<pb::GrantTerms>, Failure> {
        let expires_at = self
            .expires
            .map(ahead)
            .transpose()
            .map_err(|problem| Failure::new(format!("--expires {problem}")))?;
        let stated = expires_at.is_some() || self.max_uses.is_some() || self.note.is_some();
        let note = self.note.clone().unwrap_or_default();
        Ok(stated.then_some(pb::GrantTerms { expires_at, max_uses: self.max_uses, note }))
    }
}

impl AnswerOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The answer was not taken.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        use pb::answer_request::Target;
        let target = match self.verdict {
            VerdictWord::Approve | VerdictWord::Reject => Target::EscalationId(self.id),
            VerdictWord::RunAnyway | VerdictWord::Stop => Target::HaltId(self.id),
        };
        let request = pb::AnswerRequest {
            project: connection.project.clone(),
            target: Some(target),
            verdict: pb::Verdict::from(self.verdict).into(),
            scope: pb::Scope::from(self.scope).into(),
            comment: self.comment.unwrap_or_default(),
            terms: self.terms.terms()?,
            request_id: String::new(),
        };
        let response = connection.open().await?.answer(request).await?;
        if connection.json {
            output::write_message("AnswerResponse", &response)?;
        } else {
            output::write(&render(&response))?;
        }
        Ok(Exit::Good)
    }
}

fn render(response: &pb::AnswerResponse) -> String {
    use pb::answer_response::Settled;
    let (call, answer, session) = match &response.settled {
        Some(Settled::Escalation(settled)) => (&settled.call, &settled.answer, &settled.session_id),
        Some(Settled::Halt(settled)) => (&settled.call, &settled.answer, &settled.session_id),
        None => return String::new(),
    };
    let mut text = String::new();
    if let Some(answer) = answer {
        text.push_str(&format!("{}\n", show::human(answer)));
    }
    if let Some(call) = call {
        text.push_str(&show::call(call));
    }
    text.push_str(&show::labelled("session", &one_line(session)));
    text
}
