//! Where traces are sent, and how many.
//!
//! Promises that none are sent unless told. Knows nothing of how they are made.

use super::problem::Report;
use super::section::Section;
use serde_json::{Value, json};
use url::Url;

/// The keys of `telemetry`.
pub(super) const KEYS: [&str; 3] = ["otlp_endpoint", "sample_ratio", "service_name"];

/// Where traces are sent, and how many.
#[derive(Debug, Clone, PartialEq)]
pub struct TelemetrySettings {
    /// The OpenTelemetry collector that traces are sent to, over gRPC; `None` for nowhere.
    pub otlp_endpoint: Option<Url>,
    /// Of the requests that come without a trace of their own: how many of one begin one. Those that bring a trace do as it says.
    pub sample_ratio: f64,
    /// What the gate calls itself there.
    pub service_name: String,
}

impl Default for TelemetrySettings {
    fn default() -> Self {
        // An agent asks a few times a minute: one of ten is seldom much, and what is looked for is there soon.
        Self { otlp_endpoint: None, sample_ratio: 0.1, service_name: "haltgate".to_owned() }
    }
}

impl TelemetrySettings {
    /// Takes over what a file's `telemetry` block states.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(text) = section.filled_text("otlp_endpoint", report) {
            match endpoint(text) {
                Ok(url) => self.otlp_endpoint = Some(url),
                Err(message) => report.error(&section.path_of("otlp_endpoint"), message),
            }
        }
        if let Some(ratio) = section.share("sample_ratio", report) {
            self.sample_ratio = ratio;
        }
        if let Some(name) = section.filled_text("service_name", report) {
            name.clone_into(&mut self.service_name);
        }
    }

    pub(super) fn effective(&self) -> Value {
        json!({
            "otlp_endpoint": self.otlp_endpoint.as_ref().map(Url::as_str),
            "sample_ratio": self.sample_ratio,
            "service_name": self.service_name,
        })
    }
}

/// Reads the address of a collector. The text may hold a password and is never repeated.
///
/// # Errors
/// What to write instead.
pub fn endpoint(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or(
        "must be an address such as \"http://127.0.0.1:4317\", where a collector takes OTLP over gRPC",
    )?;
    if url.username().is_empty() && url.password().is_none() && url.query().is_none() {
        return Ok(url);
    }
    Err("may hold no user, password or query; headers for the collector are read from OTEL_EXPORTER_OTLP_HEADERS"
        .to_owned())
}
