//! `haltgate grants`: what humans allowed and refused, and which MCP server is believed.
//!
//! Knows nothing of how grants are matched.

mod listing;
mod trust;

use super::answer::TermOptions;
use super::connection::Connection;
use super::entry::EntryOptions;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::show;
use super::style::{self, painted};
use super::words::{GrantScopeWord, counted};
use crate::display::one_line;
use crate::proto::v1 as pb;
use crate::proto::v1::manage_grants_request::Operation;
use crate::proto::v1::manage_grants_response::Result as Outcome;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use trust::TrustCommand;

/// The options of the command.
#[derive(Debug, Args)]
pub(super) struct GrantsOptions {
    /// The session that is meant, beside the project
    #[arg(long, value_name = "ID", env = "HALTGATE_SESSION", global = true)]
    session: Option<String>,
    #[command(subcommand)]
    command: GrantsCommand,
}

#[derive(Debug, Subcommand)]
enum GrantsCommand {
    /// List grants, and with --session its denials
    #[command(after_help = "\
Examples:
  haltgate grants list
  haltgate grants list --session build-42 --text npm")]
    List {
        /// Only grants of this scope
        #[arg(long, value_enum)]
        scope: Vec<GrantScopeWord>,
        /// Only entries that contain this text
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        text: String,
    },
    /// Grant an entry
    #[command(after_help = "\
Examples:
  haltgate grants grant --shell-exact 'npm test'
  haltgate grants grant --session build-42 --mcp jira create_issue --expires 8h
  haltgate grants grant --entry '{ \"type\": \"shell\", \"matcher\": \"glob\", \"pattern\": \"cargo *\" }'")]
    Grant {
        /// How far it reaches [default: session with --session, else always]
        #[arg(long, value_enum)]
        scope: Option<GrantScopeWord>,
        #[command(flatten)]
        entry: EntryOptions,
        #[command(flatten)]
        terms: TermOptions,
    },
    /// Refuse an entry for a session
    #[command(after_help = "\
Examples:
  haltgate grants deny --session build-42 --shell-glob 'git push*' --note 'not before the review'")]
    Deny {
        #[command(flatten)]
        entry: EntryOptions,
        /// A note for people
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        note: String,
    },
    /// Remove a grant
    #[command(after_help = "\
Examples:
  haltgate grants revoke --shell-exact 'npm test'
  haltgate grants revoke --entry '{ \"type\": \"shell\", \"matcher\": \"exact\", \"pattern\": \"npm test\" }'")]
    Revoke {
        /// Only the grant of this scope
        #[arg(long, value_enum)]
        scope: Option<GrantScopeWord>,
        #[command(flatten)]
        entry: EntryOptions,
    },
    /// Remove a denial of a session
    #[command(after_help = "\
Examples:
  haltgate grants lift --session build-42 --shell-glob 'git push*'")]
    Lift {
        #[command(flatten)]
        entry: EntryOptions,
    },
    /// Look at which hints of which MCP server are believed, and change it for a session
    #[command(subcommand)]
    Trust(TrustCommand),
    /// Take over the grants of a shell-allowlist.json
    #[command(after_help = "\
Examples:
  haltgate grants import ~/.config/agent/shell-allowlist.json --dry-run")]
    Import {
        /// The file, of version 1 or 2
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Say what would be taken over, and store nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the project's grants as a shell-allowlist.json
    #[command(after_help = "\
Examples:
  haltgate grants export > shell-allowlist.json")]
    Export,
}

impl GrantsOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The server refuses.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let session_id = self.session.unwrap_or_default();
        let default_scope = if session_id.is_empty() { pb::Scope::Always } else { pb::Scope::Session };
        let operation = match self.command {
            GrantsCommand::List { scope, text } => {
                let scopes = scope.into_iter().map(|scope| pb::Scope::from(scope).into()).collect();
                let list = pb::ListGrants { scopes, text, ..Default::default() };
                return listing::run(connection, &session_id, list).await;
            }
            GrantsCommand::Grant { scope, entry, terms } => Operation::Grant(pb::AddGrant {
                entry: Some(entry.entry()?),
                scope: scope.map_or(default_scope, pb::Scope::from).into(),
                terms: terms.terms()?,
            }),
            GrantsCommand::Deny { entry, note } => {
                Operation::Deny(pb::AddDenial { entry: Some(entry.entry()?), note })
            }
            GrantsCommand::Revoke { scope, entry } => Operation::Revoke(pb::RevokeGrant {
                target: Some(pb::revoke_grant::Target::Entry(entry.entry()?)),
                scope: scope.map_or(pb::Scope::Unspecified, pb::Scope::from).into(),
            }),
            GrantsCommand::Lift { entry } => Operation::Lift(pb::LiftDenial {
                target: Some(pb::lift_denial::Target::Entry(entry.entry()?)),
            }),
            GrantsCommand::Trust(command) => command.operation(),
            GrantsCommand::Import { file, dry_run } => Operation::ImportFile(import(&file, dry_run)?),
            GrantsCommand::Export => Operation::ExportFile(pb::ExportGrants {}),
        };
        let request = pb::ManageGrantsRequest {
            project: connection.project.clone(),
            session_id,
            request_id: String::new(),
            operation: Some(operation),
        };
        let response = connection.open().await?.manage_grants(request).await?;
        if connection.json {
            output::write_message("ManageGrantsResponse", &response)?;
        } else {
            let notices = show::notices(&response.notices);
            output::write(&format!("{}{notices}", response.result.as_ref().map(render).unwrap_or_default()))?;
        }
        Ok(Exit::Good)
    }
}

