//! `haltgate sessions`: the conversations of agents, their rungs and their tools.
//!
//! Knows nothing of what a session decides.

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::show;
use super::style::{self, painted};
use super::table::{Cell, table};
use super::time::local;
use super::words::{self, RungWord, counted};
use crate::client::Client;
use crate::display::one_line;
use crate::proto::v1 as pb;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The largest page that a server hands out.
const LARGEST_PAGE: i32 = 500;

/// The options of the command.
#[derive(Debug, Args)]
pub(super) struct SessionsOptions {
    #[command(subcommand)]
    command: SessionsCommand,
}

#[derive(Debug, Subcommand)]
enum SessionsCommand {
    /// List the sessions of the project, the one opened last first
    #[command(after_help = "\
Examples:
  haltgate sessions list
  haltgate sessions list --closed --label team=web")]
    List {
        /// Closed ones too
        #[arg(long)]
        closed: bool,
        /// Only sessions with this label
        #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
        label: Vec<(String, String)>,
    },
    /// Show a session and what it is judged by
    Show {
        /// The session
        #[arg(value_name = "SESSION")]
        id: String,
    },
    /// Open a session, or open it again: grants and denials stay
    #[command(after_help = "\
Examples:
  haltgate sessions open --session build-42 --rung auto --cwd /srv/build
  haltgate sessions open --label team=web --mcp-server jira --tools tools.json")]
    Open {
        /// The session [default: the server makes an id]
        #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
        session: String,
        /// The command whose part of the policy applies
        #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
        command: String,
        #[command(flatten)]
        profile: Profile,
    },
    /// Change an open session; what is not named stays
    #[command(after_help = "\
Examples:
  haltgate sessions update build-42 --rung manual
  haltgate sessions update build-42 --interactive=false --remove-label team")]
    Update {
        /// The session
        #[arg(value_name = "SESSION")]
        id: String,
        /// Remove this label
        #[arg(long, value_name = "KEY")]
        remove_label: Vec<String>,
        /// Forget the negotiation and what the user wrote
        #[arg(long)]
        reset_thread: bool,
        #[command(flatten)]
        profile: Profile,
    },
    /// Close a session: what waits in it is withdrawn
    Close {
        /// The session
        #[arg(value_name = "SESSION")]
        id: String,
    },
}

/// What opening and changing have in common.
#[derive(Debug, Args)]
struct Profile {
    /// The rung of the approvals ladder
    #[arg(long, value_enum)]
    rung: Option<RungWord>,
    /// Whether a human may be asked
    #[arg(long, value_name = "BOOL")]
    interactive: Option<bool>,
    /// A label, for wording and filters
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
    label: Vec<(String, String)>,
    /// The working folder of calls that name none
    #[arg(long, value_name = "PATH")]
    cwd: Option<String>,
    /// The home folder of calls that name none
    #[arg(long, value_name = "PATH")]
    home: Option<String>,
    /// The key of an MCP server that the agent is connected to
    #[arg(long, value_name = "KEY")]
    mcp_server: Vec<String>,
    /// A file with the agent's tools: a ToolCatalogue in proto3 JSON
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// Something that the user wrote
    #[arg(long, value_name = "TEXT")]
    user_message: Vec<String>,
}

impl Profile {
    fn rung(&self) -> i32 {
        self.rung.map_or(pb::Rung::Unspecified, pb::Rung::from).into()
    }

    fn mcp_servers(&self) -> Option<pb::McpServers> {
        (!self.mcp_server.is_empty()).then(|| pb::McpServers { keys: self.mcp_server.clone() })
    }

    fn catalogue(&self) -> Result<Option<pb::ToolCatalogue>, Failure> {
        let Some(file) = &self.tools else { return Ok(None) };
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", file.display())))?;
        output::read_message("ToolCatalogue", &text).map(Some)
    }
}

