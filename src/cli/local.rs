//! `--local`: the same gate in this process, on a store that is forgotten.
//!
//! Promises the decision that a server with the same configuration would make in a session that was just opened. Knows
//! nothing of connections.

use super::failure::Failure;
use super::gate::{self, refused};
use super::words::RungWord;
use crate::access::Caller;
use crate::config::{CONFIG, Configuration, Overrides, Source};
use crate::gate::Call;
use crate::proto::v1 as pb;
use crate::rules::ListKind;
use crate::server::convert;
use crate::session::{Ask, Engine, EngineError, Opening, RateWish, Rated};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Whether and how to decide without a server.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Without a server")]
pub(super) struct LocalOptions {
    /// Decide in this process, by the configuration that is found here; nothing is kept
    #[arg(long)]
    local: bool,
    /// The configuration file [default: haltgate.jsonc here, or none] [env: HALTGATE_CONFIG]
    #[arg(long, value_name = "FILE", requires = "local")]
    config: Option<PathBuf>,
    /// The rung of the session [default: the configuration's]
    #[arg(long, value_enum, requires = "local")]
    rung: Option<RungWord>,
    /// Whether a human may be asked
    #[arg(long, value_name = "BOOL", requires = "local")]
    interactive: Option<bool>,
}

impl LocalOptions {
    /// Without a server, by this configuration file.
    pub(super) fn by(config: Option<PathBuf>) -> Self {
        Self { local: true, config, rung: None, interactive: None }
    }

    /// Whether to decide without a server.
    pub(super) fn is_local(&self) -> bool {
        self.local
    }

    /// The file alone: where a server would listen and what it would store is of no matter here.
    fn overrides(&self) -> Result<Overrides, Failure> {
        let flag = Overrides { config: self.config.clone(), ..Overrides::default() };
        let variable = |name: &str| (name == CONFIG).then(|| std::env::var_os(name)).flatten();
        Ok(flag.over(Overrides::from_environment(variable).map_err(|problems| refused(&problems))?))
    }

    /// A connection that failed, with the way that needs none.
    pub(super) fn suggest(failure: Failure) -> Failure {
        failure.advise(
            "start a gate with `haltgate serve`, name one with --server, or add --local to do without",
        )
    }
}

/// A gate in this process with one session in it.
pub(super) struct LocalGate {
    engine: Engine,
    configuration: Configuration,
    project: String,
    session: String,
}

impl LocalGate {
    /// Loads the configuration and opens the session.
    ///
    /// # Errors
    /// Everything that is wrong with the configuration.
    pub(super) async fn open(options: &LocalOptions, project: &str, session: &str) -> Result<Self, Failure> {
        let source = Source { folder: PathBuf::new(), overrides: options.overrides()? };
        let configuration =
            crate::config::load(&source).map_err(|problems| refused(&problems))?.configuration;
        let engine = gate::engine(configuration.clone(), gate::ephemeral()?)?;
        let opening = Opening {
            session: Some(session.to_owned()),
            rung: options.rung.map(crate::gate::Rung::from),
            interactive: options.interactive,
            ..Opening::of(project, Arc::new(Caller::local()))
        };
        engine.open_session(opening).await.map_err(fault)?;
        Ok(Self { engine, configuration, project: project.to_owned(), session: session.to_owned() })
    }

    /// Decides a call.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) async fn decide(&self, request: pb::DecideRequest) -> Result<pb::DecideResponse, Failure> {
        let ask = Ask {
            project: self.project.clone(),
            session: self.session.clone(),
            run: request.run_id,
            request_id: (!request.request_id.is_empty()).then_some(request.request_id),
            call: checked(request.call)?,
            caller: Arc::new(Caller::local()),
        };
        let ruling = self.engine.decide(ask).await.map_err(fault)?;
        Ok(convert::decide_response(&ruling))
    }

    /// Explains a call.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) async fn explain(&self, request: pb::DecideRequest) -> Result<pb::DecideResponse, Failure> {
        let call = checked(request.call)?;
        let caller = Caller::local();
        let explained =
            self.engine.explain(&self.project, Some(&self.session), &request.run_id, &call, &caller);
        Ok(convert::explained(&explained.await.map_err(fault)?))
    }

    /// Rates a call.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) async fn rate(&self, request: pb::RateRequest) -> Result<pb::RateResponse, Failure> {
        let call = checked(request.call)?;
        let profile = (!request.profile.is_empty()).then_some(request.profile);
        let rated = self.rated(&call, &RateWish { profile, fresh: request.fresh }).await?;
        Ok(convert::rate_response(&call, rated))
    }

    /// Rates a call that was checked.
    ///
    /// # Errors
    /// There is no such profile.
    pub(super) async fn rated(&self, call: &Call, wish: &RateWish) -> Result<Rated, Failure> {
        self.engine.rate(&self.project, Some(&self.session), call, wish).await.map_err(fault)
    }

    /// The file, line and column that declare the entry that matched.
    pub(super) fn place(&self, rule: &pb::MatchedRule) -> Option<String> {
        let list = match rule.list() {
            pb::RuleList::Deny => ListKind::Deny,
            pb::RuleList::Escalate => ListKind::Escalate,
            pb::RuleList::Allow => ListKind::Allow,
            pb::RuleList::Unspecified => return None,
        };
        let index = usize::try_from(rule.index?).ok()?;
        let posture = self.configuration.posture(&self.project, None);
        posture.list(list).get(index).map(|placed| placed.origin.to_string())
    }
}

impl From<RungWord> for crate::gate::Rung {
    fn from(word: RungWord) -> Self {
        match word {
            RungWord::Manual => Self::Manual,
            RungWord::Write => Self::Write,
            RungWord::Assisted => Self::Assisted,
            RungWord::Auto => Self::Auto,
            RungWord::Bypass => Self::Bypass,
        }
    }
}

/// The call, checked for form as a server checks it.
fn checked(call: Option<pb::Call>) -> Result<Call, Failure> {
    Ok(convert::call(call.unwrap_or_default())?)
}

fn fault(error: EngineError) -> Failure {
    Failure::new(error.to_string())
}
