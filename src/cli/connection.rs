//! Which gate a command speaks to, and for which project.
//!
//! Knows nothing of what is said.

use super::call::command_of;
use super::credentials::Credentials;
use super::failure::Failure;
use super::time::parse_duration;
use crate::client::{Address, Client, Options, TARGET_VARIABLE};
use crate::session::DEFAULT_PROJECT;
use clap::Args;
use std::time::Duration;

/// Names the gate for these commands, before [`TARGET_VARIABLE`] does.
pub(super) const SERVER_VARIABLE: &str = "HALTGATE_SERVER";

/// Names the project for these commands.
pub(super) const PROJECT_VARIABLE: &str = "HALTGATE_PROJECT";

/// Which gate a command speaks to.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connection")]
pub(super) struct Connection {
    /// Where the gate listens: HOST:PORT, https://HOST:PORT or unix:PATH [default: HALTGATE_TARGET, or 127.0.0.1:7557]
    #[arg(long, value_name = "ADDRESS", env = SERVER_VARIABLE, global = true)]
    server: Option<Address>,
    #[command(flatten)]
    credentials: Credentials,
    /// How long the gate may take to answer; waiting for a human comes on top
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration, global = true)]
    timeout: Duration,
    /// The project that is meant
    #[arg(long, value_name = "NAME", env = PROJECT_VARIABLE, default_value = DEFAULT_PROJECT, global = true)]
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
        Ok(self.options()?.connect(&self.address()?).await?)
    }

    /// Connects for who waits for an answer: a gate that goes away is looked for only so long.
    ///
    /// # Errors
    /// No gate answers there.
    pub(super) async fn open_for(&self, reconnect_for: Duration) -> Result<Client, Failure> {
        let options = self.options()?.reconnect_for(reconnect_for);
        Ok(options.project(self.project.clone()).connect(&self.address()?).await?)
    }

    /// What every connection is made with.
    fn options(&self) -> Result<Options, Failure> {
        self.credentials.over(Options::default().deadline(self.timeout))
    }

    /// Where the gate is.
    ///
    /// # Errors
    /// `HALTGATE_TARGET` holds no address.
    fn address(&self) -> Result<Address, Failure> {
        match &self.server {
            Some(address) => Ok(address.clone()),
            None => Address::from_environment()
                .map_err(|error| Failure::new(format!("the variable {TARGET_VARIABLE} {error}"))),
        }
    }

    /// How long the gate may take to answer.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The options that lead to the same gate, for commands that are suggested; empty for the defaults.
    pub(super) fn as_options(&self) -> String {
        match self.as_words().as_slice() {
            [] => String::new(),
            words => format!(" {}", command_of(words)),
        }
    }

    /// The same, word by word.
    pub(super) fn as_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        // What the environment names is found there by the other command, too.
        let named = |variable: &str| std::env::var(variable).unwrap_or_default();
        let server = self.server.as_ref().filter(|&address| *address != Address::default());
        if let Some(address) =
            server.filter(|address| named(SERVER_VARIABLE).parse::<Address>().as_ref() != Ok(*address))
        {
            words.extend(["--server".to_owned(), address.to_string()]);
        }
        words.extend(self.credentials.as_words());
        if self.project != DEFAULT_PROJECT && self.project != named(PROJECT_VARIABLE) {
            words.extend(["--project".to_owned(), self.project.clone()]);
        }
        words
    }
}
