//! `haltgate hook`: coding agents ask the gate before they use a tool.
//!
//! Promises that an agent is told to run a call for nothing but an approval, and that whatever goes wrong is a refusal the
//! agent understands. Knows the agents' protocols in `protocol` and `reply` alone.

mod agent;
mod asking;
mod command;
mod diff;
mod install;
mod protocol;
mod reply;
mod settings;

use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::time::parse_duration;
use agent::Agent;
use clap::{Args, Subcommand, ValueEnum};
use reply::Reply;
use std::io::Read;
use std::time::Duration;

/// The largest question that is read, in bytes: a command of 1 MiB, every character of it escaped, and some more.
const MAX_INPUT: u64 = 16 << 20;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  haltgate hook claude-code install             in .claude/settings.json of this project
  haltgate hook claude-code install --user --wait 10m --then deny
  haltgate hook codex install --user --dry-run  only shows it
  haltgate hook gemini uninstall

The gate itself must run: `haltgate serve`, or `haltgate run -- claude`. See docs/adapters.md.")]
pub(super) struct HookOptions {
    #[command(subcommand)]
    agent: AgentCommand,
}

#[derive(Debug, Subcommand)]
enum AgentCommand {
    /// Answer Claude Code's PreToolUse hook: the question on standard input, the answer on standard output
    ClaudeCode(AgentOptions),
    /// Answer Codex's PreToolUse hook
    Codex(AgentOptions),
    /// Answer Gemini CLI's BeforeTool hook
    Gemini(AgentOptions),
    /// Answer the plugin that `install` writes for OpenCode
    Opencode(AgentOptions),
}

// What is the same for every agent. (Documentation here would become the help of each.)
#[derive(Debug, Args)]
struct AgentOptions {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    connection: Connection,
}

// How a question is answered. (Documentation here would become the help of each agent.)
#[derive(Debug, Clone, Args)]
pub(super) struct Manner {
    /// How long to wait for the human whom the gate asks [default: 1m where the agent can ask instead, else 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, global = true)]
    wait: Option<Duration>,
    /// What happens when that human has not answered by then [default: ask where the agent can, else deny]
    #[arg(long, value_name = "WHAT", value_enum, global = true)]
    then: Option<Instead>,
    /// What happens while the gate is out of reach
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Instead::Deny, global = true)]
    on_unavailable: Instead,
}

/// What happens where the gate has not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Instead {
    /// The agent asks whoever sits before it. Only Claude Code can
    Ask,
    /// The call does not run
    Deny,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write the hook into the agent's settings, and show what changes
    Install(install::InstallOptions),
    /// Take the hook out of the agent's settings, and show what changes
    Uninstall(install::UninstallOptions),
}

impl Manner {
    /// How long to wait for a human.
    fn wait(&self, agent: Agent) -> Duration {
        self.wait.unwrap_or(if agent.can_ask() { Duration::from_secs(60) } else { Duration::from_secs(300) })
    }

    /// What to do when that human has not answered.
    fn then(&self, agent: Agent) -> Instead {
        self.then.unwrap_or(if agent.can_ask() { Instead::Ask } else { Instead::Deny })
    }

    /// That an agent is only told to ask where it can.
    fn check(&self, agent: Agent) -> Result<(), Failure> {
        let asks = self.then == Some(Instead::Ask) || self.on_unavailable == Instead::Ask;
        if asks && !agent.can_ask() {
            let name = agent.title();
            return Err(Failure::new(format!("{name} takes no `ask` from a hook, and would run the call"))
                .advise("leave --then and --on-unavailable out, or write deny"));
        }
        Ok(())
    }
}

impl HookOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The settings cannot be changed, or the answer cannot be written.
    pub(super) async fn run(self) -> Result<Exit, Failure> {
        let (agent, options) = match self.agent {
            AgentCommand::ClaudeCode(options) => (Agent::ClaudeCode, options),
            AgentCommand::Codex(options) => (Agent::Codex, options),
            AgentCommand::Gemini(options) => (Agent::Gemini, options),
            AgentCommand::Opencode(options) => (Agent::OpenCode, options),
        };
        options.manner.check(agent)?;
        match options.action {
            Some(Action::Install(install)) => install.run(agent, &options.manner, &options.connection),
            Some(Action::Uninstall(uninstall)) => uninstall.run(agent),
            None => answer(agent, &options.manner, &options.connection).await,
        }
    }
}

/// Reads one question and answers it.
async fn answer(agent: Agent, manner: &Manner, connection: &Connection) -> Result<Exit, Failure> {
    let reply = match read_input().and_then(|text| protocol::read(agent, &text)) {
        Ok(asked) => asking::ask(agent, manner, connection, asked).await,
        Err(problem) => Reply::Deny(format!("haltgate cannot read what {} asks: {problem}", agent.title())),
    };
    if output::write(&format!("{}\n", reply::render(agent, &reply)))? {
        Ok(Exit::Good)
    } else {
        // Whoever does not read the answer must not take silence for consent.
        Err(Failure::new("nobody reads the answer"))
    }
}

fn read_input() -> Result<String, String> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_INPUT + 1).read_to_string(&mut text);
    match read {
        Err(error) => Err(error.to_string()),
        Ok(length) if u64::try_from(length).is_ok_and(|length| length > MAX_INPUT) => {
            Err(format!("it is longer than {MAX_INPUT} bytes"))
        }
        Ok(_length) => Ok(text),
    }
}
