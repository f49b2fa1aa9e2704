//! What a model was asked and what it cost.
//!
//! Promises sums that never overflow and never decrease while the profile lives. Knows nothing of how a question is asked.

use super::provider::Tokens;
use crate::config::TokenPrices;
use crate::gate::FailureCause;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What happened on a profile since it was set up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// Ratings asked for, those that were turned away included; ratings that were shared or used again are not.
    pub ratings: u64,
    /// Requests that were sent, repeated ones included.
    pub requests: u64,
    /// Ratings that came to a verdict.
    pub verdicts: u64,
    /// Ratings that came to none, by cause, in the order of [`FailureCause::ALL`].
    pub failures: Vec<(FailureCause, u64)>,
    /// Ratings that whoever asked gave up on.
    pub abandoned: u64,
    /// Tokens of the questions, as the provider counted them.
    pub prompt_tokens: u64,
    /// Tokens of the answers.
    pub completion_tokens: u64,
    /// What they cost by the configured prices, in millionths of the currency that the prices are in, rounded down; `None`
    /// without prices.
    pub cost_micros: Option<u64>,
}

/// The counters of one profile.
#[derive(Debug)]
pub(super) struct Meter {
    prices: Option<TokenPrices>,
    sums: Mutex<Sums>,
}

#[derive(Debug, Default)]
struct Sums {
    usage: Usage,
    failures: BTreeMap<&'static str, u64>,
}

impl Meter {
    pub(super) fn new(prices: Option<TokenPrices>) -> Self {
        Self { prices, sums: Mutex::new(Sums::default()) }
    }

    pub(super) fn asked(&self) {
        add(&mut self.lock().usage.ratings, 1);
    }

    pub(super) fn sent(&self) {
        add(&mut self.lock().usage.requests, 1);
    }

    pub(super) fn spent(&self, tokens: Tokens) {
        let mut sums = self.lock();
        add(&mut sums.usage.prompt_tokens, tokens.prompt);
        add(&mut sums.usage.completion_tokens, tokens.completion);
    }

    pub(super) fn ended(&self, cause: Option<FailureCause>) {
        let mut sums = self.lock();
        match cause {
            None => add(&mut sums.usage.verdicts, 1),
            Some(cause) => add(sums.failures.entry(cause.as_str()).or_default(), 1),
        }
    }

    pub(super) fn abandoned(&self) {
        add(&mut self.lock().usage.abandoned, 1);
    }

    /// The sums as they are now.
    pub(super) fn snapshot(&self) -> Usage {
        let sums = self.lock();
        let failures = FailureCause::ALL
            .into_iter()
            .filter_map(|cause| sums.failures.get(cause.as_str()).map(|count| (cause, *count)))
            .collect();
        let cost_micros = self.cost_of(sums.usage.prompt_tokens, sums.usage.completion_tokens);
        Usage { failures, cost_micros, ..sums.usage.clone() }
    }

    /// What so many tokens cost, in millionths; `None` without prices.
    pub(super) fn cost_of(&self, prompt_tokens: u64, completion_tokens: u64) -> Option<u64> {
        self.prices.map(|prices| {
            cost(prompt_tokens, prices.prompt_micros)
                .saturating_add(cost(completion_tokens, prices.completion_micros))
        })
    }

    fn lock(&self) -> MutexGuard<'_, Sums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

/// Tokens at a price per million of them, in millionths.
fn cost(tokens: u64, price_micros: u64) -> u64 {
    let exact =
        u128::from(tokens).saturating_mul(u128::from(price_micros)).checked_div(1_000_000).unwrap_or(0);
    u64::try_from(exact).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cost_what_the_prices_say() {
        let prices = TokenPrices { prompt_micros: 250_000, completion_micros: 2_000_000 };
        let meter = Meter::new(Some(prices));
        meter.spent(Tokens { prompt: 1_200_000, completion: 500 });
        meter.spent(Tokens { prompt: 800_000, completion: 500 });
        let usage = meter.snapshot();
        assert_eq!((usage.prompt_tokens, usage.completion_tokens), (2_000_000, 1_000));
        assert_eq!(usage.cost_micros, Some(500_000 + 2_000));
        assert_eq!(Meter::new(None).snapshot().cost_micros, None);
    }

    #[test]
    fn a_provider_that_counts_without_measure_breaks_nothing() {
        let meter = Meter::new(Some(TokenPrices { prompt_micros: u64::MAX, completion_micros: u64::MAX }));
        for _ in 0..2 {
            meter.spent(Tokens { prompt: u64::MAX, completion: u64::MAX });
        }
        assert_eq!(
            (meter.snapshot().prompt_tokens, meter.snapshot().cost_micros),
            (u64::MAX, Some(u64::MAX))
        );
    }

    #[test]
    fn failures_are_counted_by_cause() {
        let meter = Meter::new(None);
        for cause in [FailureCause::Timeout, FailureCause::Unparseable, FailureCause::Timeout] {
            meter.ended(Some(cause));
        }
        meter.ended(None);
        let usage = meter.snapshot();
        assert_eq!(usage.failures, [(FailureCause::Timeout, 2), (FailureCause::Unparseable, 1)]);
        assert_eq!(usage.verdicts, 1);
    }
}
