//! What happened, as far as the model knows, and what a subscriber must therefore have seen.

use std::collections::{BTreeMap, BTreeSet};

/// Which of the two feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Escalation,
    Halt,
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    Raised,
    Answered,
    Withdrawn,
    Expired,
}

/// What a feed is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) kind: Kind,
    pub(crate) project: &'static str,
    pub(crate) session: Option<&'static str>,
    pub(crate) run: Option<&'static str>,
}

/// A question as it was raised.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) project: &'static str,
    pub(crate) session: &'static str,
    pub(crate) run: String,
}

/// One change. Those of one `moment` came about in one step of the gate, and the model does not know in which order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    pub(crate) moment: usize,
    pub(crate) id: String,
    pub(crate) what: What,
}

#[derive(Debug, Default)]
pub(crate) struct Model {
    questions: BTreeMap<String, Question>,
    open: BTreeSet<String>,
    /// Every change, in order.
    log: Vec<Change>,
    moments: usize,
}

impl Filter {
    fn covers(&self, question: &Question) -> bool {
        self.kind == question.kind
            && self.project == question.project
            && self.session.is_none_or(|session| session == question.session)
            && self.run.is_none_or(|run| run == question.run)
    }
}

impl Model {
    /// These were raised at the same time.
    pub(crate) fn raised(&mut self, together: Vec<Question>) {
        self.moments += 1;
        for question in together {
            self.open.insert(question.id.clone());
            self.log.push(Change { moment: self.moments, id: question.id.clone(), what: What::Raised });
            assert!(self.questions.insert(question.id.clone(), question).is_none(), "an id is used once");
        }
    }

    /// These ended in one step of the gate.
    pub(crate) fn ended(&mut self, ids: &[String], what: What) {
        self.moments += 1;
        for id in ids {
            assert!(self.open.remove(id), "{id} was open");
            self.log.push(Change { moment: self.moments, id: id.clone(), what });
        }
    }

    /// How many changes there were.
    pub(crate) fn now(&self) -> usize {
        self.log.len()
    }

    /// What is open, as far as a filter goes.
    pub(crate) fn open(&self, filter: &Filter) -> BTreeSet<String> {
        let covered = |id: &&String| filter.covers(&self.questions[*id]);
        self.open.iter().filter(covered).cloned().collect()
    }

    /// What is open of a session, of both kinds.
    pub(crate) fn open_of(&self, project: &str, session: &str) -> Vec<String> {
        let of = |id: &&String| {
            let question = &self.questions[*id];
            question.project == project && question.session == session
        };
        self.open.iter().filter(of).cloned().collect()
    }

    pub(crate) fn question(&self, id: &str) -> &Question {
        &self.questions[id]
    }

    pub(crate) fn all_open(&self) -> Vec<String> {
        self.open.iter().cloned().collect()
    }

    /// What happened since then, as far as a filter goes.
    pub(crate) fn since(&self, then: usize, filter: &Filter) -> impl Iterator<Item = &Change> {
        self.log[then..].iter().filter(|change| filter.covers(&self.questions[&change.id]))
    }
}
