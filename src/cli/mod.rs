//! The command line: one file per subcommand.
//!
//! Promises the exit codes of the documentation, output for people or proto3 JSON, and that a reader who goes away is no
//! fault. Every text that an agent wrote passes through `display`. Knows the gate through `client`, `server` and
//! `session` alone.

mod answer;
mod audit;
mod backup;
mod call;
mod check;
mod connection;
mod credentials;
mod decide;
mod decisions;
mod demo;
mod entry;
mod eval;
mod exit;
mod explain;
mod failure;
mod gate;
mod grants;
mod healthcheck;
mod hook;
mod local;
mod logging;
mod mcp;
mod output;
mod rate;
mod reload;
mod run;
mod serve;
mod serving;
mod sessions;
mod show;
mod signals;
mod style;
mod table;
mod test;
mod time;
mod token;
mod watch;
mod words;

use clap::{CommandFactory, Parser, Subcommand};
use connection::Connection;
use exit::Exit;
use failure::Failure;
use std::process::ExitCode;
use std::time::Duration;

/// haltgate: the approval gate for AI agents.
///
/// An agent's backend asks it before every tool call: may this run? It answers from the operator's own rules, from what
/// a human granted earlier, from a rating of the command, or by asking a human now.
#[derive(Debug, Parser)]
#[command(
    name = "haltgate",
    version,
    after_help = "\
Begin with:
  haltgate demo                     see it decide, in a minute
  haltgate check                    is the policy here sound?
  haltgate explain --local -- npm publish
  haltgate serve                    then, elsewhere: haltgate decide --wait -- npm publish

`haltgate COMMAND --help` has examples for each."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a short conversation against a gate of its own, and leave the gate up to be tried
    Demo(demo::DemoOptions),
    /// Serve the gate over gRPC
    Serve(serve::ServeOptions),
    /// Run a command with a gate of its own
    Run(run::RunOptions),
    /// Ask whether a call may run
    Decide(WithConnection<decide::DecideOptions>),
    /// See how a call would be decided, without deciding it
    Explain(WithConnection<explain::ExplainOptions>),
    /// Have a call rated, outside of any decision
    Rate(WithConnection<rate::RateOptions>),
    /// Follow what waits for a human, and answer it
    Watch(WithConnection<watch::WatchOptions>),
    /// Answer one thing that waits for a human
    Answer(WithConnection<answer::AnswerOptions>),
    /// Stand between an MCP client and a server, and judge every tool call
    Mcp(WithConnection<mcp::McpOptions>),
    /// Look at grants, denials and trust, and change them
    Grants(WithConnection<grants::GrantsOptions>),
    /// Look at sessions and change them
    Sessions(WithConnection<sessions::SessionsOptions>),
    /// Look at what was decided
    Decisions(WithConnection<decisions::DecisionsOptions>),
    /// Check the hash chain of the records
    Audit(WithConnection<audit::AuditOptions>),
    /// Make the tokens that callers of a gate show, list them and revoke them
    Token(token::TokenOptions),
    /// Copy the store while a gate runs on it, and check a copy
    Backup(backup::BackupOptions),
    /// Ask whether a gate may be asked, for probes
    Healthcheck(WithConnection<healthcheck::HealthcheckOptions>),
    /// Have a coding agent ask the gate before it uses a tool: Claude Code, Codex, Gemini CLI, OpenCode
    Hook(hook::HookOptions),
    /// Validate a configuration, and warn of what can hardly be meant
    Check(check::CheckOptions),
    /// Run policy cases: does a policy decide as it should?
    Test(test::TestOptions),
    /// Rate labelled commands, and count where the rater is wrong
    Eval(eval::EvalOptions),
}

// A command that speaks to a gate. (Documentation here would become its help.)
#[derive(Debug, clap::Args)]
struct WithConnection<Options: clap::Args> {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    connection: Connection,
}

/// Reads a command to answer, as it is typed while watching: `haltgate answer …`, with or without the first words.
fn typed_answer(words: &[String]) -> Result<WithConnection<answer::AnswerOptions>, clap::Error> {
    let rest = words.strip_prefix(&["haltgate".to_owned()]).unwrap_or(words);
    let rest = rest.strip_prefix(&["answer".to_owned()]).unwrap_or(rest);
    let whole = ["haltgate", "answer"].into_iter().chain(rest.iter().map(String::as_str));
    match Arguments::try_parse_from(whole)?.command {
        Some(Command::Answer(answer)) => Ok(answer),
        Some(_) | None => {
            Err(Arguments::command().error(clap::error::ErrorKind::InvalidSubcommand, "not an answer"))
        }
    }
}

/// How long what nobody waits for may hold the end of the process.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    crate::cryptography::install();
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        None => output::write(&Arguments::command().render_help().ansi().to_string()).map(|_read| Exit::Good),
        Some(command) => runtime(&command).and_then(|runtime| {
            let outcome = runtime.block_on(dispatch(command));
            // What still runs has nobody left to tell: a name that is looked up must not hold the end of the process.
            runtime.shutdown_timeout(LAST_MOMENT);
            outcome
        }),
    };
    let exit = outcome.unwrap_or_else(|failure| {
        output::complain(&failure.render());
        Exit::Fault
    });
    exit.into()
}

/// Threads for what serves; the rest waits for one thing at a time.
fn runtime(command: &Command) -> Result<tokio::runtime::Runtime, Failure> {
    let serves = matches!(command, Command::Demo(_) | Command::Serve(_) | Command::Run(_));
    let mut builder = if serves {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    builder.enable_all().build().map_err(|error| Failure::new(format!("cannot start: {error}")))
}

async fn dispatch(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Demo(options) => options.run().await,
        Command::Serve(options) => options.run().await,
        Command::Run(options) => options.run().await,
        Command::Decide(it) => it.options.run(&it.connection).await,
        Command::Explain(it) => it.options.run(&it.connection).await,
        Command::Rate(it) => it.options.run(&it.connection).await,
        Command::Watch(it) => it.options.run(&it.connection).await,
        Command::Answer(it) => it.options.run(&it.connection).await,
        Command::Mcp(it) => it.options.run(&it.connection).await,
        Command::Grants(it) => it.options.run(&it.connection).await,
        Command::Sessions(it) => it.options.run(&it.connection).await,
        Command::Decisions(it) => it.options.run(&it.connection).await,
        Command::Audit(it) => it.options.run(&it.connection).await,
        Command::Token(options) => options.run(),
        Command::Backup(options) => options.run(),
        Command::Healthcheck(it) => it.options.run(&it.connection).await,
        Command::Hook(options) => options.run().await,
        Command::Check(options) => options.run(),
        Command::Test(options) => options.run(),
        Command::Eval(options) => options.run().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
