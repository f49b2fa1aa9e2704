//! Spans for an OpenTelemetry collector, over gRPC.
//!
//! Promises that a collector which is slow, broken or absent costs spans and nothing else, and that ending waits for it only so
//! long. Everything that is OpenTelemetry's own stays in this file. It must not know what spans are about.

use super::{SPANS, TraceContext};
use crate::config::{TelemetrySettings, otlp_endpoint};
use opentelemetry::Context;
use opentelemetry::trace::{
    SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider,
};
use opentelemetry_otlp::WithTonicConfig;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData, SpanExporter};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tonic::transport::{ClientTlsConfig, Endpoint};
use tracing::level_filters::LevelFilter;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;
use url::Url;

/// How long ending waits for the collector to take the last spans.
const FLUSH: Duration = Duration::from_secs(3);

/// How long connecting to the collector may take.
const CONNECT: Duration = Duration::from_secs(5);

/// Why no traces are sent although they were asked for.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A variable says what cannot be done.
    #[error("the variable {name} {problem}")]
    Variable {
        /// Its name.
        name: &'static str,
        /// What to write instead.
        problem: String,
    },
    /// The collector's address cannot be used.
    #[error("traces cannot be sent to {endpoint}: {reason}")]
    Endpoint {
        /// The address.
        endpoint: Url,
        /// Why.
        reason: String,
    },
}

/// Where traces are to be sent, and how many.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    endpoint: Url,
    /// `None` where the environment names a sampler, which OpenTelemetry reads for itself.
    ratio: Option<f64>,
    /// `None` where the environment names the service.
    service_name: Option<String>,
}

impl Plan {
    /// What the settings and OpenTelemetry's own variables ask for; `None` for no traces. `lookup` is usually
    /// `std::env::var`.
    ///
    /// # Errors
    /// A variable that asks for what cannot be done.
    pub fn of(
        settings: &TelemetrySettings,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, SetupError> {
        // Set to nothing is not set, as the specification has it.
        let variable = |name: &'static str| lookup(name).filter(|value| !value.trim().is_empty());
        let named = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]
            .into_iter()
            .find_map(|name| variable(name).map(|value| (name, value)));
        let endpoint = match named {
            Some((name, value)) => {
                Some(otlp_endpoint(value.trim()).map_err(|problem| SetupError::Variable { name, problem })?)
            }
            None => settings.otlp_endpoint.clone(),
        };
        let Some(endpoint) = endpoint else { return Ok(None) };
        if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        for name in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
            if variable(name).is_some_and(|protocol| protocol.trim() != "grpc") {
                let problem =
                    "must be \"grpc\": that is what is spoken here, usually on port 4317".to_owned();
                return Err(SetupError::Variable { name, problem });
            }
        }
        Ok(Some(Self {
            endpoint,
            ratio: variable("OTEL_TRACES_SAMPLER").is_none().then_some(settings.sample_ratio),
            service_name: variable("OTEL_SERVICE_NAME").is_none().then(|| settings.service_name.clone()),
        }))
    }
}

/// Sends spans to a collector.
#[derive(Debug)]
pub struct Exporter {
    provider: SdkTracerProvider,
    endpoint: Url,
}

impl Exporter {
    /// Sets it up, without waiting for the collector. Needs a runtime, on which the connection lives.
    ///
    /// # Errors
    /// TLS cannot be set up, or the exporter refuses the environment's settings.
    pub fn start(plan: Plan) -> Result<Self, SetupError> {
        let Plan { endpoint, ratio, service_name } = plan;
        let refused = |reason: String| SetupError::Endpoint { endpoint: endpoint.clone(), reason };
        let mut channel = Endpoint::from_shared(endpoint.to_string())
            .map_err(|error| refused(error.to_string()))?
            .connect_timeout(CONNECT);
        if endpoint.scheme() == "https" {
            let tls = ClientTlsConfig::new().with_native_roots();
            channel = channel.tls_config(tls).map_err(|error| refused(error.to_string()))?;
        }
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_tonic()
            .with_channel(channel.connect_lazy())
            .build()
            .map_err(|error| refused(error.to_string()))?;
        let mut resource = Resource::builder();
        if let Some(name) = service_name {
            resource = resource.with_service_name(name);
        }
        let mut provider = SdkTracerProvider::builder()
            .with_batch_exporter(Outspoken { exporter, failing: AtomicBool::new(false) })
            .with_resource(resource.build());
        if let Some(ratio) = ratio {
            provider =
                provider.with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(ratio))));
        }
        Ok(Self { provider: provider.build(), endpoint })
    }

    /// Where it sends.
    #[must_use]
    pub fn endpoint(&self) -> &Url {
        &self.endpoint
    }

    /// The layer that makes spans of spans, and of nothing else.
    #[must_use]
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let tracer = self.provider.tracer(env!("CARGO_PKG_NAME"));
        tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_target(SPANS, LevelFilter::INFO))
    }

    /// Sends what is left, as far as the collector takes it in time.
    pub async fn end(self) {
        let ended = tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(FLUSH)).await;
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last spans were not taken by the collector"),
            Err(error) => tracing::warn!(%error, "the last spans were not sent"),
        }
    }
}

