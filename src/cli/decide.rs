//! `haltgate decide`: one call, one decision, one exit code.
//!
//! Promises the exit codes of the documentation, whichever gate decides. Knows nothing of how.

use super::call::CallOptions;
use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::local::{LocalGate, LocalOptions};
use super::output;
use super::show;
use super::time::parse_duration;
use crate::display::one_line;
use crate::proto::v1 as pb;
use clap::Args;
use std::time::Duration;

/// The session of calls that name none.
const SESSION: &str = "cli";

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 approve, 1 reject, 2 usage or fault, 3 escalated, 4 halted, 5 unattended

Examples:
  haltgate decide -- git status
  haltgate decide --command 'cargo test && cargo build'
  haltgate decide --wait=30s -- npm publish          hold on until a human answers
  haltgate decide --tool read_file --arguments '{\"path\": \"README.md\"}'
  haltgate decide --mcp jira create_issue --arguments '{\"title\": \"It broke\"}'
  haltgate decide --local -- git push --force        without a server")]
pub(super) struct DecideOptions {
    /// The session that the call belongs to
    #[arg(long, value_name = "ID", env = "HALTGATE_SESSION", default_value = SESSION)]
    session: String,
    /// The run that the call belongs to
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    run_id: String,
    /// Makes a retry safe: the same id and call get the same decision
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    request_id: String,
    /// Wait for the human who may be asked, without an end or at most so long
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, value_parser = parse_duration, conflicts_with = "local")]
    wait: Option<Option<Duration>>,
    #[command(flatten)]
    call: CallOptions,
    #[command(flatten)]
    local: LocalOptions,
}

impl DecideOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// There is no decision; the call must not run.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let call = self.call.call()?;
        let request = pb::DecideRequest {
            project: connection.project.clone(),
            session_id: self.session.clone(),
            run_id: self.run_id.clone(),
            request_id: self.request_id.clone(),
            call: Some(call.clone()),
            ..pb::DecideRequest::default()
        };
        let response = if self.local.is_local() {
            LocalGate::open(&self.local, &connection.project, &self.session).await?.decide(request).await?
        } else {
            let client = connection.open().await.map_err(LocalOptions::suggest)?;
            match self.wait {
                Some(limit) => client.decide_and_wait(request, limit).await?,
                None => client.decide(request).await?,
            }
        };
        let hint = answer_hint(&response, connection, self.local.is_local());
        if connection.json {
            output::write_message("DecideResponse", &response)?;
        } else {
            output::write(&format!("{}{hint}", render(&call, &response)))?;
        }
        Ok(Exit::of(response.action()))
    }
}

/// A decision as a person reads it.
fn render(call: &pb::Call, response: &pb::DecideResponse) -> String {
    let mut text = format!("{}\n{}", show::verdict(response), show::call(call));
    if let Some(rule) = &response.matched_rule {
        text.push_str(&show::labelled("rule", &show::rule(rule)));
    }
    if !response.hardline.is_empty() {
        text.push_str(&show::labelled("floor", &one_line(&response.hardline)));
    }
    if let Some(rating) = &response.rating {
        text.push_str(&show::labelled("rating", &show::rating(rating)));
    }
    if let Some(human) = &response.human {
        text.push_str(&show::labelled("human", &show::human(human)));
    }
    text.push_str(&show::notices(&response.notices));
    if !response.message.is_empty() {
        text.push_str(&show::message(&response.message));
    }
    if !response.decision_id.is_empty() {
        let ids = format!(
            "{} in session {}, policy {}",
            one_line(&response.decision_id),
            one_line(&response.session_id),
            one_line(&response.policy_revision)
        );
        text.push_str(&show::labelled("decision", &ids));
    }
    text
}

/// How a human answers what was asked.
fn answer_hint(response: &pb::DecideResponse, connection: &Connection, local: bool) -> String {
    if local {
        return String::new();
    }
    let (id, verdict) = match response.action() {
        // A halt that waits for its watcher is an escalation, too; one that is over can be answered no more.
        pb::Action::Escalate if response.escalation_id.is_empty() => (&response.halt_id, "run-anyway"),
        pb::Action::Escalate => (&response.escalation_id, "approve"),
        pb::Action::Approve
        | pb::Action::Reject
        | pb::Action::Halt
        | pb::Action::Unattended
        | pb::Action::Unspecified => {
            return String::new();
        }
    };
    if id.is_empty() {
        return String::new();
    }
    let options = connection.as_options();
    show::unwrapped("answer", &one_line(&format!("haltgate answer{options} {id} {verdict}")))
}