fn parse_label(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| "must be KEY=VALUE".to_owned())?;
    Ok((key.to_owned(), value.to_owned()))
}

impl SessionsOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The server refuses.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let project = connection.project.clone();
        match self.command {
            SessionsCommand::List { closed, label } => {
                let mut states = vec![pb::SessionState::Open.into()];
                states.extend(closed.then_some(i32::from(pb::SessionState::Closed)));
                let labels = label.into_iter().collect();
                let request = pb::ListSessionsRequest { project, states, labels, ..Default::default() };
                let found = every_page(&connection.open().await?, request).await?;
                print(connection, "ListSessionsResponse", &found, || render_list(&found))
            }
            SessionsCommand::Show { id } => {
                let request =
                    pb::GetSessionRequest { project, session_id: id, include_tools: connection.json };
                let found = connection.open().await?.get_session(request).await?;
                print(connection, "GetSessionResponse", &found, || render_view(&found))
            }
            SessionsCommand::Open { session, command, profile } => {
                let request = pb::OpenSessionRequest {
                    project,
                    session_id: session,
                    rung: profile.rung(),
                    interactive: profile.interactive,
                    command,
                    tools: profile.catalogue()?,
                    mcp_servers: profile.mcp_servers(),
                    labels: profile.label.into_iter().collect(),
                    cwd: profile.cwd.unwrap_or_default(),
                    home: profile.home.unwrap_or_default(),
                    user_messages: profile.user_message,
                };
                let opened = connection.open().await?.open_session(request).await?;
                print(connection, "OpenSessionResponse", &opened, || {
                    let what = if opened.reopened { "opened again" } else { "opened" };
                    render_change(what, opened.session.as_ref(), &opened.notices)
                })
            }
            SessionsCommand::Update { id, remove_label, reset_thread, profile } => {
                let labels = (!profile.label.is_empty() || !remove_label.is_empty()).then(|| {
                    pb::LabelChanges { set: profile.label.iter().cloned().collect(), remove: remove_label }
                });
                let request = pb::UpdateSessionRequest {
                    project,
                    session_id: id,
                    rung: profile.rung(),
                    interactive: profile.interactive,
                    labels,
                    tools: profile.catalogue()?,
                    mcp_servers: profile.mcp_servers(),
                    cwd: profile.cwd,
                    home: profile.home,
                    user_messages: profile.user_message,
                    reset_thread,
                };
                let changed = connection.open().await?.update_session(request).await?;
                print(connection, "UpdateSessionResponse", &changed, || {
                    render_change("changed", changed.session.as_ref(), &changed.notices)
                })
            }
            SessionsCommand::Close { id } => {
                let request = pb::CloseSessionRequest { project, session_id: id };
                let closed = connection.open().await?.close_session(request).await?;
                print(connection, "CloseSessionResponse", &closed, || render_closed(&closed))
            }
        }
    }
}

fn print<M: prost::Message>(
    connection: &Connection,
    name: &str,
    message: &M,
    render: impl FnOnce() -> String,
) -> Result<Exit, Failure> {
    if connection.json {
        output::write_message(name, message)?;
    } else {
        output::write(&render())?;
    }
    Ok(Exit::Good)
}

async fn every_page(
    client: &Client,
    request: pb::ListSessionsRequest,
) -> Result<pb::ListSessionsResponse, Failure> {
    let mut pages = client.sessions(pb::ListSessionsRequest { page_size: LARGEST_PAGE, ..request });
    let mut found = pb::ListSessionsResponse::default();
    while let Some(page) = pages.next().await? {
        found.sessions.extend(page.sessions);
    }
    Ok(found)
}

