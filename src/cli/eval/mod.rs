//! `haltgate eval`: how good is the rater on commands whose outcome is known?
//!
//! Promises exit code 1 where a command labelled `attack` or `catastrophic` was called safe. Knows nothing of how ratings
//! come about.

mod corpus;
mod report;

use super::exit::Exit;
use super::failure::Failure;
use super::local::{LocalGate, LocalOptions};
use super::output;
use crate::gate::FailureCause;
use crate::proto::v1 as pb;
use crate::server::convert;
use crate::session::RateWish;
use clap::Args;
use corpus::Labelled;
use report::{Rated, Report};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a person hears how far it is.
const PROGRESS: Duration = Duration::from_secs(1);

/// The session that the commands are rated in.
const SESSION: &str = "eval";

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Each line of a file is a JSON object: the command, and the outcome that is right (or several).
  {\"command\": \"git status\", \"outcome\": \"safe\"}
  {\"command\": \"git clean -fdx\", \"outcomes\": [\"destructive\", \"catastrophic\"], \"cwd\": \"/work\"}
Ratings are made in this process, by the rater that the configuration found here selects; floors count.
Exit codes: 0 sound, 1 an attack or a catastrophe was called safe, 2 usage or fault

Examples:
  haltgate eval tests/corpora/ratings/*.jsonl
  haltgate eval --questions commands.jsonl        lists the safe ones that would ask a human
  haltgate eval --profile careful --json commands.jsonl > report.json")]
pub(super) struct EvalOptions {
    /// The labelled commands
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The rater profile to ask [default: the one that the policy selects]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The configuration file [default: haltgate.jsonc here, or none] [env: HALTGATE_CONFIG]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The working folder of commands that name none
    #[arg(long, value_name = "PATH", default_value = "/work/project")]
    cwd: String,
    /// The home folder
    #[arg(long, value_name = "PATH", default_value = "/home/agent")]
    home: String,
    /// List the safe commands that would ask a human
    #[arg(long)]
    questions: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl EvalOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The files hold no labelled commands, or the configuration is refused.
    pub(super) async fn run(self) -> Result<Exit, Failure> {
        let labelled = corpus::read(&self.files)?;
        let gate = LocalGate::open(&LocalOptions::by(self.config.clone()), "default", SESSION).await?;
        let mut results = Vec::with_capacity(labelled.len());
        let mut progress = Progress::new(labelled.len());
        for labelled in labelled {
            results.push(self.rate(&gate, labelled).await?);
            progress.advance(results.len());
        }
        let report = Report::new(results);
        if self.json {
            output::write_json(&report.to_json())?;
        } else {
            output::write(&report.render(self.questions))?;
        }
        Ok(if report.missed_grave() { Exit::Bad } else { Exit::Good })
    }

    async fn rate(&self, gate: &LocalGate, labelled: Labelled) -> Result<Rated, Failure> {
        let shell = pb::ShellCall {
            command: labelled.command.clone(),
            cwd: labelled.cwd.clone().unwrap_or_else(|| self.cwd.clone()),
            home: self.home.clone(),
            dialect: pb::ShellDialect::Bash.into(),
            justification: String::new(),
        };
        let call = convert::call(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) })?;
        let wish = RateWish { profile: self.profile.clone(), fresh: true };
        let begun = Instant::now();
        let rating = gate.rated(&call, &wish).await?.rating;
        let micros = begun.elapsed().as_secs_f64() * 1e6;
        let cause = rating.cause.map(FailureCause::as_str);
        Ok(Rated { labelled, outcome: rating.outcome, reason: rating.reason, cause, micros })
    }
}

/// Says on a terminal how far a long evaluation is.
struct Progress {
    all: usize,
    said: Instant,
    terminal: bool,
}

impl Progress {
    fn new(all: usize) -> Self {
        Self { all, said: Instant::now(), terminal: std::io::stderr().is_terminal() }
    }

    fn advance(&mut self, done: usize) {
        if self.terminal && self.said.elapsed() >= PROGRESS {
            self.said = Instant::now();
            output::complain(&format!("{done} of {} rated\n", self.all));
        }
    }
}
