//! `haltgate mcp`: the gate between an MCP client and a server that speaks over its standard streams.
//!
//! Promises that no tool is called which the gate did not approve, whatever happens to the gate, and that everything else
//! passes without waiting for anybody. Standard output belongs to the protocol alone.

mod judging;
mod operator;
mod pipes;
mod proxy;
mod registrar;
mod server;
mod snippet;

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use clap::{Args, ValueEnum};
use proxy::Proxy;
use server::Server;
use snippet::Host;
use std::ffi::OsString;
use uuid::Uuid;

/// The longest key of a server, in bytes.
const MAX_KEY: usize = 256;

/// The longest message, in mebibytes, unless told otherwise: results carry images.
const MESSAGE_MIB: &str = "32";

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
It stands where the server stood: give your MCP client this command in place of the server's, with the server's own
behind `--`. Every tools/call is judged as a tool of the server NAME, as policies and grants name it:

  { \"type\": \"mcpTool\", \"server\": \"files\", \"matcher\": \"exact\", \"pattern\": \"read_file\" }

On the rungs assisted, auto and bypass a policy looks at MCP tools only with \"gate_scope\": \"every_call\".

What the client gets: the server's result where the gate approves; a result with isError and the reason where it
rejects; an error where the run is halted, nobody can be asked, or the gate is away. While a human is asked, the
client hears progress if it wants to; most clients stop waiting after a minute or so unless told otherwise.
Resources, prompts, sampling and everything else pass.

Exit codes: the server's own; 128 and the number of the signal that ended it; 2 when it cannot be started

Examples:
  haltgate mcp --server-key files -- npx -y @modelcontextprotocol/server-filesystem .
  haltgate mcp --server-key files --print-config claude-desktop -- npx -y @modelcontextprotocol/server-filesystem .
  haltgate mcp --server-key jira --session team --project web -- jira-mcp")]
pub(super) struct McpOptions {
    /// The key that policies, grants and trust know the server by
    #[arg(long, value_name = "NAME", value_parser = parse_key)]
    server_key: String,
    /// The session that the calls belong to [default: one of its own for as long as this runs]
    #[arg(long, value_name = "ID", env = "HALTGATE_SESSION")]
    session: Option<String>,
    /// The run that the calls belong to: an attack halts it [default: one of its own]
    #[arg(long, value_name = "ID", env = "HALTGATE_RUN_ID")]
    run_id: Option<String>,
    /// What becomes of calls while the gate cannot be reached
    #[arg(long, value_enum, default_value = "deny")]
    on_unavailable: OnUnavailable,
    /// The longest message that passes, in MiB
    #[arg(long, value_name = "MIB", default_value = MESSAGE_MIB, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    max_message: u16,
    /// Start nothing, and print what to put into this client's configuration
    #[arg(long, value_enum, value_name = "CLIENT")]
    print_config: Option<Host>,
    /// The server's command
    #[arg(last = true, required = true, value_name = "SERVER")]
    server_command: Vec<OsString>,
}

/// What becomes of calls while the gate cannot be reached: there is one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnUnavailable {
    /// They are refused
    Deny,
}

fn parse_key(text: &str) -> Result<String, String> {
    match text {
        "" => Err("must not be empty".to_owned()),
        "*" => Err("must name one server; `*` stands for every server in rule entries".to_owned()),
        long if long.len() > MAX_KEY => Err(format!("must have at most {MAX_KEY} bytes")),
        key if key.contains('\0') => Err("must not hold a NUL character".to_owned()),
        key => Ok(key.to_owned()),
    }
}

/// The conversation that the calls belong to.
#[derive(Debug, Clone)]
struct Place {
    key: String,
    project: String,
    session: String,
    run: String,
    /// Where the server runs, as the calls name paths; empty where it has no name.
    cwd: String,
    home: String,
    /// The session lives as long as this process; others are somebody else's, too.
    own: bool,
}

impl McpOptions {
    /// Runs the command until the client or the server ends.
    ///
    /// # Errors
    /// The server cannot be started.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        if let Some(host) = self.print_config {
            return snippet::print(host, &self.server_key, std::env::args_os().skip(1));
        }
        match self.on_unavailable {
            OnUnavailable::Deny => {}
        }
        let made = Uuid::now_v7();
        let place = Place {
            key: self.server_key,
            project: connection.project.clone(),
            own: self.session.is_none(),
            session: self.session.unwrap_or_else(|| format!("mcp-{made}")),
            cwd: std::env::current_dir()
                .ok()
                .and_then(|path| path.into_os_string().into_string().ok())
                .unwrap_or_default(),
            home: std::env::var("HOME").ok().filter(|home| home.starts_with('/')).unwrap_or_default(),
            run: self.run_id.unwrap_or_else(|| format!("mcp-{made}")),
        };
        // Before the server starts: a signal that comes early must not leave it behind.
        let stop = super::signals::stop()?;
        let (server, input, output) = Server::start(&self.server_command)?;
        let bound = usize::from(self.max_message) << 20;
        Proxy { server, input, output, place, connection: connection.clone(), bound }.run(stop).await
    }
}
