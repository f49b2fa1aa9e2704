//! What each project may spend on ratings by models.
//!
//! Promises that a project which has spent what it may asks no model until its hour or its day is over, and that what was begun
//! counts even when nobody waits for the answer. What is under way while the budget runs out may exceed it, by no more than the
//! models take at once. It must not know how a model is asked.
//!
//! What was spent is kept in memory: it survives a changed configuration, and is forgotten with the process.

use super::model::ModelRater;
use super::{Assessed, Assessing, Rater, Rating, RatingRecord, RatingScope};
use crate::config::{RatingBudget, RatingBudgets};
use crate::gate::{FailureCause, RatingRequest};
use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

/// How many projects are remembered before those of other days are dropped.
const FEW: usize = 1_024;

/// How many bytes of text make a token at least, where nobody counted.
const BYTES_PER_TOKEN: u64 = 4;

/// What a project has spent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spent {
    /// Requests to models since the hour began.
    pub calls_this_hour: u64,
    /// Requests to models since the day began, in UTC.
    pub calls_today: u64,
    /// Tokens since the day began.
    pub tokens_today: u64,
    /// What they cost, in millionths of the prices' currency.
    pub cost_today_micros: u64,
    /// How often a rating was refused since the day began.
    pub refused_today: u64,
}

/// What all projects have spent, and what they may.
pub struct Budgets {
    allowed: ArcSwap<RatingBudgets>,
    accounts: Mutex<HashMap<String, Account>>,
    clock: fn() -> Duration,
}

#[derive(Debug, Default)]
struct Account {
    hour: u64,
    day: u64,
    spent: Spent,
    /// The log has it that the budget is spent.
    told: bool,
}

impl fmt::Debug for Budgets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Budgets").field("allowed", &self.allowed.load()).finish_non_exhaustive()
    }
}

