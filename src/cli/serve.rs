//! `haltgate serve`: the gate as a server.
//!
//! Promises that a configuration with errors starts nothing, that a bad change later changes nothing, and that what was
//! acknowledged is on disk when the command ends. Knows nothing of requests.

use super::exit::Exit;
use super::failure::Failure;
use super::gate::{self, refused};
use super::logging::Logging;
use super::output;
use super::reload;
use super::show;
use super::style::{self, painted};
use crate::config::{
    self, Configuration, Loaded, LogFormat, LogLevel, Overrides, ServerSettings, Source, admin_override,
    listen_override,
};
use crate::display::one_line;
use crate::rater::Profiles;
use crate::server::{self, Admin, Desk, LogSwitch, Receivers, Running, StartError};
use crate::session::Engine;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Settings come from the defaults, then the file, then HALTGATE_* variables, then these options.
The file is watched: a good change applies without a restart, a bad one is refused.
SIGINT or SIGTERM lets requests under way finish; a second one ends at once.
Other machines are served only with an `auth` block; docs/listening.md has TLS and Kubernetes.

Examples:
  haltgate serve
  haltgate serve --config policies/team.jsonc --store /var/lib/haltgate/gate.db
  haltgate serve --ephemeral --listen 127.0.0.1:0 --log debug")]
pub(super) struct ServeOptions {
    /// The configuration file [default: haltgate.jsonc here, or none] [env: HALTGATE_CONFIG]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address to listen on; port 0 takes a free one [env: HALTGATE_LISTEN]
    #[arg(long, value_name = "ADDRESS", value_parser = listen_override)]
    listen: Option<SocketAddr>,
    /// Serve whoever comes, from anywhere, without asking who it is [env: HALTGATE_INSECURE]
    #[arg(long)]
    insecure: bool,
    /// The SQLite file [env: HALTGATE_STORE]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Keep everything in memory and forget it at the end [env: HALTGATE_EPHEMERAL]
    #[arg(long, conflicts_with = "store")]
    ephemeral: bool,
    /// How much is logged: off, error, warn, info, debug, trace [env: HALTGATE_LOG]
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    log: Option<LogLevel>,
    /// In which form: human, json [env: HALTGATE_LOG_FORMAT]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    log_format: Option<LogFormat>,
    /// The address for metrics, probes and the log level, or none [env: HALTGATE_ADMIN]
    #[arg(long, value_name = "ADDRESS", value_parser = admin)]
    admin: Option<AdminAddress>,
}

/// An address, or `none`.
#[derive(Debug, Clone, Copy)]
struct AdminAddress(Option<SocketAddr>);

fn admin(text: &str) -> Result<AdminAddress, String> {
    admin_override(text).map(AdminAddress)
}

fn parse_level(text: &str) -> Result<LogLevel, String> {
    let names = LogLevel::ALL.map(LogLevel::as_str).join(", ");
    LogLevel::parse(text).ok_or_else(|| format!("must be one of {names}"))
}

fn parse_format(text: &str) -> Result<LogFormat, String> {
    let names = LogFormat::ALL.map(LogFormat::as_str).join(", ");
    LogFormat::parse(text).ok_or_else(|| format!("must be one of {names}"))
}

impl ServeOptions {
    /// Runs the command until it is told to stop.
    ///
    /// # Errors
    /// The gate cannot start, or could not keep running.
    pub(super) async fn run(self) -> Result<Exit, Failure> {
        let source = self.source()?;
        let loaded = config::load(&source).map_err(|problems| refused(&problems))?;
        let configuration = loaded.configuration.clone();
        let logging = Logging::start(&configuration)?;
        for warning in loaded.warnings.list() {
            tracing::warn!(%warning, "configuration");
        }
        // Before the store is touched: a profile without its key starts nothing.
        let raters = gate::raters(&configuration, None).map_err(|problems| refused(&problems))?;
        let receivers =
            Receivers::set_up(configuration.notifications()).map_err(|problems| refused(&problems))?;
        server::check_auth(&configuration).map_err(|problems| refused(&problems))?;
        let store = gate::store(configuration.store())?;
        let engine = gate::engine_with(configuration.clone(), store.clone(), Arc::clone(&raters))?;
        let switch = logging.switch();
        let served = serve(&engine, &configuration, source, loaded, raters, receivers, switch).await;
        // Whatever happened: what was acknowledged must be on disk.
        let closed = store.close().await.map_err(|error| Failure::new(error.to_string()));
        if served.is_ok() && closed.is_ok() {
            tracing::info!("stopped");
        }
        logging.end().await;
        served?;
        closed?;
        Ok(Exit::Good)
    }

    fn source(&self) -> Result<Source, Failure> {
        let flags = Overrides {
            config: self.config.clone(),
            listen: self.listen,
            insecure: self.insecure.then_some(true),
            store: self.store.clone(),
            ephemeral: self.ephemeral.then_some(true),
            log_level: self.log,
            log_format: self.log_format,
            admin: self.admin.map(|AdminAddress(address)| address),
            rater: None,
        };
        let variables = Overrides::from_environment(|name| std::env::var_os(name));
        let overrides = flags.over(variables.map_err(|problems| refused(&problems))?);
        Ok(Source { folder: PathBuf::new(), overrides })
    }
}

