//! Which gate a command speaks to, and for which project.
//!
//! Knows nothing of what is said.

use super::failure::Failure;
use super::time::parse_duration;
use crate::client::{Address, Client};
use crate::session::DEFAULT_PROJECT;
use clap::Args;
use std::time::Duration;

/// Which gate a command speaks to.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connection")]
pub(super) struct Connection {
    /// Where the gate listens: HOST:PORT or unix:PATH
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "HALTGATE_SERVER",
        default_value = "127.0.0.1:7557",
        global = true
    )]
    server: Address,
    /// How long the gate may take to answer; waiting for a human comes on top
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration, global = true)]
    timeout: Duration,
    /// The project that is meant
    #[arg(long, value_name = "NAME", default_value = DEFAULT_PROJECT, global = true)]
    pub(super) project: String,
    /// Print proto3 JSON instead of text
    #[arg(long, global = true)]
    pub(super) json: bool,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// No gate answers there.
    pub(super) async fn open(&self) -> Result<Client, Failure> {
        Ok(Client::connect(&self.server).await?.with_deadline(self.timeout))
    }

    /// The options that lead to the same gate, for commands that are suggested; empty for the defaults.
    pub(super) fn as_options(&self) -> String {
        let mut options = String::new();
        let address = self.server.to_string();
        if address != crate::config::DEFAULT_ADDRESS.to_string() {
            options.push_str(&format!(" --server {address}"));
        }
        if self.project != DEFAULT_PROJECT {
            options.push_str(&format!(" --project {}", self.project));
        }
        options
    }
}