fn import(file: &Path, dry_run: bool) -> Result<pb::ImportGrants, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("cannot read {}: {error}", file.display()));
    let content = std::fs::read_to_string(file).map_err(cannot)?;
    let modified = std::fs::metadata(file).and_then(|data| data.modified()).map_err(cannot)?;
    // A file that claims to be older than 1970 has no time that means anything.
    let file_modified_at = modified.duration_since(UNIX_EPOCH).ok().and_then(|since| {
        let seconds = i64::try_from(since.as_secs()).ok()?;
        Some(prost_types::Timestamp { seconds, nanos: 0 })
    });
    Ok(pb::ImportGrants { content, file_modified_at, dry_run })
}

/// The result of one operation as a person reads it.
fn render(outcome: &Outcome) -> String {
    match outcome {
        Outcome::List(list) => listing::render(list),
        Outcome::Grant(added) => {
            let what = if added.already_granted { "was granted before" } else { "granted" };
            changed(what, added.grant.as_ref().map(listing::grant_line))
        }
        Outcome::Deny(added) => {
            let what = if added.already_denied { "was denied before" } else { "denied" };
            changed(what, added.denial.as_ref().map(listing::denial_line))
        }
        Outcome::Revoke(revoked) => {
            revoked.revoked.iter().map(|grant| changed("revoked", Some(listing::grant_line(grant)))).collect()
        }
        Outcome::Lift(lifted) => changed("lifted", lifted.lifted.as_ref().map(listing::denial_line)),
        Outcome::ViewTrust(view) => trust::render_view(view),
        Outcome::ChangeTrust(change) => trust::render_change(change, "now"),
        Outcome::PredictTrust(change) => trust::render_change(change, "would be"),
        Outcome::ImportFile(imported) => render_import(imported),
        Outcome::ExportFile(exported) => exported.content.clone(),
    }
}

fn changed(what: &str, line: Option<String>) -> String {
    format!("{} {}\n", painted(style::HEADING, what), line.unwrap_or_default())
}

fn render_import(imported: &pb::GrantsImported) -> String {
    let mut text = format!(
        "{} from a file of version {}; {} before, {} dropped\n",
        painted(style::HEADING, &format!("{} taken over", counted(imported.imported.len() as u64, "grant"))),
        imported.file_version,
        counted(imported.already_granted.into(), "item granted"),
        imported.dropped.len()
    );
    for grant in &imported.imported {
        text.push_str(&format!("  + {}\n", listing::grant_line(grant)));
    }
    for dropped in &imported.dropped {
        text.push_str(&format!("  - item {}: {}\n", dropped.index, one_line(&dropped.reason)));
    }
    text
}
