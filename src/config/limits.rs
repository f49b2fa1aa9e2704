//! How much one caller, one session and one project may take.
//!
//! Promises bounds on everything that a caller can make grow, each with a default that ordinary use does not meet. Knows nothing
//! of how they are enforced.

use super::problem::Report;
use super::quantity::render_duration;
use super::section::{Section, is_name, quoted};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The keys of `limits`.
pub(super) const KEYS: [&str; 9] = [
    "caller",
    "bound_local",
    "feeds",
    "waits",
    "escalations_per_session",
    "escalations_per_project",
    "sessions_per_project",
    "session_idle",
    "ratings",
];

/// The keys of `limits.caller`.
pub(super) const CALLER_KEYS: [&str; 6] =
    ["concurrent_requests", "requests_per_second", "burst", "waits", "feeds", "feeds_per_minute"];

/// The keys of `limits.ratings`.
pub(super) const RATING_KEYS: [&str; 5] =
    ["calls_per_hour", "calls_per_day", "tokens_per_day", "cost_per_day", "projects"];

const MANY: u32 = 1_000_000;
/// The most that a budget can count to, in tokens.
const MAX_TOKENS: u32 = 4_000_000_000;
/// The highest cost that is taken seriously.
const MAX_COST: f64 = 1_000_000_000.0;
/// Costs are kept in millionths.
const MICROS: f64 = 1_000_000.0;

/// How much one caller may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerLimits {
    /// Requests under way at once; calls that wait for a human and feeds do not count.
    pub concurrent_requests: u32,
    /// Requests per second in the long run.
    pub requests_per_second: u32,
    /// Requests at once after a while without any.
    pub burst: u32,
    /// Calls that wait for a human at once.
    pub waits: u32,
    /// Open feeds.
    pub feeds: u32,
    /// Feeds opened per minute, and at once after a while without any.
    pub feeds_per_minute: u32,
}

impl Default for CallerLimits {
    fn default() -> Self {
        Self {
            // A quarter of what the gate bears.
            concurrent_requests: 256,
            requests_per_second: 1_000,
            burst: 2_000,
            waits: 2_000,
            // A backend may follow the halts of each of its sessions.
            feeds: 1_000,
            feeds_per_minute: 600,
        }
    }
}

/// How much a project may spend on ratings by models; `None` for as much as it wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatingBudget {
    /// Requests to models within an hour.
    pub calls_per_hour: Option<u32>,
    /// Requests to models within a day.
    pub calls_per_day: Option<u32>,
    /// Tokens of questions and answers within a day.
    pub tokens_per_day: Option<u32>,
    /// What they cost within a day by the configured prices, in millionths of the prices' currency.
    pub cost_per_day_micros: Option<u64>,
}

impl Default for RatingBudget {
    fn default() -> Self {
        Self {
            // No project needs five a second all the time; a loop does.
            calls_per_hour: Some(20_000),
            calls_per_day: None,
            tokens_per_day: None,
            cost_per_day_micros: None,
        }
    }
}

/// The budgets of all projects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RatingBudgets {
    each: RatingBudget,
    projects: BTreeMap<String, Stated>,
}

/// What is stated of a budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Stated {
    calls_per_hour: Option<u32>,
    calls_per_day: Option<u32>,
    tokens_per_day: Option<u32>,
    cost_per_day_micros: Option<u64>,
}

impl RatingBudgets {
    /// The same budget for every project.
    #[must_use]
    pub fn of_each(each: RatingBudget) -> Self {
        Self { each, projects: BTreeMap::new() }
    }

    /// The budget of a project.
    #[must_use]
    pub fn of(&self, project: &str) -> RatingBudget {
        self.projects.get(project).map_or(self.each, |stated| stated.over(self.each))
    }
}

/// How much callers, sessions and projects may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitSettings {
    /// How much one caller may take.
    pub caller: CallerLimits,
    /// Whether the callers without credentials, who share one name, are bounded as one caller.
    pub bound_local: bool,
    /// Open feeds of all callers.
    pub feeds: u32,
    /// Calls of all callers that wait for a human at once.
    pub waits: u32,
    /// Escalations and attack halts of one session that wait for a human at once.
    pub escalations_per_session: u32,
    /// The same of one project.
    pub escalations_per_project: u32,
    /// Open sessions of one project, those that are idle left out.
    pub sessions_per_project: u32,
    /// After how long without a call a session is idle.
    pub session_idle: Duration,
    /// What ratings by models may cost.
    pub ratings: RatingBudgets,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            caller: CallerLimits::default(),
            bound_local: false,
            feeds: 20_000,
            waits: 20_000,
            escalations_per_session: 1_000,
            escalations_per_project: 10_000,
            sessions_per_project: 200_000,
            session_idle: Duration::from_secs(24 * 60 * 60),
            ratings: RatingBudgets::default(),
        }
    }
}

