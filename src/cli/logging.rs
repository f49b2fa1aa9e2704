//! Log lines on standard error, and spans for a collector.
//!
//! Promises the level and the form that the configuration states, that the level can be changed while the gate runs, and that the
//! libraries below never say what passes through them. Knows nothing of what is logged.

use super::failure::Failure;
use crate::config::{Configuration, LogFormat, LogLevel, LogSettings};
use crate::server::LogSwitch;
use crate::trace::SPANS;
use std::sync::{Arc, Mutex, PoisonError};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, reload};

type Switch = reload::Handle<Targets, Registry>;

/// Log lines that are being written, and spans that are being sent.
#[derive(Debug)]
pub(super) struct Logging {
    switch: Arc<Levels>,
    #[cfg(feature = "otlp")]
    exporter: Option<crate::trace::Exporter>,
}

impl Logging {
    /// Begins to write log lines, and to send spans where a collector is named. A second call in one process changes nothing.
    ///
    /// # Errors
    /// Spans were asked for and cannot be sent.
    pub(super) fn start(configuration: &Configuration) -> Result<Self, Failure> {
        let settings = configuration.log();
        let (filter, handle) = reload::Layer::new(targets(settings.level));
        #[cfg(feature = "otlp")]
        let (exporter, spans) = {
            let exporter = exporter(configuration.telemetry())?;
            let spans = exporter.as_ref().map(crate::trace::Exporter::layer);
            (exporter, spans)
        };
        #[cfg(not(feature = "otlp"))]
        let spans = None::<tracing_subscriber::layer::Identity>;
        let started =
            tracing_subscriber::registry().with(lines(settings).with_filter(filter)).with(spans).try_init();
        if let Err(error) = started {
            tracing::debug!(%error, "log lines were written already");
        }
        let switch = Arc::new(Levels { level: Mutex::new(settings.level), handle });
        #[cfg(feature = "otlp")]
        if let Some(exporter) = &exporter {
            tracing::info!(endpoint = %exporter.endpoint(), "traces are sent");
        }
        Ok(Self {
            switch,
            #[cfg(feature = "otlp")]
            exporter,
        })
    }

    /// Changes the level.
    pub(super) fn switch(&self) -> Arc<dyn LogSwitch> {
        Arc::clone(&self.switch) as _
    }

    /// Sends the last spans, as far as they are taken in time.
    pub(super) async fn end(self) {
        #[cfg(feature = "otlp")]
        if let Some(exporter) = self.exporter {
            exporter.end().await;
        }
    }
}

#[cfg(feature = "otlp")]
fn exporter(settings: &crate::config::TelemetrySettings) -> Result<Option<crate::trace::Exporter>, Failure> {
    let plan = crate::trace::Plan::of(settings, |name| std::env::var(name).ok());
    let started = plan.and_then(|plan| plan.map(crate::trace::Exporter::start).transpose());
    started.map_err(|error| {
        Failure::new(error.to_string()).advise("OTEL_SDK_DISABLED=true starts the gate without traces")
    })
}

fn lines(settings: &LogSettings) -> Box<dyn Layer<Registry> + Send + Sync> {
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Human => {
            let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
            Box::new(lines.with_ansi(colour))
        }
        LogFormat::Json => Box::new(lines.json().flatten_event(true)),
    }
}

/// What is logged at a level.
fn targets(level: LogLevel) -> Targets {
    let own = filter(level);
    // The libraries below speak of connections and frames: only what goes wrong in them is the operator's business. What they say
    // at `trace` may hold what passes through them, and is never written.
    let below = if level == LogLevel::Trace { LevelFilter::DEBUG } else { own.min(LevelFilter::WARN) };
    let targets = Targets::new().with_default(below).with_target(env!("CARGO_CRATE_NAME"), own);
    targets.with_target(SPANS, LevelFilter::OFF)
}

fn filter(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}

/// The level, and the filter that it stands for.
#[derive(Debug)]
struct Levels {
    level: Mutex<LogLevel>,
    handle: Switch,
}

impl LogSwitch for Levels {
    fn level(&self) -> LogLevel {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, level: LogLevel) -> Result<(), String> {
        let mut current = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        self.handle
            .reload(targets(level))
            .map_err(|error| format!("log lines are not written here: {error}"))?;
        *current = level;
        Ok(())
    }
}
