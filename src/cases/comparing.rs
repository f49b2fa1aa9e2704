//! What came of a case beside what was expected of it.
//!
//! Promises that a case passes only when everything that it checks was met and it was played to its end. Knows nothing
//! of how a report looks.

use super::expect::{Expectation, entry_of};
use super::file::{Case, Expectations};
use super::run::{Event, Observed, Played};
use super::steps::{CallStep, Step};
use crate::gate::Scope;
use serde_json::{Map, Value, json};

/// What came of a case.
#[derive(Debug)]
pub(super) struct Checked {
    /// What was expected: as written, or a list for a sequence.
    pub(super) expected: Value,
    /// What came, in the same shape.
    pub(super) actual: Value,
    /// What was not met.
    pub(super) misses: Vec<Miss>,
}

/// One expectation that was not met.
#[derive(Debug)]
pub(super) struct Miss {
    /// The call that it speaks of, counted from 1, where there is more than one.
    pub(super) call: Option<usize>,
    /// What was called.
    pub(super) subject: String,
    /// What was expected.
    pub(super) expected: String,
    /// What came.
    pub(super) came: String,
    /// What the gate looked at on the way, in order.
    pub(super) explanation: Vec<String>,
}

impl Checked {
    pub(super) fn passed(&self) -> bool {
        self.misses.is_empty()
    }
}

/// An expectation with the decisions that may meet it.
struct Slot<'c> {
    call: usize,
    expectation: Option<&'c Expectation>,
    events: Vec<&'c Event>,
}

/// Compares what came of a case with what it expects.
pub(super) fn check(case: &Case, played: &Played) -> Checked {
    let calls: Vec<&CallStep> = case.steps.iter().filter_map(Step::as_call).collect();
    let (slots, is_sequence) = slots(case, &calls, played);
    let fault = |slot: &Slot<'_>| match played.fault {
        Some(fault) if fault.call() == slot.call => fault.to_string(),
        Some(fault) => format!("it was never reached: {fault}"),
        None => "it never happened".to_owned(),
    };
    let mut misses: Vec<Miss> = slots
        .iter()
        .filter(|slot| !slot.is_met())
        .map(|slot| Miss {
            call: (calls.len() > 1).then(|| slot.call.saturating_add(1)),
            subject: subject(calls.get(slot.call).copied()),
            expected: slot.expectation.map_or_else(String::new, |expectation| in_words(&expectation.written)),
            came: if slot.events.is_empty() { fault(slot) } else { slot.in_words() },
            explanation: slot.explanation(),
        })
        .collect();
    if let (Some(stopped), true) = (played.fault, misses.is_empty()) {
        misses.push(Miss {
            call: None,
            subject: subject(calls.get(stopped.call()).copied()),
            expected: "no rating to be asked for".to_owned(),
            came: stopped.to_string(),
            explanation: Vec::new(),
        });
    }
    let actual = |slot: &Slot<'_>| slot.actual().unwrap_or_else(|| json!({ "error": fault(slot) }));
    let written =
        |slot: &Slot<'_>| slot.expectation.map_or(Value::Null, |expectation| expectation.written.clone());
    match (is_sequence, slots.as_slice()) {
        (false, [slot]) => Checked { expected: written(slot), actual: actual(slot), misses },
        (_, slots) => Checked {
            expected: slots.iter().map(written).collect(),
            actual: slots.iter().map(actual).collect(),
            misses,
        },
    }
}