impl LimitSettings {
    /// Takes over what a file's `limits` block states.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        const MINUTE: Duration = Duration::from_secs(60);
        const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(value) = section.get("caller") {
            self.caller.read(value, &section.path_of("caller"), report);
        }
        if let Some(bound) = section.boolean("bound_local", report) {
            self.bound_local = bound;
        }
        let mut take = |key, most, setting: &mut u32| {
            if let Some(count) = section.integer(key, 1, most, report) {
                *setting = count;
            }
        };
        take("feeds", MANY, &mut self.feeds);
        take("waits", MANY, &mut self.waits);
        take("escalations_per_session", 100_000, &mut self.escalations_per_session);
        take("escalations_per_project", MANY, &mut self.escalations_per_project);
        take("sessions_per_project", 100_000_000, &mut self.sessions_per_project);
        if let Some(idle) = section.duration("session_idle", MINUTE, YEAR, report) {
            self.session_idle = idle;
        }
        if let Some(value) = section.get("ratings") {
            self.ratings.read(value, &section.path_of("ratings"), report);
        }
    }

    pub(super) fn effective(&self) -> Value {
        let caller = &self.caller;
        json!({
            "caller": {
                "concurrent_requests": caller.concurrent_requests,
                "requests_per_second": caller.requests_per_second,
                "burst": caller.burst,
                "waits": caller.waits,
                "feeds": caller.feeds,
                "feeds_per_minute": caller.feeds_per_minute,
            },
            "bound_local": self.bound_local,
            "feeds": self.feeds,
            "waits": self.waits,
            "escalations_per_session": self.escalations_per_session,
            "escalations_per_project": self.escalations_per_project,
            "sessions_per_project": self.sessions_per_project,
            "session_idle": render_duration(self.session_idle),
            "ratings": self.ratings.effective(),
        })
    }
}

impl CallerLimits {
    fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&CALLER_KEYS, report);
        let mut take = |key, setting: &mut u32| {
            if let Some(count) = section.integer(key, 1, MANY, report) {
                *setting = count;
            }
        };
        take("concurrent_requests", &mut self.concurrent_requests);
        take("requests_per_second", &mut self.requests_per_second);
        take("burst", &mut self.burst);
        take("waits", &mut self.waits);
        take("feeds", &mut self.feeds);
        take("feeds_per_minute", &mut self.feeds_per_minute);
    }
}

impl RatingBudgets {
    fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&RATING_KEYS, report);
        self.each = Stated::read(&section, report).over(self.each);
        let Some(value) = section.get("projects") else { return };
        let path = section.path_of("projects");
        let Some(projects) = Section::open(value, &path, report) else { return };
        for (name, value) in projects.entries() {
            let path = projects.path_of(name);
            if !is_name(name) {
                report.error(&path, "is not the name of a project".to_owned());
                continue;
            }
            let Some(section) = Section::open(value, &path, report) else { continue };
            let known: Vec<&str> = RATING_KEYS.into_iter().filter(|key| *key != "projects").collect();
            section.refuse_unknown(&known, report);
            let below = self.projects.get(name).copied().unwrap_or_default();
            let stated = Stated::read(&section, report);
            self.projects.insert(name.clone(), stated.above(below));
        }
    }

    fn effective(&self) -> Value {
        let RatingBudget { calls_per_hour, calls_per_day, tokens_per_day, cost_per_day_micros } = self.each;
        let mut whole =
            Stated { calls_per_hour, calls_per_day, tokens_per_day, cost_per_day_micros }.effective();
        let projects: Map<String, Value> =
            self.projects.iter().map(|(name, stated)| (name.clone(), stated.effective())).collect();
        if let Some(map) = whole.as_object_mut() {
            map.insert("projects".to_owned(), Value::Object(projects));
        }
        whole
    }
}

