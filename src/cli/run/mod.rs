//! `haltgate run`: a gate for the life of one command.
//!
//! Promises that the command starts when the gate answers, finds it without being told, and ends as if it had been run
//! alone; and that the gate ends with it. Knows nothing of what the command does.

mod child;

use super::connection::{PROJECT_VARIABLE, SERVER_VARIABLE};
use super::exit::Exit;
use super::failure::Failure;
use super::gate::{self, refused};
use super::logging::Logging;
use super::output;
use super::reload::Following;
use super::serving::Serving;
use crate::client::{Address, Client, TARGET_VARIABLE};
use crate::config::{
    self, CONFIG, Configuration, LOG, LOG_FORMAT, Loaded, Overrides, ServerSettings, Source,
};
use crate::display::one_line;
use crate::proto::v1 as pb;
use crate::rater::Profiles;
use crate::server::{self, Receivers};
use crate::session::Engine;
use clap::Args;
use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a failure of this command's own ends with, so that it cannot be taken for the command's: as `env` and `timeout` do.
const OWN_FAILURE: u8 = 125;

/// How long requests under way may go on when the command is over: whoever sent them is gone, or should be.
const DRAIN: Duration = Duration::from_secs(1);

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
The gate listens on a free port of this machine. The command finds it in HALTGATE_TARGET, as
every haltgate client does, and in HALTGATE_SERVER, as the other commands of haltgate do. It keeps
nothing unless told so.

Exit codes: the command's own; 128 and the number of the signal that ended it; 127 when there is
no such command, 126 when it cannot be run, 125 when the gate cannot be started

Examples:
  haltgate run -- python agent.py
  haltgate run --config policies/team.jsonc --store agent.db -- npm run agent
  haltgate run -- claude                        with `haltgate hook claude-code install`
  haltgate run --quiet -- sh -c 'haltgate decide -- git status'")]
pub(super) struct RunOptions {
    /// The configuration file [default: haltgate.jsonc here, or none] [env: HALTGATE_CONFIG]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Keep records and grants in this SQLite file
    #[arg(long, value_name = "FILE", conflicts_with = "keep")]
    store: Option<PathBuf>,
    /// Keep them in a new file, whose name is printed
    #[arg(long)]
    keep: bool,
    /// The rater profile of sessions for which the configuration's projects and commands choose none
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The project that the command finds in HALTGATE_PROJECT
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// Say nothing about the gate
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Write the gate's log to standard error, as much of it as the configuration says
    #[arg(short, long)]
    verbose: bool,
    /// The command with its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

impl RunOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// None: what goes wrong is told here, since it ends with a code of its own.
    pub(super) async fn run(self) -> Result<Exit, Failure> {
        Ok(self.run_gated().await.unwrap_or_else(|failure| {
            output::complain(&failure.render());
            Exit::AsRun(OWN_FAILURE)
        }))
    }

    async fn run_gated(&self) -> Result<Exit, Failure> {
        let source = self.source()?;
        let loaded = config::load(&source).map_err(|problems| refused(&problems))?;
        let configuration = loaded.configuration.clone();
        let logging = self.verbose.then(|| Logging::start(&configuration)).transpose()?;
        let raters = gate::raters(&configuration, None).map_err(|problems| refused(&problems))?;
        let receivers =
            Receivers::set_up(configuration.notifications()).map_err(|problems| refused(&problems))?;
        let store = gate::store(configuration.store())?;
        // Nobody but the command is told where this gate is, and the command has no credentials.
        let own = configuration.clone().without_auth();
        let engine = gate::engine_with(own, store.clone(), Arc::clone(&raters))?;
        let outcome = self.run_beside(&engine, source, loaded, raters, receivers).await;
        let closed = store.close().await.map_err(|error| Failure::new(error.to_string()));
        let exit = outcome?;
        if let Err(failure) = closed {
            // The command has ended in its own way, which its caller must learn.
            output::complain(&failure.render());
        }
        if self.keep {
            let kept = configuration.store().path.display().to_string();
            output::complain(&format!("haltgate: kept in {}\n", one_line(&kept)));
        }
        if let Some(logging) = logging {
            logging.end().await;
        }
        Ok(exit)
    }

    /// Serves the gate for as long as the command runs.
    async fn run_beside(
        &self,
        engine: &Engine,
        source: Source,
        loaded: Loaded,
        raters: Arc<Profiles>,
        receivers: Receivers,
    ) -> Result<Exit, Failure> {
        engine.record_start().await.map_err(|error| Failure::new(error.to_string()))?;
        let following = Following::begin(engine.clone(), raters, receivers).await?;
        let running = server::start(engine.clone(), &settings(&loaded.configuration))
            .await
            .map_err(|error| Failure::new(error.to_string()))?;
        let address = running.address().ok_or_else(|| Failure::new("the gate has no address"))?;
        let serving = Serving::of(running);
        let reloading = tokio::spawn(following.run(source, loaded));
        let outcome = self.run_command(address).await;
        reloading.abort();
        // With it end the notifications: what they wrote comes before the store is closed.
        let _aborted = reloading.await;
        serving.end().await?;
        outcome
    }

    async fn run_command(&self, address: SocketAddr) -> Result<Exit, Failure> {
        // What listens does not yet answer: the command starts when the gate does.
        let client = Client::connect(&Address::Tcp(address.to_string())).await?;
        client.server_info(pb::GetServerInfoRequest::default()).await?;
        if !self.quiet {
            output::complain(&format!(
                "haltgate: the gate is at {address}, its console at http://{address}/\n"
            ));
        }
        let mut variables = vec![
            (TARGET_VARIABLE, OsString::from(address.to_string())),
            (SERVER_VARIABLE, OsString::from(address.to_string())),
        ];
        variables.extend(self.project.as_ref().map(|project| (PROJECT_VARIABLE, OsString::from(project))));
        child::run(&self.command, &variables).await
    }

    /// The file, and how much is logged; where another gate would listen and what it would store is of no matter here.
    fn source(&self) -> Result<Source, Failure> {
        let store = if self.keep { Some(new_store()?) } else { self.store.clone() };
        let flags = Overrides {
            config: self.config.clone(),
            ephemeral: store.is_none().then_some(true),
            store,
            rater: self.profile.clone(),
            ..Overrides::default()
        };
        let ours = |name: &str| matches!(name, CONFIG | LOG | LOG_FORMAT);
        let variables = Overrides::from_environment(|name| std::env::var_os(name).filter(|_| ours(name)));
        let overrides = flags.over(variables.map_err(|problems| refused(&problems))?);
        Ok(Source { folder: PathBuf::new(), overrides })
    }
}

/// The server's settings, on a free port of the loopback.
fn settings(configuration: &Configuration) -> ServerSettings {
    let configured = configuration.server();
    ServerSettings {
        listen: vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))],
        socket: None,
        // The agent is on this machine, and nobody else comes.
        tls: None,
        lame_duck: Some(Duration::ZERO),
        drain_timeout: configured.drain_timeout.min(DRAIN),
        ..configured.clone()
    }
}

/// A store in a new folder that only this user can read.
fn new_store() -> Result<PathBuf, Failure> {
    let folder = std::env::temp_dir().join(format!("haltgate-{}", uuid::Uuid::now_v7()));
    let made = std::fs::DirBuilder::new().mode(0o700).create(&folder);
    made.map_err(|error| Failure::new(format!("cannot make the folder {}: {error}", folder.display())))?;
    Ok(folder.join("haltgate.db"))
}
