//! `haltgate grants trust`: which hints of which MCP server are believed.
//!
//! Knows nothing of what believing leads to.

use super::listing::grant_line;
use crate::cli::show;
use crate::cli::style::{self, painted};
use crate::cli::words::{self, HintWord, counted};
use crate::display::one_line;
use crate::proto::v1 as pb;
use crate::proto::v1::manage_grants_request::Operation;
use clap::{Args, Subcommand};

/// Looks at trust and changes it.
#[derive(Debug, Subcommand)]
pub(super) enum TrustCommand {
    /// Show which hints of which server are believed
    Show,
    /// Believe hints of a server, for the session
    #[command(after_help = "\
Examples:
  haltgate grants trust believe --session build-42 jira read-only open-world")]
    Believe(Hints),
    /// No longer believe hints of a server, for the session
    #[command(after_help = "\
Examples:
  haltgate grants trust disbelieve --session build-42 jira read-only")]
    Disbelieve(Hints),
    /// Say which grants would be lost if these hints were no longer believed
    #[command(after_help = "\
Examples:
  haltgate grants trust predict --session build-42 jira read-only")]
    Predict(Hints),
}

/// Hints of a server.
#[derive(Debug, Args)]
pub(super) struct Hints {
    /// The key of the server
    #[arg(value_name = "SERVER")]
    key: String,
    /// The hints
    #[arg(value_enum, value_name = "HINT", required = true)]
    hints: Vec<HintWord>,
}

impl Hints {
    fn numbers(&self) -> Vec<i32> {
        self.hints.iter().map(|&hint| pb::Hint::from(hint).into()).collect()
    }

    fn doubted(self) -> pb::TrustChange {
        pb::TrustChange { disbelieve: self.numbers(), server: self.key, believe: Vec::new() }
    }
}

impl TrustCommand {
    /// The operation in the contract's form.
    pub(super) fn operation(self) -> Operation {
        match self {
            Self::Show => Operation::ViewTrust(pb::ViewTrust {}),
            Self::Believe(hints) => Operation::ChangeTrust(pb::TrustChange {
                believe: hints.numbers(),
                server: hints.key,
                disbelieve: Vec::new(),
            }),
            Self::Disbelieve(hints) => Operation::ChangeTrust(hints.doubted()),
            Self::Predict(hints) => Operation::PredictTrust(hints.doubted()),
        }
    }
}

/// The trust in force.
pub(super) fn render_view(view: &pb::TrustView) -> String {
    let mut text = show::labelled("default", &hints(view.defaults()));
    for server in &view.servers {
        let configured = if server.configured { "" } else { ", not connected" };
        let changed = if server.changed { ", changed in this session" } else { "" };
        let line = format!("{}{configured}{changed}", hints(server.trusted()));
        text.push_str(&show::labelled(&one_line(&server.server), &line));
    }
    text
}

/// What a change of trust does.
pub(super) fn render_change(change: &pb::TrustChanged, when: &str) -> String {
    let key = painted(style::HEADING, &one_line(&change.server));
    let mut text = format!("{key}: believed {when}: {}\n", hints(change.trusted()));
    for (label, list) in [("added", hints(change.added())), ("removed", hints(change.removed()))] {
        text.push_str(&show::labelled(label, &list));
    }
    if !change.invalidates.is_empty() {
        let lost = counted(change.invalidates.len() as u64, "grant");
        text.push_str(&painted(style::WARNING, &format!("{lost} will be lost at the tool's next call\n")));
        text.extend(change.invalidates.iter().map(|grant| format!("  - {}\n", grant_line(grant))));
    }
    text
}

fn hints(hints: impl Iterator<Item = pb::Hint>) -> String {
    let names: Vec<&str> = hints.map(words::hint).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