impl Default for Budgets {
    fn default() -> Self {
        // A clock before 1970 shows the first hour for ever.
        Self::with_clock(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

impl Account {
    /// Begins a new hour or day. A clock that was set back gives nothing back.
    fn turn(&mut self, now: Duration) {
        let hour = now.as_secs() / HOUR;
        let day = now.as_secs() / DAY;
        if hour > self.hour {
            self.hour = hour;
            self.spent.calls_this_hour = 0;
            self.told = false;
        }
        if day > self.day {
            self.day = day;
            self.spent = Spent { calls_this_hour: self.spent.calls_this_hour, ..Spent::default() };
        }
    }

    /// The limit that is reached.
    fn exhausted(&self, budget: &RatingBudget) -> Option<&'static str> {
        let reached = |spent: u64, limit: Option<u64>| limit.is_some_and(|limit| spent >= limit);
        let spent = &self.spent;
        if reached(spent.calls_this_hour, budget.calls_per_hour.map(u64::from)) {
            Some("calls_per_hour")
        } else if reached(spent.calls_today, budget.calls_per_day.map(u64::from)) {
            Some("calls_per_day")
        } else if reached(spent.tokens_today, budget.tokens_per_day.map(u64::from)) {
            Some("tokens_per_day")
        } else if reached(spent.cost_today_micros, budget.cost_per_day_micros) {
            Some("cost_per_day")
        } else {
            None
        }
    }
}

impl Budgets {
    fn with_clock(clock: fn() -> Duration) -> Self {
        Self { allowed: ArcSwap::default(), accounts: Mutex::default(), clock }
    }

    /// From now on projects may spend this much.
    pub fn allow(&self, budgets: RatingBudgets) {
        self.allowed.store(Arc::new(budgets));
    }

    /// What each project has spent that asked a model lately, by name.
    #[must_use]
    pub fn spent(&self) -> Vec<(String, Spent)> {
        let now = (self.clock)();
        let mut accounts = self.lock();
        let mut all: Vec<_> = accounts
            .iter_mut()
            .map(|(project, account)| {
                account.turn(now);
                (project.clone(), account.spent.clone())
            })
            .collect();
        all.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        all
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Account>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leave to ask a model once. `estimate` is what it costs at least, in tokens, if nobody ever says.
    fn begin(self: &Arc<Self>, project: &str, estimate: u64) -> Option<Asking> {
        let budget = self.allowed.load().of(project);
        let now = (self.clock)();
        let mut accounts = self.lock();
        if accounts.len() >= FEW && !accounts.contains_key(project) {
            accounts.retain(|_, account| account.day >= now.as_secs() / DAY);
        }
        let account = accounts.entry(project.to_owned()).or_default();
        account.turn(now);
        if let Some(limit) = account.exhausted(&budget) {
            account.spent.refused_today = account.spent.refused_today.saturating_add(1);
            if !std::mem::replace(&mut account.told, true) {
                tracing::warn!(project, limit, spent = ?account.spent, "the budget for ratings by models is spent; none is asked");
            }
            return None;
        }
        account.spent.calls_this_hour = account.spent.calls_this_hour.saturating_add(1);
        account.spent.calls_today = account.spent.calls_today.saturating_add(1);
        drop(accounts);
        Some(Asking {
            budgets: Arc::clone(self),
            project: project.to_owned(),
            bill: Bill { calls: 1, tokens: estimate, cost_micros: 0 },
        })
    }
}

/// What asking a model came to.
#[derive(Debug, Clone, Copy)]
struct Bill {
    calls: u64,
    tokens: u64,
    cost_micros: u64,
}

/// A model is being asked. What it costs is booked when it ends, in whatever way.
struct Asking {
    budgets: Arc<Budgets>,
    project: String,
    bill: Bill,
}

impl Asking {
    /// It ended with this bill.
    fn end(mut self, bill: Bill) {
        self.bill = bill;
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let mut accounts = self.budgets.lock();
        let Some(account) = accounts.get_mut(&self.project) else { return };
        let Bill { calls, tokens, cost_micros } = self.bill;
        let spent = &mut account.spent;
        // One is booked already.
        let booked = |count: u64| count.saturating_add(calls).saturating_sub(1);
        spent.calls_this_hour = booked(spent.calls_this_hour);
        spent.calls_today = booked(spent.calls_today);
        spent.tokens_today = spent.tokens_today.saturating_add(tokens);
        spent.cost_today_micros = spent.cost_today_micros.saturating_add(cost_micros);
    }
}

/// A model that is asked within budgets.
#[derive(Debug)]
pub(super) struct Budgeted {
    model: ModelRater,
    budgets: Arc<Budgets>,
}

impl Budgeted {
    pub(super) fn new(model: ModelRater, budgets: Arc<Budgets>) -> Self {
        Self { model, budgets }
    }
}

impl Rater for Budgeted {
    fn rate(&self, request: RatingRequest) -> Rating {
        let assessing = self.assess(request, RatingScope::default());
        Box::pin(async move { assessing.await.result })
    }

    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        let (model, budgets) = (self.model.clone(), Arc::clone(&self.budgets));
        Box::pin(async move {
            let length = u64::try_from(request.subject.length()).unwrap_or(u64::MAX);
            let Some(asking) = budgets.begin(&scope.project, length / BYTES_PER_TOKEN) else {
                model.turn_away(FailureCause::BudgetSpent);
                return Assessed::from(Err(FailureCause::BudgetSpent));
            };
            let assessed = model.assess(request, scope).await;
            asking.end(bill(assessed.record.as_deref(), &model));
            assessed
        })
    }
}

fn bill(record: Option<&RatingRecord>, model: &ModelRater) -> Bill {
    let Some(record) = record.filter(|record| record.attempts > 0) else {
        return Bill { calls: 0, tokens: 0, cost_micros: 0 };
    };
    let counted = record.prompt_tokens.saturating_add(record.completion_tokens);
    let tokens = if counted > 0 {
        counted
    } else {
        let answer = record.raw_answer.as_ref().map_or(0, String::len);
        let bytes = record.system.len().saturating_add(record.user.len()).saturating_add(answer);
        u64::try_from(bytes).unwrap_or(u64::MAX) / BYTES_PER_TOKEN
    };
    Bill {
        calls: record.attempts.into(),
        tokens,
        cost_micros: model.cost_micros(record.prompt_tokens, record.completion_tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Seconds, for tests on one thread each: a clock is a function without a memory of its own.
    macro_rules! clock {
        ($name:ident) => {
            static $name: AtomicU64 = AtomicU64::new(1_000_000_000);
        };
    }

    fn budgets(clock: fn() -> Duration, budget: RatingBudget) -> Arc<Budgets> {
        let budgets = Budgets::with_clock(clock);
        budgets.allow(RatingBudgets::of_each(budget));
        Arc::new(budgets)
    }

    fn unlimited() -> RatingBudget {
        RatingBudget { calls_per_hour: None, ..RatingBudget::default() }
    }

    fn ask(budgets: &Arc<Budgets>, project: &str, bill: Bill) -> bool {
        budgets.begin(project, 0).map(|asking| asking.end(bill)).is_some()
    }

    const CHEAP: Bill = Bill { calls: 1, tokens: 10, cost_micros: 5 };

    #[test]
    fn each_part_of_a_budget_ends_asking_until_its_time_is_over() {
        clock!(NOW);
        let clock = || Duration::from_secs(NOW.load(Ordering::SeqCst));
        let cases = [
            (RatingBudget { calls_per_hour: Some(3), ..unlimited() }, HOUR),
            (RatingBudget { calls_per_day: Some(3), ..unlimited() }, DAY),
            (RatingBudget { tokens_per_day: Some(30), ..unlimited() }, DAY),
            (RatingBudget { tokens_per_day: Some(21), ..unlimited() }, DAY),
            (RatingBudget { cost_per_day_micros: Some(15), ..unlimited() }, DAY),
        ];
        for (budget, span) in cases {
            let budgets = budgets(clock, budget);
            for _ in 0..3 {
                assert!(ask(&budgets, "p", CHEAP), "{budget:?}");
            }
            assert!(!ask(&budgets, "p", CHEAP), "{budget:?}");
            assert!(ask(&budgets, "q", CHEAP), "another project has its own");
            NOW.fetch_sub(2 * DAY, Ordering::SeqCst);
            assert!(!ask(&budgets, "p", CHEAP), "a clock that was set back gives nothing back");
            NOW.fetch_add(2 * DAY + span, Ordering::SeqCst);
            assert!(ask(&budgets, "p", CHEAP), "{budget:?}");
        }
        let nothing = budgets(clock, RatingBudget { calls_per_day: Some(0), ..unlimited() });
        assert!(!ask(&nothing, "p", CHEAP));
        let all = budgets(clock, unlimited());
        assert!((0..10_000).all(|_| ask(&all, "p", CHEAP)));
    }

    #[test]
    fn what_is_booked_is_what_was_sent_and_at_least_an_estimate_where_nobody_waited() {
        clock!(NOW);
        let budgets = budgets(|| Duration::from_secs(NOW.load(Ordering::SeqCst)), unlimited());
        ask(&budgets, "p", Bill { calls: 3, tokens: 7, cost_micros: 2 });
        ask(&budgets, "p", Bill { calls: 0, tokens: 0, cost_micros: 0 });
        drop(budgets.begin("p", 100).unwrap());
        let spent = Spent {
            calls_this_hour: 4,
            calls_today: 4,
            tokens_today: 107,
            cost_today_micros: 2,
            refused_today: 0,
        };
        assert_eq!(budgets.spent(), [("p".to_owned(), spent)]);
    }

    #[test]
    fn a_changed_budget_holds_at_once_and_forgets_nothing() {
        clock!(NOW);
        let budgets = budgets(|| Duration::from_secs(NOW.load(Ordering::SeqCst)), unlimited());
        assert!((0..5).all(|_| ask(&budgets, "p", CHEAP)));
        budgets.allow(RatingBudgets::of_each(RatingBudget { calls_per_hour: Some(5), ..unlimited() }));
        assert!(!ask(&budgets, "p", CHEAP));
        budgets.allow(RatingBudgets::of_each(RatingBudget { calls_per_hour: Some(6), ..unlimited() }));
        assert!(ask(&budgets, "p", CHEAP) && !ask(&budgets, "p", CHEAP));
        assert_eq!(budgets.spent()[0].1.refused_today, 2);
    }

    #[test]
    fn projects_of_other_days_are_forgotten() {
        clock!(NOW);
        let budgets = budgets(|| Duration::from_secs(NOW.load(Ordering::SeqCst)), unlimited());
        for number in 0..10 * FEW {
            ask(&budgets, &number.to_string(), CHEAP);
            NOW.fetch_add(DAY / 100, Ordering::SeqCst);
        }
        assert!(budgets.spent().len() <= FEW + 100);
    }
}
