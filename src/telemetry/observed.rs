//! What is looked up when somebody asks for metrics, because it is a state and not an event.
//!
//! Knows nothing of where it is looked up.

use super::labels::Kind;
use crate::rater::model::Usage;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

/// How the feeds of one kind stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FeedState {
    /// How many are open.
    pub open: u64,
    /// How many changes the one that is furthest behind has still to be told.
    pub lag: u64,
}

/// The state of a gate at one moment.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// Whether the store takes writes.
    pub store_up: bool,
    /// The revision of the policy in force.
    pub policy_revision: String,
    /// When it was loaded, in seconds since 1970.
    pub policy_loaded_at: i64,
    /// Escalations and halts that wait; absent while the store cannot be read.
    pub open_questions: Option<(u64, u64)>,
    /// Sessions in memory.
    pub live_sessions: u64,
    /// Feeds of escalations.
    pub escalation_feeds: FeedState,
    /// Feeds of halts.
    pub halt_feeds: FeedState,
    /// What each model was asked and what it cost, by the profile's name in the configuration.
    pub models: BTreeMap<String, Usage>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    profile: String,
    result: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Profile {
    profile: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Tokens {
    profile: String,
    direction: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FeedKind {
    kind: Kind,
}

type Sum = Counter<f64, AtomicU64>;

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Observed {
    /// The metrics that show it.
    pub(super) fn registry(&self) -> Registry {
        let mut registry = Registry::default();
        let mut gauge = |name: &str, help: &str, value: i64| {
            let gauge: Gauge = Gauge::default();
            gauge.set(value);
            registry.register(name, help, gauge);
        };
        gauge("haltgate_store_up", "Whether the store takes writes", i64::from(self.store_up));
        gauge("haltgate_live_sessions", "Sessions in memory", whole(self.live_sessions));
        gauge(
            "haltgate_policy_loaded_timestamp_seconds",
            "When the policy was loaded, in seconds since 1970",
            self.policy_loaded_at,
        );
        if let Some((escalations, halts)) = self.open_questions {
            gauge("haltgate_open_escalations", "Escalations that wait for a human", whole(escalations));
            gauge("haltgate_open_halts", "Attack halts that wait for a human", whole(halts));
        }
        let policy = Info::new(vec![("revision", self.policy_revision.clone())]);
        registry.register("haltgate_policy", "Which policy is in force", policy);
        self.register_feeds(&mut registry);
        self.register_models(&mut registry);
        registry
    }

    fn register_feeds(&self, registry: &mut Registry) {
        let open = Family::<FeedKind, Gauge>::default();
        let lag = Family::<FeedKind, Gauge>::default();
        for (kind, state) in [(Kind::Escalation, self.escalation_feeds), (Kind::Halt, self.halt_feeds)] {
            open.get_or_create(&FeedKind { kind }).set(whole(state.open));
            lag.get_or_create(&FeedKind { kind }).set(whole(state.lag));
        }
        registry.register("haltgate_feeds", "Feeds that are open", open);
        registry.register(
            "haltgate_feed_lag",
            "How many changes the feed that is furthest behind has still to be told",
            lag,
        );
    }

    fn register_models(&self, registry: &mut Registry) {
        let calls = Family::<Call, Counter>::default();
        let requests = Family::<Profile, Counter>::default();
        let tokens = Family::<Tokens, Counter>::default();
        let cost = Family::<Profile, Sum>::default();
        for (profile, usage) in &self.models {
            let of = |result| Call { profile: profile.clone(), result };
            calls.get_or_create(&of("VERDICT")).inc_by(usage.verdicts);
            calls.get_or_create(&of("ABANDONED")).inc_by(usage.abandoned);
            for (cause, count) in &usage.failures {
                calls.get_or_create(&of(cause.as_str())).inc_by(*count);
            }
            requests.get_or_create(&Profile { profile: profile.clone() }).inc_by(usage.requests);
            for (direction, count) in
                [("prompt", usage.prompt_tokens), ("completion", usage.completion_tokens)]
            {
                tokens.get_or_create(&Tokens { profile: profile.clone(), direction }).inc_by(count);
            }
            if let Some(micros) = usage.cost_micros {
                // Sums beyond 2^53 millionths lose their last digits, which nobody pays for.
                #[allow(clippy::cast_precision_loss, reason = "said above")]
                let units = micros as f64 / 1_000_000.0;
                cost.get_or_create(&Profile { profile: profile.clone() }).inc_by(units);
            }
        }
        registry.register("haltgate_rater_calls", "Ratings that a model was asked for, by their end", calls);
        registry.register(
            "haltgate_rater_requests",
            "Requests that were sent to a model, repeated ones included",
            requests,
        );
        registry.register("haltgate_rater_tokens", "Tokens as the provider counted them", tokens);
        registry.register(
            "haltgate_rater_cost",
            "What the tokens cost by the configured prices, in the currency of those",
            cost,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::Metrics;
    use super::*;
    use crate::gate::FailureCause;

    #[test]
    fn a_state_is_shown_as_it_is_and_what_is_not_known_is_not_shown() {
        let usage = Usage {
            ratings: 3,
            requests: 4,
            verdicts: 1,
            failures: vec![(FailureCause::Timeout, 2)],
            prompt_tokens: 100,
            completion_tokens: 7,
            cost_micros: Some(1_500_000),
            ..Usage::default()
        };
        let observed = Observed {
            store_up: true,
            policy_revision: "abc".to_owned(),
            halt_feeds: FeedState { open: 2, lag: 5 },
            models: BTreeMap::from([("cloud \"a\"".to_owned(), usage)]),
            ..Observed::default()
        };
        let text = Metrics::default().render(&observed);
        for line in [
            "haltgate_store_up 1",
            "haltgate_policy_info{revision=\"abc\"} 1",
            "haltgate_feeds{kind=\"halt\"} 2",
            "haltgate_feed_lag{kind=\"halt\"} 5",
            "haltgate_rater_calls_total{profile=\"cloud \\\"a\\\"\",result=\"TIMEOUT\"} 2",
            "haltgate_rater_tokens_total{profile=\"cloud \\\"a\\\"\",direction=\"prompt\"} 100",
            "haltgate_rater_cost_total{profile=\"cloud \\\"a\\\"\"} 1.5",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("haltgate_open_escalations"), "{text}");
    }
}