/// Says once that a collector takes no spans, and once that it takes them again.
#[derive(Debug)]
struct Outspoken<E> {
    exporter: E,
    failing: AtomicBool,
}

impl<E: SpanExporter> SpanExporter for Outspoken<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let outcome = self.exporter.export(batch).await;
        let failed_before = self.failing.swap(outcome.is_err(), Ordering::Relaxed);
        match (&outcome, failed_before) {
            (Err(error), false) => {
                tracing::warn!(%error, spans, "the collector takes no spans; they are dropped until it does");
            }
            (Ok(()), true) => tracing::info!("the collector takes spans again"),
            (Err(_), true) | (Ok(()), false) => {}
        }
        outcome
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// The context of the current span, where traces are collected.
pub(super) fn current() -> Option<TraceContext> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    if !span.is_valid() {
        return None;
    }
    let flags = u8::from(span.is_sampled());
    let text = format!("00-{}-{}-{flags:02x}", span.trace_id(), span.span_id());
    let found: TraceContext = text.parse().ok()?;
    Some(found.with_state(&span.trace_state().header()))
}

/// Ties a span to the context that its request came with, or to none.
pub(super) fn set_parent(span: &Span, context: Option<&TraceContext>) {
    let Some(remote) = context.and_then(remote) else { return };
    // An error says that nobody collects spans.
    let _nobody_collects = span.set_parent(Context::new().with_remote_span_context(remote));
}

fn remote(context: &TraceContext) -> Option<SpanContext> {
    let trace = TraceId::from_hex(context.trace_id()).ok()?;
    let parent = SpanId::from_hex(context.parent_id()).ok()?;
    let flags = if context.is_sampled() { TraceFlags::SAMPLED } else { TraceFlags::NOT_SAMPLED };
    let state = context.state().and_then(|state| TraceState::from_str(state).ok()).unwrap_or_default();
    Some(SpanContext::new(trace, parent, flags, true, state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn plan(settings: &TelemetrySettings, variables: &[(&str, &str)]) -> Result<Option<Plan>, SetupError> {
        let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
        Plan::of(settings, |name| variables.get(name).map(|value| (*value).to_owned()))
    }

    #[test]
    fn nothing_is_sent_unless_a_collector_is_named() {
        let settings = TelemetrySettings::default();
        assert_eq!(plan(&settings, &[]).unwrap(), None);
        assert_eq!(plan(&settings, &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]).unwrap(), None);
        let named =
            plan(&settings, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317")]).unwrap().unwrap();
        assert_eq!((named.endpoint.port(), named.ratio), (Some(4317), Some(0.1)));
        let both = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:2"),
            ("OTEL_TRACES_SAMPLER", "always_on"),
            ("OTEL_SERVICE_NAME", "gate-7"),
        ];
        let both = plan(&settings, &both).unwrap().unwrap();
        assert_eq!((both.endpoint.port(), both.ratio, both.service_name), (Some(2), None, None));
        let configured = TelemetrySettings {
            otlp_endpoint: Some(Url::parse("http://127.0.0.1:3").unwrap()),
            ..TelemetrySettings::default()
        };
        assert!(plan(&configured, &[]).unwrap().is_some());
        assert_eq!(plan(&configured, &[("OTEL_SDK_DISABLED", "true")]).unwrap(), None);
    }

    #[test]
    fn what_cannot_be_done_is_said_and_no_password_is_repeated() {
        let settings = TelemetrySettings::default();
        let secret = plan(&settings, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:hush@127.0.0.1:4317")]);
        let error = secret.unwrap_err().to_string();
        assert!(error.contains("OTEL_EXPORTER_OTLP_HEADERS") && !error.contains("hush"), "{error}");
        let http = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ];
        assert!(plan(&settings, &http).unwrap_err().to_string().contains("4317"));
    }
}
