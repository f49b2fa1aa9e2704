//! Log lines on standard error.
//!
//! Promises the level and the form that the configuration states. Knows nothing of what is logged.

use crate::config::{LogFormat, LogLevel, LogSettings};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins to write log lines. A second call in one process changes nothing.
pub(super) fn start(settings: &LogSettings) {
    let level = filter(settings.level);
    // The libraries below speak of connections and frames: only what goes wrong in them is the operator's business.
    let below = if settings.level == LogLevel::Trace { level } else { level.min(LevelFilter::WARN) };
    let targets = Targets::new().with_default(below).with_target(env!("CARGO_CRATE_NAME"), level);
    let registry = tracing_subscriber::registry().with(targets);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let started = match settings.format {
        LogFormat::Human => {
            let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
            registry.with(lines.with_ansi(colour)).try_init()
        }
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(%error, "log lines were written already");
    }
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
