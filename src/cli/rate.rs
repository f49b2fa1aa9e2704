//! `haltgate rate`: what the rater says of one call, and nothing happens.
//!
//! Promises that only a call that was assessed and is safe ends with exit code 0. Knows nothing of how ratings come about.

use super::call::CallOptions;
use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::local::{LocalGate, LocalOptions};
use super::output;
use super::show;
use super::style::{self, painted};
use super::words;
use crate::display::one_line;
use crate::proto::v1 as pb;
use clap::Args;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
The rater is asked; no list, grant or rung counts, and nothing is approved, recorded or asked of a human.
Outcomes: safe, destructive, catastrophic, attack. What could not be assessed is destructive, with the cause.
Exit codes: 0 safe, 1 anything else, 2 usage or fault

Examples:
  haltgate rate --local -- git push --force origin main
  haltgate rate --local --cwd /work --command 'find . -name \"*.pyc\" -delete'
  haltgate rate --profile careful --json --stdin < script.sh")]
pub(super) struct RateOptions {
    /// The session whose folders, tools and rater count [default: the project's defaults]
    #[arg(long, value_name = "ID", env = "HALTGATE_SESSION")]
    session: Option<String>,
    /// The rater profile to ask [default: the one that the policy selects]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Ask the rater even where an earlier rating of the session would do
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    call: CallOptions,
    #[command(flatten)]
    local: LocalOptions,
}

impl RateOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The call cannot be rated at all.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let call = self.call.call()?;
        let request = pb::RateRequest {
            project: connection.project.clone(),
            session_id: self.session.clone().unwrap_or_default(),
            call: Some(call.clone()),
            profile: self.profile.unwrap_or_default(),
            fresh: self.fresh,
        };
        let response = if self.local.is_local() {
            let session = self.session.as_deref().unwrap_or("rate");
            LocalGate::open(&self.local, &connection.project, session).await?.rate(request).await?
        } else {
            connection.open().await.map_err(LocalOptions::suggest)?.rate(request).await?
        };
        if connection.json {
            output::write_message("RateResponse", &response)?;
        } else {
            output::write(&render(&call, &response))?;
        }
        Ok(exit(&response))
    }
}

/// An outcome that this version does not know is not safe.
fn exit(response: &pb::RateResponse) -> Exit {
    let safe = |rating: &pb::Rating| rating.outcome() == pb::Outcome::Safe && rating.cause == 0;
    if response.rating.as_ref().is_some_and(safe) { Exit::Good } else { Exit::Bad }
}

/// The rating as a person reads it.
fn render(call: &pb::Call, response: &pb::RateResponse) -> String {
    let rating = response.rating.clone().unwrap_or_default();
    let mut text = show::call(call);
    text.push('\n');
    let outcome = words::outcome(rating.outcome());
    text.push_str(&format!("{}\n", painted(style::outcome(rating.outcome()), outcome)));
    text.push_str(&show::labelled("reason", &one_line(&rating.reason)));
    for floor in &rating.floors {
        text.push_str(&show::labelled("floor", &one_line(&floor.reason)));
    }
    if rating.cause != 0 {
        text.push_str(&show::labelled("cause", &words::cause(rating.cause())));
    }
    if !rating.suggested_tool.is_empty() {
        text.push_str(&show::labelled("instead", &one_line(&rating.suggested_tool)));
    }
    text.push_str(&show::labelled("rated by", &source(&rating)));
    if !response.policy_revision.is_empty() {
        text.push_str(&show::labelled("policy", &one_line(&response.policy_revision)));
    }
    text
}

/// Who rated, and how long it took.
fn source(rating: &pb::Rating) -> String {
    let who = match rating.source() {
        pb::RatingSource::Model if rating.model.is_empty() => {
            format!("the profile {}", one_line(&rating.profile))
        }
        pb::RatingSource::Model => {
            format!("{}, by the profile {}", one_line(&rating.model), one_line(&rating.profile))
        }
        pb::RatingSource::Floor => "a floor".to_owned(),
        pb::RatingSource::BuiltIn | pb::RatingSource::Unspecified => "the built-in rater".to_owned(),
    };
    let took = rating.duration.and_then(|took| std::time::Duration::try_from(took).ok());
    match took {
        Some(_) if rating.reused => format!("{who}, taken over from an earlier rating"),
        Some(took) => format!("{who}, in {took:.1?}"),
        None => who,
    }
}
