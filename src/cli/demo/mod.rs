//! `haltgate demo`: a gate on a store that is forgotten, and a short conversation with it over real gRPC.
//!
//! Promises that nothing is kept, that every turn is checked against the script, and that the gate stays up until it is
//! interrupted, unless `--once` ends it. Knows nothing of how decisions come about.

mod play;
mod script;

use super::exit::Exit;
use super::failure::Failure;
use super::gate;
use super::output;
use super::serving::Serving;
use super::signals;
use super::style::{self, painted};
use crate::client::{Address, Client};
use crate::config::{self, ServerSettings};
use crate::display::one_line;
use crate::server;
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr};

/// The policy that the demo plays by.
const POLICY: &str = include_str!("policy.jsonc");

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Nothing is kept: the store lives in memory, and the port is a free one of the loopback.

Examples:
  haltgate demo
  haltgate demo --once          plays and ends; exit code 1 if a turn did not come out as scripted
  haltgate demo --policy        prints the policy that the demo plays by")]
pub(super) struct DemoOptions {
    /// End after the conversation
    #[arg(long)]
    once: bool,
    /// Print the policy and do nothing else
    #[arg(long, conflicts_with = "once")]
    policy: bool,
}

impl DemoOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The gate cannot start or be reached.
    pub(super) async fn run(self) -> Result<Exit, Failure> {
        if self.policy {
            output::write(POLICY)?;
            return Ok(Exit::Good);
        }
        let configuration =
            config::parse("the demo's policy", POLICY).map_err(|problems| gate::refused(&problems))?;
        let store = gate::ephemeral()?;
        let engine = gate::engine(configuration, store.clone())?;
        engine.record_start().await.map_err(|error| Failure::new(error.to_string()))?;
        let interrupted = signals::stop()?;
        let listen = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
        let settings = ServerSettings { listen, socket: None, ..ServerSettings::default() };
        let running =
            server::start(engine, &settings).await.map_err(|error| Failure::new(error.to_string()))?;
        let address = running.address().ok_or_else(|| Failure::new("the gate has no address"))?;
        let serving = Serving::of(running);
        let outcome = tokio::select! {
            exit = self.converse(address) => exit,
            () = interrupted => Ok(Exit::Good),
        };
        serving.end().await?;
        store.close().await.map_err(|error| Failure::new(error.to_string()))?;
        outcome
    }

    /// Plays, and stays unless told otherwise.
    async fn converse(&self, address: SocketAddr) -> Result<Exit, Failure> {
        let client = Client::connect(&Address::Tcp(address.to_string())).await?;
        let version = env!("CARGO_PKG_VERSION");
        let heading = format!("haltgate {version}: an agent and its gate, over gRPC at {address}");
        output::write(&format!("{}\n", painted(style::HEADING, &heading)))?;
        let exit = play::play(&client).await?;
        if !self.once && output::write(&invitation(address))? {
            std::future::pending::<()>().await;
        }
        Ok(exit)
    }
}

/// What to try while the gate stays up.
fn invitation(address: SocketAddr) -> String {
    let commands = [
        ("see how a decision comes about", "haltgate explain --command 'cd pkg && sudo git push --force'"),
        ("ask, and wait for a human", "haltgate decide --wait -- ./deploy.sh production"),
        ("be the human", "haltgate answer ID approve --scope always"),
        ("look back", "haltgate decisions list"),
        ("look at what was granted", "haltgate grants list"),
    ];
    let heading = format!("The gate stays up at {address} until you press Ctrl-C. In another terminal:");
    let mut text = format!("\n{}\n", painted(style::HEADING, &heading));
    let variables = format!("export HALTGATE_SERVER={address} HALTGATE_SESSION={}", script::SESSION);
    text.push_str(&format!("  {}\n", one_line(&variables)));
    for (what, command) in commands {
        text.push_str(&format!("  {command:<66}{}\n", painted(style::FAINT, &format!("# {what}"))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_of_the_demo_is_sound_and_nothing_in_it_is_idle() {
        let configuration = config::parse("policy.jsonc", POLICY).unwrap();
        let warnings = config::lint(&configuration);
        assert!(warnings.is_empty(), "{warnings}");
    }
}