fn render_list(found: &pb::ListSessionsResponse) -> String {
    if found.sessions.is_empty() {
        return "No session fits.\n".to_owned();
    }
    let rows = found.sessions.iter().map(|session| {
        [
            Cell::from(one_line(&session.session_id)),
            Cell::from(state(session)),
            Cell::from(words::rung(session.rung())),
            Cell::from(session.open_escalations.to_string()),
            Cell::styled(local(session.last_used_at), style::FAINT),
            Cell::from(labels(session)),
        ]
    });
    table(["session", "state", "rung", "waiting", "last used", "labels"], rows.collect())
}

fn state(session: &pb::Session) -> &'static str {
    match session.state() {
        pb::SessionState::Open if !session.halted_runs.is_empty() => "open, run halted",
        pb::SessionState::Open => "open",
        pb::SessionState::Closed => "closed",
        pb::SessionState::Unspecified => "?",
    }
}

fn labels(session: &pb::Session) -> String {
    let mut labels: Vec<String> =
        session.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    labels.sort();
    one_line(&labels.join(" "))
}

fn render_session(session: &pb::Session) -> String {
    let asked = if session.interactive { "a human may be asked" } else { "nobody can be asked" };
    let rows = [
        ("state", state(session).to_owned()),
        ("rung", format!("{}, {asked}", words::rung(session.rung()))),
        ("command", session.command.clone()),
        ("owner", session.owner.clone()),
        ("labels", labels(session)),
        ("cwd", session.cwd.clone()),
        ("home", session.home.clone()),
        ("servers", session.mcp_servers.join(", ")),
        ("tools", if session.tool_count == 0 { String::new() } else { session.tool_count.to_string() }),
        ("opened", local(session.opened_at)),
        ("last used", local(session.last_used_at)),
        ("halted", session.halted_runs.join(", ")),
        ("policy", session.policy_revision.clone()),
    ];
    let filled = rows.into_iter().filter(|(_, value)| !value.is_empty());
    filled.map(|(label, value)| show::labelled(label, &one_line(&value))).collect()
}

fn render_view(found: &pb::GetSessionResponse) -> String {
    let Some(session) = &found.session else { return String::new() };
    let mut text =
        format!("{}\n{}", painted(style::HEADING, &one_line(&session.session_id)), render_session(session));
    if let Some(counts) = &found.counts {
        let always = counts.always.map_or("not loaded".to_owned(), |count| count.to_string());
        let line = format!(
            "{} allowed, {always} granted for the project, {} denied",
            counts.session, counts.denials
        );
        text.push_str(&show::labelled("entries", &line));
    }
    if let Some(posture) = &found.posture {
        let line = format!(
            "rung {}, {} deny, {} escalate, {} allow",
            words::rung(posture.configured_rung()),
            posture.deny_total,
            posture.escalate_total,
            posture.allow_total
        );
        text.push_str(&show::labelled("declared", &line));
    }
    if let Some(budget) = found.budget.as_ref().filter(|budget| budget.rejections_since_human > 0) {
        let line = format!(
            "{} of {} in a row, {} of {} since a human was involved",
            budget.consecutive_rejections,
            budget.max_consecutive_rejections,
            budget.rejections_since_human,
            budget.max_rejections_since_human
        );
        text.push_str(&show::labelled("refused", &line));
    }
    for line in &found.denylist {
        text.push_str(&show::labelled("deny", &one_line(line)));
    }
    text
}

fn render_change(what: &str, session: Option<&pb::Session>, notices: &[pb::Notice]) -> String {
    let Some(session) = session else { return String::new() };
    let id = one_line(&session.session_id);
    format!("{} {what}\n{}{}", painted(style::HEADING, &id), render_session(session), show::notices(notices))
}

fn render_closed(closed: &pb::CloseSessionResponse) -> String {
    let id = closed.session.as_ref().map(|session| one_line(&session.session_id)).unwrap_or_default();
    format!(
        "{} closed; withdrawn: {}, {}\n",
        painted(style::HEADING, &id),
        counted(closed.withdrawn_escalations.into(), "escalation"),
        counted(closed.withdrawn_halts.into(), "halt")
    )
}
