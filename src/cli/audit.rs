//! `haltgate audit`: does the chain of records hold, and taking it elsewhere.
//!
//! Promises exit code 1 for a chain that does not hold. Knows nothing of hashes.

mod destination;
mod export;
mod file;
mod source;

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::show;
use super::style::{self, painted};
use super::words::counted;
use crate::display::one_line;
use crate::proto::v1 as pb;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The options of the command.
#[derive(Debug, Args)]
pub(super) struct AuditOptions {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    /// Recompute the hash chain over a project's records, or over an export, and name the first broken link
    #[command(after_help = "\
Exit codes: 0 the chain holds, 1 it is broken, 2 usage or fault

With --export no gate is asked: the file alone is checked, of JSON lines or OCSF events. It is one stretch of a chain; that it
begins and ends where it should, only a head that was noted down can tell.

Examples:
  haltgate audit verify
  haltgate audit verify --project web --note \"$(cat head)\"    head: SEQUENCE:HASH as printed earlier
  haltgate audit verify --export records.jsonl --note 812:9f86d0…
  haltgate audit export --store gate.db | haltgate audit verify --export -")]
    Verify {
        /// A head that was noted down earlier: a chain without it was rewritten or cut
        #[arg(long, value_name = "SEQUENCE:HASH", value_parser = parse_head)]
        note: Option<Head>,
        /// Check what `audit export` wrote; - reads it from standard input
        #[arg(long, value_name = "FILE")]
        export: Option<PathBuf>,
    },
    /// Write every record of a project, of all kinds, as JSON lines or OCSF events
    Export(export::ExportOptions),
}

/// A place in the chain with its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Head {
    sequence: u64,
    hash: String,
}

fn parse_head(text: &str) -> Result<Head, String> {
    let wrong = || "must be SEQUENCE:HASH, as `audit verify` prints it".to_owned();
    let (sequence, hash) = text.split_once(':').ok_or_else(wrong)?;
    let sequence = sequence.parse().map_err(|_invalid| wrong())?;
    Ok(Head { sequence, hash: hash.to_owned() })
}

impl AuditOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The chain cannot be checked.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        match self.command {
            AuditCommand::Verify { note, export: None } => verify(note, connection).await,
            AuditCommand::Verify { note, export: Some(path) } => file::verify(&path, note, connection.json),
            AuditCommand::Export(options) => options.run(connection).await,
        }
    }
}

async fn verify(note: Option<Head>, connection: &Connection) -> Result<Exit, Failure> {
    let (noted_sequence, noted_hash) = note.map(|head| (head.sequence, head.hash)).unwrap_or_default();
    let project = connection.project.clone();
    let request = pb::VerifyAuditRequest { project, noted_sequence, noted_hash };
    let response = connection.open().await?.verify_audit(request).await?;
    if connection.json {
        output::write_message("VerifyAuditResponse", &response)?;
    } else {
        output::write(&render(&response))?;
    }
    Ok(if response.intact { Exit::Good } else { Exit::Bad })
}

/// The state of a chain as a person reads it.
pub(super) fn render(response: &pb::VerifyAuditResponse) -> String {
    let checked = counted(response.records_checked, "record");
    let mut text = if response.intact {
        format!("{}  {checked} checked, every link holds\n", painted(style::GOOD, "INTACT"))
    } else {
        format!("{}  {checked} hold before the first that does not\n", painted(style::ERROR, "BROKEN"))
    };
    if let Some(broken) = &response.broken {
        text.push_str(&show::labelled(
            "link",
            &format!("{} {}", broken.sequence, one_line(&broken.record_id)),
        ));
        text.push_str(&show::labelled("why", &one_line(&broken.reason)));
        for (label, hash) in [("expected", &broken.expected_hash), ("found", &broken.actual_hash)] {
            if !hash.is_empty() {
                text.push_str(&show::unwrapped(label, &one_line(hash)));
            }
        }
    }
    if response.first_sequence > 1 {
        let first = response.first_sequence;
        text.push_str(&show::labelled(
            "from",
            &format!("record {first}; retention deleted what came before"),
        ));
    }
    match response.noted_head() {
        pb::NotedHead::Unspecified | pb::NotedHead::Missing => {}
        pb::NotedHead::Found => text.push_str(&show::labelled("noted", "the head that was noted is in the chain")),
        pb::NotedHead::NoLongerKept => text.push_str(&show::labelled(
            "noted",
            "retention has deleted the record that was noted, so that it cannot be compared any more; note a newer head",
        )),
    }
    if response.head_sequence > 0 {
        let head = format!("{}:{}", response.head_sequence, one_line(&response.head_hash));
        text.push_str(&show::unwrapped("head", &head));
    }
    text
}
