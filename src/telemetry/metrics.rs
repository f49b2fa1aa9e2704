//! What is counted as it happens.
//!
//! Promises that counting costs a look-up among a handful of labels and an atomic addition, and never waits. Knows nothing of
//! who asked for what.

use super::labels::{
    Answer, Answered, By, Cause, Decided, Handled, Kind, Method, Notification, Notified, Of, Rated, Refused,
    Reload, Reloaded, Source,
};
use super::observed::Observed;
use crate::gate::{Action, FailureCause, Outcome, Stage};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};
use std::hash::Hash;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tonic::Code;

/// From ten microseconds, which deciding itself takes, to ten seconds.
const FAST: [f64; 19] = [
    0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// What requests, disks and models take.
const USUAL: [f64; 15] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];

/// What humans take: a second to a day.
const HUMAN: [f64; 12] =
    [1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 14_400.0, 43_200.0, 86_400.0];

/// A histogram with given bounds.
#[derive(Clone, Copy)]
struct Bounds(&'static [f64]);

impl Bounds {
    fn histogram(self) -> Histogram {
        Histogram::new(self.0.iter().copied())
    }
}

impl MetricConstructor<Histogram> for Bounds {
    fn new_metric(&self) -> Histogram {
        self.histogram()
    }
}

/// What a gate counts of its own work.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    started: Family<Method, Counter>,
    handled: Family<Handled, Counter>,
    handling: Family<Method, Histogram, Bounds>,
    refused: Family<Refused, Counter>,
    decisions: Family<Decided, Counter>,
    deciding: Histogram,
    replays: Counter,
    ratings: Family<Rated, Counter>,
    rating: Family<By, Histogram, Bounds>,
    ratings_reused: Counter,
    answers: Family<Answered, Counter>,
    waiting: Family<Of, Histogram, Bounds>,
    committing: Histogram,
    store_errors: Counter,
    audit_errors: Counter,
    reloads: Family<Reloaded, Counter>,
    notifications: Family<Notification, Counter>,
}

impl std::fmt::Debug for Bounds {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.0).finish()
    }
}

/// Registers what is counted under its name.
struct Register<'r>(&'r mut Registry);

impl Register<'_> {
    fn add<M: Metric + Clone>(&mut self, name: &str, help: &str, metric: M) -> M {
        self.0.register(name, help, metric.clone());
        metric
    }

    fn counters<L>(&mut self, name: &str, help: &str) -> Family<L, Counter>
    where
        L: EncodeLabelSet + Clone + Hash + Eq + std::fmt::Debug + Send + Sync + 'static,
    {
        self.add(name, help, Family::default())
    }

    fn times<L>(&mut self, name: &str, help: &str, bounds: &'static [f64]) -> Family<L, Histogram, Bounds>
    where
        L: EncodeLabelSet + Clone + Hash + Eq + std::fmt::Debug + Send + Sync + 'static,
    {
        self.add(name, help, Family::new_with_constructor(Bounds(bounds)))
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        describe_process(&mut registry);
        let mut to = Register(&mut registry);
        let metrics = Self {
            started: to.counters("grpc_server_started", "Requests that began"),
            handled: to.counters("grpc_server_handled", "Requests that ended, by status code"),
            handling: to.times(
                "grpc_server_handling_seconds",
                "How long requests took, feeds to their end",
                &USUAL,
            ),
            refused: to.counters(
                "haltgate_requests_refused",
                "Requests that were not looked into: the caller may not, or the gate cannot",
            ),
            decisions: to.counters("haltgate_decisions", "Decisions that are durable; replays are not"),
            deciding: to.add(
                "haltgate_decision_seconds",
                "How long the gate itself took to decide, without rater, store and humans",
                Bounds(&FAST).histogram(),
            ),
            replays: to.add(
                "haltgate_decision_replays",
                "Requests that were given the decision of an earlier one with their id",
                Counter::default(),
            ),
            ratings: to.counters("haltgate_ratings", "Ratings as the rater gave them, before floors"),
            rating: to.times("haltgate_rater_seconds", "How long ratings took", &FAST),
            ratings_reused: to.add(
                "haltgate_ratings_reused",
                "Ratings that were taken over from an identical question",
                Counter::default(),
            ),
            answers: to.counters("haltgate_answers", "Questions to humans that ended"),
            waiting: to.times("haltgate_human_wait_seconds", "How long questions waited for a human", &HUMAN),
            committing: to.add(
                "haltgate_store_commit_seconds",
                "From handing a batch to the store until it was durable",
                Bounds(&USUAL).histogram(),
            ),
            store_errors: to.add("haltgate_store_errors", "Batches that were not stored", Counter::default()),
            audit_errors: to.add(
                "haltgate_audit_write_errors",
                "Batches with audit records that were not stored; what they recorded did not happen",
                Counter::default(),
            ),
            reloads: to.counters("haltgate_policy_reloads", "Changed configurations"),
            notifications: to.counters("haltgate_notifications", "Attempts to notify a receiver"),
            registry: Registry::default(),
        };
        // From the first scrape on, so that the first of its kind is an increase.
        for result in [Reload::Applied, Reload::Refused] {
            let _zero = metrics.reloads.get_or_create(&Reloaded { result });
        }
        for result in [Notified::Taken, Notified::Failed, Notified::GivenUp] {
            let _zero = metrics.notifications.get_or_create(&Notification { result });
        }
        Self { registry, ..metrics }
    }
}

