//! A rater that says what the test tells it to.

use haltgate::gate::{
    FailureCause, Outcome, RatingRequest, RatingResult, RatingSource, RatingSubject, Verdict,
};
use haltgate::rater::{Assessed, Assessing, Rater, Rating, RatingRecord, RatingScope};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

#[derive(Debug)]
pub struct Scripted {
    script: Mutex<Script>,
}

#[derive(Debug)]
struct Script {
    otherwise: RatingResult,
    by_command: HashMap<String, RatingResult>,
    asked: Vec<RatingRequest>,
    delay: Duration,
    record: Option<RatingRecord>,
    scopes: Vec<RatingScope>,
}

/// A verdict with a reason that can be recognised.
fn verdict(outcome: Outcome) -> Verdict {
    Verdict {
        outcome,
        reason: format!("rated {outcome} by the script"),
        suggested_tool: None,
        source: RatingSource::BuiltIn,
        cause: None,
    }
}

impl Scripted {
    pub fn new(otherwise: Outcome) -> Self {
        Self {
            script: Mutex::new(Script {
                otherwise: Ok(verdict(otherwise)),
                by_command: HashMap::new(),
                asked: Vec::new(),
                delay: Duration::ZERO,
                record: None,
                scopes: Vec::new(),
            }),
        }
    }

    /// From now on, everything without a line of its own is rated so.
    pub fn otherwise(&self, outcome: Outcome) {
        self.script.lock().unwrap().otherwise = Ok(verdict(outcome));
    }

    pub fn fail(&self, cause: FailureCause) {
        self.script.lock().unwrap().otherwise = Err(cause);
    }

    pub fn say(&self, command: &str, outcome: Outcome) {
        self.script.lock().unwrap().by_command.insert(command.to_owned(), Ok(verdict(outcome)));
    }

    /// Every rating takes this long.
    pub fn delay(&self, delay: Duration) {
        self.script.lock().unwrap().delay = delay;
    }

    /// Every rating is recorded so.
    pub fn recorded(&self, record: RatingRecord) {
        self.script.lock().unwrap().record = Some(record);
    }

    /// For whom ratings were asked.
    pub fn scopes(&self) -> Vec<RatingScope> {
        self.script.lock().unwrap().scopes.clone()
    }

    pub fn asked(&self) -> Vec<RatingRequest> {
        self.script.lock().unwrap().asked.clone()
    }

    pub fn count(&self) -> usize {
        self.script.lock().unwrap().asked.len()
    }
}

impl Rater for Scripted {
    fn rate(&self, request: RatingRequest) -> Rating {
        let mut script = self.script.lock().unwrap();
        let scripted = match &request.subject {
            RatingSubject::Command { command, .. } => script.by_command.get(command.text()).cloned(),
            RatingSubject::Tool { name, .. } => script.by_command.get(name).cloned(),
        };
        let result = scripted.unwrap_or_else(|| script.otherwise.clone());
        let delay = script.delay;
        script.asked.push(request);
        Box::pin(async move {
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            result
        })
    }

    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        let rating = self.rate(request);
        let record = {
            let mut script = self.script.lock().unwrap();
            script.scopes.push(scope);
            script.record.clone()
        };
        Box::pin(async move {
            let model = record.as_ref().map(|record| record.model.clone());
            Assessed { result: rating.await, model, record: record.map(Box::new), reused: false }
        })
    }
}