/// Pairs expectations with decisions; true where they make a sequence.
fn slots<'c>(case: &'c Case, calls: &[&'c CallStep], played: &'c Played) -> (Vec<Slot<'c>>, bool) {
    let mut of_calls: Vec<Vec<&'c Event>> = calls.iter().map(|_| Vec::new()).collect();
    for event in &played.events {
        if let Some(events) = of_calls.get_mut(event.call) {
            events.push(event);
        }
    }
    let slot = |call: usize, expectation: Option<&'c Expectation>| Slot {
        call,
        expectation,
        events: of_calls.get(call).cloned().unwrap_or_default(),
    };
    let own: Vec<Slot<'c>> = calls
        .iter()
        .enumerate()
        .filter_map(|(call, step)| Some(slot(call, Some(step.expectation.as_ref()?))))
        .collect();
    let among_others = !own.is_empty();
    let (listed, is_sequence): (Vec<Slot<'c>>, bool) = match &case.expectations {
        Expectations::OfCallsAlone => (Vec::new(), calls.len() > 1),
        Expectations::Last(expectation) => {
            (vec![slot(calls.len().saturating_sub(1), Some(expectation))], among_others)
        }
        Expectations::PerCall(expected) => {
            let each = expected.iter().enumerate();
            (each.map(|(call, expectation)| slot(call, expectation.as_ref())).collect(), true)
        }
        Expectations::PerDecision(expected) => {
            let each = expected.iter().enumerate().map(|(index, expectation)| {
                let event = played.events.get(index);
                let call = event.or(played.events.last()).map_or(0, |event| event.call);
                Slot { call, expectation: expectation.as_ref(), events: event.into_iter().collect() }
            });
            (each.collect(), true)
        }
    };
    (own.into_iter().chain(listed).collect(), is_sequence)
}

impl Slot<'_> {
    fn is_met(&self) -> bool {
        self.expectation
            .is_none_or(|expectation| self.events.iter().any(|event| expectation.is_met_by(&event.observed)))
    }

    /// The decision that met the expectation, or else the last one.
    fn shown(&self) -> Option<&Observed> {
        let met = |event: &&&Event| {
            self.expectation.is_some_and(|expectation| expectation.is_met_by(&event.observed))
        };
        self.events.iter().find(met).or(self.events.last()).map(|event| &event.observed)
    }

    fn actual(&self) -> Option<Value> {
        self.shown().map(actual)
    }

    fn in_words(&self) -> String {
        let named = |field: &str| {
            matches!(field, "action" | "stage")
                || self.expectation.is_some_and(|expectation| expectation.names(field))
        };
        let told = |event: &&Event| match actual(&event.observed) {
            Value::Object(fields) => fields_in_words(&fields, named),
            other => other.to_string(),
        };
        self.events.iter().map(told).collect::<Vec<_>>().join("; then, answered: ")
    }

    fn explanation(&self) -> Vec<String> {
        let Some(observed) = self.events.last().map(|event| &event.observed) else { return Vec::new() };
        let decision = &observed.decision;
        let steps =
            decision.consulted.iter().map(|step| format!("{}: {}", step.step.as_words(), step.detail));
        let notices = decision.notices.iter().map(|notice| notice.text.clone());
        let unresolved = (!decision.unresolved.is_empty())
            .then(|| format!("not one simple command: {}", decision.unresolved.join(", ")));
        steps.chain(notices).chain(unresolved).collect()
    }
}

fn actual(observed: &Observed) -> Value {
    json!({
        "action": observed.action.as_str(),
        "stage": observed.stage.as_str(),
        "scope": observed.scope.map(Scope::as_str),
        "outcome": observed.outcome.map(|outcome| outcome.as_str()),
        "grant_preview": observed.grant.as_ref().map(entry_of),
        "deny_preview": observed.denial.as_ref().map(entry_of),
        "message": observed.message,
    })
}

fn subject(call: Option<&CallStep>) -> String {
    call.map_or_else(String::new, |step| {
        step.call.command_text().map_or_else(
            || format!("{} {}", step.call.tool_name(), step.call.arguments_text()),
            str::to_owned,
        )
    })
}

/// `{"action": ["A", "B"], "stage": "S"}` as `action A or B, stage S`.
fn in_words(written: &Value) -> String {
    match written {
        Value::Object(fields) => fields_in_words(fields, |_| true),
        Value::Array(items) => items.iter().map(in_words).collect::<Vec<_>>().join("; or "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value_in_words(written),
    }
}

fn fields_in_words(fields: &Map<String, Value>, named: impl Fn(&str) -> bool) -> String {
    // The message of a decision is what `message_contains` is looked for in.
    let wanted = |field: &str| named(field) || (field == "message" && named("message_contains"));
    let told =
        |(field, value): (&String, &Value)| format!("{} {}", field.replace('_', " "), value_in_words(value));
    fields.iter().filter(|(field, _)| wanted(field)).map(told).collect::<Vec<_>>().join(", ")
}

fn value_in_words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value_in_words).collect::<Vec<_>>().join(" or "),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}
