//! The `agents` block: what callers in the role agent may ask for when they open sessions.
//!
//! Promises that nothing is left to agents which nobody stated. Knows nothing of who calls, and nothing of sessions.

use super::document::item_path;
use super::problem::Report;
use super::section::{Section, kind, quoted};
use crate::gate::Rung;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The keys of the block.
pub(super) const KEYS: [&str; 3] = ["commands", "interactive", "loosest_rung"];

/// Stands for every command.
const EVERY: &str = "*";

/// The commands whose parts of the policy are left to agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentCommands {
    /// All of them.
    Every,
    /// These and no other.
    These(BTreeSet<String>),
}

impl AgentCommands {
    /// Whether a command is among them.
    #[must_use]
    pub fn contain(&self, command: &str) -> bool {
        match self {
            Self::Every => true,
            Self::These(names) => names.contains(command),
        }
    }
}

/// An `agents` block as it is written; `None` stands for what it leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentsBlock {
    /// The commands that agents may open sessions for.
    pub commands: Option<AgentCommands>,
    /// Whether a human may be asked in sessions of agents.
    pub interactive: Option<bool>,
    /// The loosest rung that an agent may open a session at.
    pub loosest_rung: Option<Rung>,
}

/// What agents may ask for, once nothing more is laid over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentBounds {
    /// The commands that the policy has a part for and that agents may open sessions for.
    pub commands: AgentCommands,
    /// Whether a human may be asked in sessions of agents.
    pub interactive: bool,
    /// The loosest rung that an agent may open a session at; absent for the policy's own.
    pub loosest_rung: Option<Rung>,
}

impl AgentBounds {
    /// The loosest rung that an agent may open a session at, where the policy selects `configured`.
    #[must_use]
    pub fn loosest(&self, configured: Rung) -> Rung {
        self.loosest_rung.unwrap_or(configured)
    }
}

impl AgentsBlock {
    /// Reads a block; what is wrong with it is reported and left out.
    pub(super) fn read(value: &Value, path: &str, report: &mut Report) -> Self {
        let Some(section) = Section::open(value, path, report) else { return Self::default() };
        section.refuse_unknown(&KEYS, report);
        let commands = section.get("commands");
        Self {
            commands: commands.and_then(|value| read_commands(value, &section.path_of("commands"), report)),
            interactive: section.boolean("interactive", report),
            loosest_rung: section.choice("loosest_rung", &Rung::ALL.map(Rung::as_str), Rung::parse, report),
        }
    }

    /// This block with a higher one laid over it: what that states replaces what stands here.
    #[must_use]
    pub fn under(self, higher: Self) -> Self {
        Self {
            commands: higher.commands.or(self.commands),
            interactive: higher.interactive.or(self.interactive),
            loosest_rung: higher.loosest_rung.or(self.loosest_rung),
        }
    }

    /// What holds when nothing more is laid over it: no command that the policy has a part for, humans may be asked, and the
    /// policy's own rung is the loosest.
    #[must_use]
    pub fn bounds(&self) -> AgentBounds {
        AgentBounds {
            commands: self.commands.clone().unwrap_or(AgentCommands::These(BTreeSet::new())),
            interactive: self.interactive.unwrap_or(true),
            loosest_rung: self.loosest_rung,
        }
    }

    /// The block as one value; `None` where it states nothing.
    pub(super) fn effective(&self) -> Option<Value> {
        let commands = self.commands.as_ref().map(|commands| match commands {
            AgentCommands::Every => json!(EVERY),
            AgentCommands::These(names) => json!(names),
        });
        (*self != Self::default()).then(|| {
            json!({
                "commands": commands,
                "interactive": self.interactive,
                "loosest_rung": self.loosest_rung.map(Rung::as_str),
            })
        })
    }
}

fn read_commands(value: &Value, path: &str, report: &mut Report) -> Option<AgentCommands> {
    if value.as_str() == Some(EVERY) {
        return Some(AgentCommands::Every);
    }
    let Some(items) = value.as_array() else {
        report.error(
            path,
            format!(
                "must be a list of commands, such as [\"review\"], or \"*\" for all, not {}",
                kind(value)
            ),
        );
        return None;
    };
    let mut names = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(EVERY) => {
                report.error(
                    &item_path(path, index),
                    "stands for all commands only alone: write \"*\" instead of the list",
                );
            }
            Some(name) if !name.is_empty() => {
                names.insert(name.to_owned());
            }
            Some(_) | None => {
                report.error(
                    &item_path(path, index),
                    format!("must be the name of a command, not {}", quoted(item)),
                );
            }
        }
    }
    Some(AgentCommands::These(names))
}