/// What never changes while the process lives.
fn describe_process(registry: &mut Registry) {
    let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
    registry.register("haltgate_build", "Which version this is", build);
    let started: Gauge = Gauge::default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    started.set(i64::try_from(now.as_secs()).unwrap_or(i64::MAX));
    registry.register("process_start_time_seconds", "When the gate started, in seconds since 1970", started);
}

impl Metrics {
    /// A request began.
    pub fn began(&self, method: Method) {
        self.started.get_or_create(&method).inc();
    }

    /// A request ended.
    pub fn ended(&self, method: Method, code: Code, took: Duration) {
        let Method { grpc_service, grpc_method } = method;
        let handled = Handled { grpc_service, grpc_method, grpc_code: code_name(code) };
        self.handled.get_or_create(&handled).inc();
        self.handling.get_or_create(&method).observe(took.as_secs_f64());
    }

    /// A request was not looked into. The reason is one of the contract's own.
    pub fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&Refused { reason }).inc();
    }

    /// A decision is durable.
    pub fn decided(&self, action: Action, stage: Stage, took: Duration) {
        self.decisions.get_or_create(&Decided { action, stage }).inc();
        self.deciding.observe(took.as_secs_f64());
    }

    /// A request was given an earlier decision.
    pub fn replayed(&self) {
        self.replays.inc();
    }

    /// A call was rated.
    pub fn rated(
        &self,
        source: Source,
        outcome: Outcome,
        cause: Option<FailureCause>,
        reused: bool,
        took: Duration,
    ) {
        self.ratings.get_or_create(&Rated { source, outcome, cause: Cause(cause) }).inc();
        if reused {
            self.ratings_reused.inc();
        } else {
            self.rating.get_or_create(&By { source }).observe(took.as_secs_f64());
        }
    }

    /// A question to a human ended.
    pub fn answered(&self, kind: Kind, answer: Answer, waited: Duration) {
        self.answers.get_or_create(&Answered { kind, answer }).inc();
        match answer {
            Answer::Approved | Answer::Rejected => {
                self.waiting.get_or_create(&Of { kind }).observe(waited.as_secs_f64());
            }
            Answer::Unanswered => {}
        }
    }

    /// A batch is durable.
    pub fn committed(&self, took: Duration) {
        self.committing.observe(took.as_secs_f64());
    }

    /// A batch was not stored.
    pub fn not_committed(&self, holds_records: bool) {
        self.store_errors.inc();
        if holds_records {
            self.audit_errors.inc();
        }
    }

    /// The configuration changed.
    pub fn reloaded(&self, result: Reload) {
        self.reloads.get_or_create(&Reloaded { result }).inc();
    }

    /// A receiver was tried.
    pub fn notified(&self, result: Notified) {
        self.notifications.get_or_create(&Notification { result }).inc();
    }

    /// Everything in the OpenMetrics text form.
    #[must_use]
    pub fn render(&self, observed: &Observed) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _written = encode_registry(&mut text, &self.registry)
            .and_then(|()| encode_registry(&mut text, &observed.registry()))
            .and_then(|()| encode_eof(&mut text));
        text
    }
}

/// The name of a status code as gRPC's own metrics have it in every language.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "Canceled",
        Code::Unknown => "Unknown",
        Code::InvalidArgument => "InvalidArgument",
        Code::DeadlineExceeded => "DeadlineExceeded",
        Code::NotFound => "NotFound",
        Code::AlreadyExists => "AlreadyExists",
        Code::PermissionDenied => "PermissionDenied",
        Code::ResourceExhausted => "ResourceExhausted",
        Code::FailedPrecondition => "FailedPrecondition",
        Code::Aborted => "Aborted",
        Code::OutOfRange => "OutOfRange",
        Code::Unimplemented => "Unimplemented",
        Code::Internal => "Internal",
        Code::Unavailable => "Unavailable",
        Code::DataLoss => "DataLoss",
        Code::Unauthenticated => "Unauthenticated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_shown_under_its_name_and_labels() {
        let metrics = Metrics::default();
        metrics.decided(Action::Reject, Stage::DenyList, Duration::from_micros(30));
        metrics.rated(
            Source::Model,
            Outcome::Destructive,
            Some(FailureCause::Timeout),
            false,
            Duration::from_secs(3),
        );
        metrics.not_committed(true);
        metrics.ended(Method::UNKNOWN, Code::Unimplemented, Duration::ZERO);
        let text = metrics.render(&Observed::default());
        for line in [
            "haltgate_decisions_total{action=\"REJECT\",stage=\"DENY_LIST\"} 1",
            "haltgate_decision_seconds_bucket{le=\"0.000025\"} 0",
            "haltgate_decision_seconds_bucket{le=\"0.00005\"} 1",
            "haltgate_ratings_total{source=\"model\",outcome=\"destructive\",cause=\"TIMEOUT\"} 1",
            "haltgate_rater_seconds_bucket{le=\"5.0\",source=\"model\"} 1",
            "haltgate_store_errors_total 1",
            "haltgate_audit_write_errors_total 1",
            "haltgate_policy_reloads_total{result=\"refused\"} 0",
            "grpc_server_handled_total{grpc_service=\"unknown\",grpc_method=\"unknown\",grpc_code=\"Unimplemented\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
