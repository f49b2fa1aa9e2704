//! `haltgate decisions`: what was decided.
//!
//! Knows nothing of how records are kept.

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::show;
use super::style::{self, painted};
use super::table::{Cell, table};
use super::time::{local, parse_moment, to_proto};
use super::words::{self, ActionWord, StageWord};
use crate::display::one_line;
use crate::proto::v1 as pb;
use clap::{Args, Subcommand};
use jiff::Timestamp;

/// The largest page that a server hands out.
const LARGEST_PAGE: i32 = 500;

/// The options of the command.
#[derive(Debug, Args)]
pub(super) struct DecisionsOptions {
    #[command(subcommand)]
    command: DecisionsCommand,
}

#[derive(Debug, Subcommand)]
enum DecisionsCommand {
    /// List records of decisions, the newest first
    #[command(after_help = "\
All conditions must hold. A decision that waited for a human has two records: asked, and settled.

Examples:
  haltgate decisions list
  haltgate decisions list --action reject --action halt --since 24h
  haltgate decisions list --session build-42 --text 'npm publish' --all --json")]
    List(Box<Filter>),
    /// Show one record whole
    #[command(after_help = "\
Examples:
  haltgate decisions show 0199f0c2-7a10-7000-8000-000000000000")]
    Show {
        /// The record, or the decision that it is the first record of
        #[arg(value_name = "ID")]
        id: String,
    },
}

/// Which records are listed.
#[derive(Debug, Args)]
struct Filter {
    /// Only this action; may be given several times
    #[arg(long, value_enum)]
    action: Vec<ActionWord>,
    /// Only this stage; may be given several times
    #[arg(long, value_enum)]
    stage: Vec<StageWord>,
    /// Only this session
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    session: String,
    /// Only this run
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    run: String,
    /// Only what contains this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    text: String,
    /// Only what arrived then or later: a moment, or how long ago
    #[arg(long, value_name = "TIME", value_parser = parse_moment)]
    since: Option<Timestamp>,
    /// Only what arrived before: a moment, or how long ago
    #[arg(long, value_name = "TIME", value_parser = parse_moment)]
    until: Option<Timestamp>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i32).range(1..), conflicts_with = "all")]
    limit: i32,
    /// Every one
    #[arg(long)]
    all: bool,
    /// The oldest first
    #[arg(long)]
    oldest_first: bool,
}

impl DecisionsOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The records cannot be read.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        match self.command {
            DecisionsCommand::List(filter) => list(&filter, connection).await,
            DecisionsCommand::Show { id } => show_record(id, connection).await,
        }
    }
}

async fn list(filter: &Filter, connection: &Connection) -> Result<Exit, Failure> {
    let request = pb::ListDecisionsRequest {
        project: connection.project.clone(),
        session_id: filter.session.clone(),
        run_id: filter.run.clone(),
        actions: filter.action.iter().map(|&action| pb::Action::from(action).into()).collect(),
        stages: filter.stage.iter().map(|&stage| pb::Stage::from(stage).into()).collect(),
        text: filter.text.clone(),
        arrived_from: filter.since.map(to_proto),
        arrived_before: filter.until.map(to_proto),
        order: (if filter.oldest_first { pb::SortOrder::OldestFirst } else { pb::SortOrder::NewestFirst })
            .into(),
        ..pb::ListDecisionsRequest::default()
    };
    let mut pages = connection.open().await?.decisions(request);
    let mut found = pb::ListDecisionsResponse::default();
    loop {
        let have = i32::try_from(found.decisions.len()).unwrap_or(i32::MAX);
        let left = if filter.all { LARGEST_PAGE } else { filter.limit.saturating_sub(have) };
        if left <= 0 {
            break;
        }
        pages.set_page_size(left.min(LARGEST_PAGE));
        let Some(page) = pages.next().await? else { break };
        found.decisions.extend(page.decisions);
        found.next_page_token = page.next_page_token;
    }
    if connection.json {
        output::write_message("ListDecisionsResponse", &found)?;
    } else {
        output::write(&render_list(&found))?;
    }
    Ok(Exit::Good)
}