impl Stated {
    fn read(section: &Section<'_>, report: &mut Report) -> Self {
        Self {
            calls_per_hour: section.integer("calls_per_hour", 0, u32::MAX, report),
            calls_per_day: section.integer("calls_per_day", 0, u32::MAX, report),
            tokens_per_day: section.integer("tokens_per_day", 0, MAX_TOKENS, report),
            cost_per_day_micros: cost(section, "cost_per_day", report),
        }
    }

    fn over(self, below: RatingBudget) -> RatingBudget {
        RatingBudget {
            calls_per_hour: self.calls_per_hour.or(below.calls_per_hour),
            calls_per_day: self.calls_per_day.or(below.calls_per_day),
            tokens_per_day: self.tokens_per_day.or(below.tokens_per_day),
            cost_per_day_micros: self.cost_per_day_micros.or(below.cost_per_day_micros),
        }
    }

    fn above(self, below: Self) -> Self {
        Self {
            calls_per_hour: self.calls_per_hour.or(below.calls_per_hour),
            calls_per_day: self.calls_per_day.or(below.calls_per_day),
            tokens_per_day: self.tokens_per_day.or(below.tokens_per_day),
            cost_per_day_micros: self.cost_per_day_micros.or(below.cost_per_day_micros),
        }
    }

    fn effective(&self) -> Value {
        json!({
            "calls_per_hour": self.calls_per_hour,
            "calls_per_day": self.calls_per_day,
            "tokens_per_day": self.tokens_per_day,
            // Costs are far below what a float can hold exactly.
            "cost_per_day": self.cost_per_day_micros.map(|micros| micros as f64 / MICROS),
        })
    }
}

/// A cost in the currency of the prices, in millionths of it.
fn cost(section: &Section<'_>, key: &str, report: &mut Report) -> Option<u64> {
    let value = section.get(key)?;
    match value.as_f64().filter(|cost| (0.0..=MAX_COST).contains(cost)) {
        Some(cost) => Some((cost * MICROS).round() as u64),
        None => {
            let message = format!(
                "must be a number from 0 to {MAX_COST}, in the currency of the prices, not {}",
                quoted(value)
            );
            report.error(&section.path_of(key), message);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: Value) -> (LimitSettings, Vec<String>) {
        let mut report = Report::default();
        let mut settings = LimitSettings::default();
        settings.read(&value, "limits", &mut report);
        (
            settings,
            report.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect(),
        )
    }

    #[test]
    fn what_is_not_stated_keeps_its_default_and_what_is_printed_reads_back() {
        let stated = json!({
            "caller": { "burst": 7 }, "bound_local": true, "session_idle": "2h",
            "ratings": { "cost_per_day": 12.5, "projects": { "shop": { "calls_per_hour": 3, "tokens_per_day": 9 } } },
        });
        let (settings, problems) = read(stated);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(settings.caller, CallerLimits { burst: 7, ..CallerLimits::default() });
        let each = RatingBudget { cost_per_day_micros: Some(12_500_000), ..RatingBudget::default() };
        assert_eq!(settings.ratings.of("other"), each);
        let shop = RatingBudget { calls_per_hour: Some(3), tokens_per_day: Some(9), ..each };
        assert_eq!(settings.ratings.of("shop"), shop);
        let printed = crate::config::effective::without_nulls(settings.effective());
        assert_eq!(read(printed), (settings, Vec::new()));
    }

    #[test]
    fn every_limit_has_bounds_and_says_which() {
        for (value, expected) in [
            (json!({ "feeds": 0 }), "limits.feeds: must be a whole number from 1 to 1000000, not 0"),
            (
                json!({ "caller": { "bursts": 1 } }),
                "limits.caller.bursts: is not a setting; did you mean `burst`?",
            ),
            (json!({ "session_idle": "1s" }), "from 1m to 365d, not \"1s\""),
            (json!({ "ratings": { "cost_per_day": -1 } }), "must be a number from 0 to 1000000000"),
            (
                json!({ "ratings": { "projects": { "shop": { "projects": {} } } } }),
                "shop.projects: is not a setting",
            ),
            (json!({ "ratings": { "projects": { " ": {} } } }), "is not the name of a project"),
            (
                json!({ "ratings": { "calls_per_day": "many" } }),
                "limits.ratings.calls_per_day: must be a whole number",
            ),
        ] {
            let (settings, problems) = read(value);
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].contains(expected), "{}", problems[0]);
            assert_eq!(settings.caller, CallerLimits::default());
        }
    }
}
