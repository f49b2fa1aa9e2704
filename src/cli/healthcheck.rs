//! `haltgate healthcheck`: may the gate here be asked? For images without a shell or an HTTP client.
//!
//! Promises exit code 0 for yes and 1 for everything else. Knows nothing of what health is made of.

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use crate::config::{ADMIN, admin_override};
use crate::display::one_line;
use crate::outgoing::{client, why};
use clap::Args;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The most of an answer that is shown, in characters.
const SHOWN: usize = 200;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Asks the admin port where there is one, and the gate's own health service otherwise.
Exit codes: 0 it may be asked, 1 it may not, or nobody answers

Examples:
  haltgate healthcheck
  haltgate healthcheck --admin 127.0.0.1:7558
  haltgate healthcheck --admin 127.0.0.1:7558 --live      does the process answer, whatever becomes of the store?")]
pub(super) struct HealthcheckOptions {
    /// Where the admin port is; a gate that listens everywhere is asked on this machine
    #[arg(long, value_name = "ADDRESS", env = ADMIN, value_parser = address)]
    admin: Option<AdminAddress>,
    /// Ask only whether the process answers
    #[arg(long, requires = "admin")]
    live: bool,
}

/// Where an admin port is, or that there is none.
#[derive(Debug, Clone, Copy)]
struct AdminAddress(Option<SocketAddr>);

fn address(text: &str) -> Result<AdminAddress, String> {
    admin_override(text).map(|address| AdminAddress(address.map(reachable)))
}

/// Whoever listens on every address listens on this machine's own.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    address
}

impl HealthcheckOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// None: what goes wrong is what is asked for.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let found = match self.admin {
            Some(AdminAddress(Some(address))) => self.probe(address, connection).await,
            Some(AdminAddress(None)) | None => serving(connection).await,
        };
        match found {
            Ok(()) => Ok(Exit::Good),
            Err(failure) => {
                output::complain(&failure.render());
                Ok(Exit::Bad)
            }
        }
    }

    async fn probe(&self, address: SocketAddr, connection: &Connection) -> Result<(), Failure> {
        let page = if self.live { "live" } else { "ready" };
        let unreachable =
            |error| Failure::new(format!("the admin port at {address} does not answer: {}", why(error)));
        let client = client(true).map_err(unreachable)?;
        let request = client.get(format!("http://{address}/{page}")).timeout(connection.timeout());
        let mut response = request.send().await.map_err(unreachable)?;
        if response.status().is_success() {
            return Ok(());
        }
        let body = response.chunk().await.ok().flatten().unwrap_or_default();
        let said = one_line(String::from_utf8_lossy(&body).trim()).chars().take(SHOWN).collect::<String>();
        Err(Failure::new(if said.is_empty() { format!("not ready: {}", response.status()) } else { said }))
    }
}

async fn serving(connection: &Connection) -> Result<(), Failure> {
    let client = connection.open().await?;
    if client.is_serving().await? {
        Ok(())
    } else {
        Err(Failure::new("the gate may not be asked at the moment"))
    }
}