async fn serve(
    engine: &Engine,
    configuration: &Configuration,
    source: Source,
    loaded: Loaded,
    raters: Arc<Profiles>,
    receivers: Receivers,
    log: Arc<dyn LogSwitch>,
) -> Result<(), Failure> {
    engine.record_start().await.map_err(|error| Failure::new(error.to_string()))?;
    let stop = super::signals::stop()?;
    let following = reload::Following::begin(engine.clone(), raters, receivers).await?;
    let running =
        server::start(engine.clone(), configuration.server()).await.map_err(|error| cannot_listen(&error))?;
    let admin = match configuration.admin().listen {
        Some(address) => {
            let desk = Desk { engine: engine.clone(), draining: running.leaving(), log };
            let started = Admin::start(address, desk).await;
            Some(started.map_err(|error| {
                Failure::new(format!("the admin port cannot listen on {address}: {error}"))
                    .advise("name another address with --admin ADDRESS, or none with --admin none")
            })?)
        }
        None => None,
    };
    announce(&running, admin.as_ref(), configuration, &loaded)?;
    let reloading = tokio::spawn(following.run(source, loaded));
    let ended = running.stopped(stop).await.map_err(|error| Failure::new(error.to_string()));
    reloading.abort();
    // With it end the notifications: what they wrote comes before the store is closed.
    let _aborted = reloading.await;
    ended
}

/// Says where the gate is and what it does: a block for people, a line for log readers.
fn announce(
    running: &Running,
    admin: Option<&Admin>,
    configuration: &Configuration,
    loaded: &Loaded,
) -> Result<(), Failure> {
    let open = speak_of_strangers(configuration);
    let addresses = running
        .addresses()
        .iter()
        .map(|address| if running.encrypted() { format!("https://{address}") } else { address.to_string() });
    let sockets = running.socket().map(|path| format!("unix:{}", path.display()));
    let addresses: Vec<String> = addresses.chain(sockets).collect();
    let settings = configuration.store();
    let store = if settings.ephemeral { "in memory".to_owned() } else { settings.path.display().to_string() };
    let rung = configuration.posture("", None).rung.as_str();
    let files: Vec<String> = loaded.files.iter().map(|file| file.display().to_string()).collect();
    match configuration.log().format {
        LogFormat::Json => {
            let admin = admin.map(|admin| admin.address().to_string());
            tracing::info!(?addresses, admin, insecure = open, %store, rung, revision = configuration.revision(), "ready")
        }
        LogFormat::Human => {
            let version = env!("CARGO_PKG_VERSION");
            let mut text = format!("{} {version} is ready\n", painted(style::HEADING, "haltgate"));
            for address in &addresses {
                text.push_str(&show::labelled("address", &one_line(address)));
            }
            if let Some(address) = running.address() {
                let scheme = if running.encrypted() { "https" } else { "http" };
                text.push_str(&show::labelled("console", &format!("{scheme}://{address}/")));
            }
            if open {
                let warning = "INSECURE: whoever reaches these addresses may do everything";
                text.push_str(&show::labelled("access", &painted(style::ERROR, warning)));
            }
            if let Some(admin) = admin {
                text.push_str(&show::labelled("admin", &format!("http://{}/metrics", admin.address())));
            }
            let from = if files.is_empty() { "the defaults".to_owned() } else { files.join(", ") };
            text.push_str(&show::labelled("store", &one_line(&store)));
            text.push_str(&show::labelled(
                "policy",
                &format!("{} from {}", configuration.revision(), one_line(&from)),
            ));
            text.push_str(&show::labelled("rung", rung));
            output::write(&text)?;
        }
    }
    Ok(())
}

fn cannot_listen(error: &StartError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        StartError::Address { .. } => failure.advise("name another address with --listen"),
        StartError::Unguarded(_)
        | StartError::Nowhere
        | StartError::Socket(_)
        | StartError::Tls(_)
        | StartError::Reflection(_) => failure,
    }
}

/// Says what strangers can do, in the log; whether they can do everything.
fn speak_of_strangers(configuration: &Configuration) -> bool {
    let server = configuration.server();
    let guarded = configuration.credentials_required();
    // What would have been refused, had nobody insisted.
    let open = ServerSettings { insecure: false, ..server.clone() }.unguarded(guarded).is_some();
    if open {
        tracing::warn!(
            "started with --insecure: whoever reaches the gate may decide, answer for the human and change every rule"
        );
    }
    let plain = server.unencrypted();
    if guarded && !plain.is_empty() {
        tracing::warn!(
            ?plain,
            "credentials travel unencrypted on these addresses: configure server.tls, or say \"plaintext\": \"behind_proxy\" \
             where a proxy encrypts"
        );
    }
    open
}