fn render_list(found: &pb::ListDecisionsResponse) -> String {
    if found.decisions.is_empty() {
        return "No decision fits.\n".to_owned();
    }
    let rows = found.decisions.iter().map(|record| {
        let action = if record.error.is_empty() { words::action(record.action()) } else { "FAILED" };
        [
            Cell::styled(local(record.arrived_at), style::FAINT),
            Cell::styled(action, style::action(record.action())),
            Cell::from(words::stage(record.stage())),
            Cell::from(one_line(&record.session_id)),
            Cell::from(show::call_line(record.call.as_ref())),
        ]
    });
    let mut text = table(["time", "action", "stage", "session", "call"], rows.collect());
    if !found.next_page_token.is_empty() {
        text.push_str("There are more: --limit N or --all shows them.\n");
    }
    text
}

async fn show_record(id: String, connection: &Connection) -> Result<Exit, Failure> {
    let request = pb::ListDecisionsRequest {
        project: connection.project.clone(),
        record_id: id.clone(),
        include_rating_attempts: true,
        ..pb::ListDecisionsRequest::default()
    };
    // A server looks at so many records for one page, and hands it out empty where what is asked for lies further back.
    let mut pages = connection.open().await?.decisions(request);
    let mut found = None;
    while found.is_none()
        && let Some(page) = pages.next().await?
    {
        found = page.decisions.into_iter().next();
    }
    let Some(record) = found else {
        return Err(Failure::new(format!("there is no record {id} in project {}", connection.project))
            .advise(
                "`haltgate decisions list --json` shows the ids of records; --project names another project",
            ));
    };
    if connection.json {
        output::write_message("DecisionRecord", &record)?;
    } else {
        output::write(&render_record(&record))?;
    }
    Ok(Exit::Good)
}

/// Who asked, in which role and how recognised; without credentials a name says it all.
fn caller(record: &pb::DecisionRecord) -> String {
    let via = record.caller_via.as_str();
    if matches!(via, "" | "local") {
        return record.caller.clone();
    }
    format!("{} ({}, {via})", record.caller, record.caller_role)
}

fn render_record(record: &pb::DecisionRecord) -> String {
    let action = painted(style::action(record.action()), words::action(record.action()));
    let mut text = format!("{action}  {}\n", words::stage(record.stage()));
    if let Some(call) = &record.call {
        text.push_str(&show::call(call));
    }
    if let Some(rule) = &record.matched_rule {
        text.push_str(&show::labelled("rule", &show::rule(rule)));
    }
    if let Some(rating) = &record.rating {
        text.push_str(&show::labelled("rating", &show::rating(rating)));
    }
    if let Some(human) = &record.human {
        text.push_str(&show::labelled("human", &show::human(human)));
    }
    text.push_str(&show::notices(&record.notices));
    let rows = [
        ("floor", record.hardline.clone()),
        ("check", record.hardline_check.clone()),
        ("error", record.error.clone()),
        ("unresolved", record.unresolved.join("; ")),
        ("arrived", local(record.arrived_at)),
        ("settled", local(record.settled_at)),
        ("rung", words::rung(record.rung()).to_owned()),
        ("project", record.project.clone()),
        ("session", record.session_id.clone()),
        ("run", record.run_id.clone()),
        ("request", record.request_id.clone()),
        ("decision", record.decision_id.clone()),
        ("record", record.record_id.clone()),
        ("escalation", record.escalation_id.clone()),
        ("halt", record.halt_id.clone()),
        ("caller", caller(record)),
        ("policy", record.policy_revision.clone()),
    ];
    for (label, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        text.push_str(&show::labelled(label, &one_line(&value)));
    }
    let link = format!("{}:{}", record.sequence, one_line(&record.hash));
    text.push_str(&show::unwrapped("link", &link));
    if !record.message.is_empty() {
        text.push_str(&show::message(&record.message));
    }
    text
}
