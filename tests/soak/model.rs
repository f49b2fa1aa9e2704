//! What clients were told, and what must therefore hold for ever. Knows nothing of how it is asked.

use haltgate::proto::v1 as pb;
use std::collections::BTreeMap;
use std::time::Instant;

/// A request as its agent named it: project, session, request.
pub(crate) type Key = (String, String, String);

/// What was acknowledged of one request.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) decision_id: String,
    pub(crate) run: String,
    pub(crate) action: pb::Action,
    /// The question that a human answers, where one was asked: an escalation's id or a halt's.
    pub(crate) question: String,
    /// A grant of the project let it through.
    pub(crate) by_grant: bool,
    pub(crate) at: Instant,
}

/// An answer that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) verdict: pb::Verdict,
    pub(crate) scope: pb::Scope,
    /// The human's own request: exactly one settles a question.
    pub(crate) request: String,
}

#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) told: BTreeMap<Key, Told>,
    pub(crate) accepted: BTreeMap<String, Accepted>,
    /// What a human who came second was told of the first.
    pub(crate) beaten: Vec<(String, String)>,
    /// Runs that were halted for good: project, session, run.
    pub(crate) halted: Vec<Key>,
    /// Commands with a grant of so many uses, and the project.
    pub(crate) bounded: Vec<(String, String, u32)>,
}

/// Whether nothing can change about it any more.
pub(crate) fn is_settled(action: pb::Action) -> bool {
    match action {
        pb::Action::Approve | pb::Action::Reject | pb::Action::Halt | pb::Action::Unattended => true,
        pb::Action::Escalate | pb::Action::Unspecified => false,
    }
}

impl Model {
    /// An answer to a request came. What came before it must still hold.
    pub(crate) fn decided(&mut self, project: &str, given: &pb::DecideResponse) -> Result<(), String> {
        let question =
            if given.escalation_id.is_empty() { given.halt_id.clone() } else { given.escalation_id.clone() };
        let by_grant = given.action() == pb::Action::Approve
            && given.matched_rule.as_ref().is_some_and(|rule| rule.layer() == pb::RuleLayer::PersistedGrant);
        let told = Told {
            decision_id: given.decision_id.clone(),
            run: given.run_id.clone(),
            action: given.action(),
            question,
            by_grant,
            at: Instant::now(),
        };
        let key = (project.to_owned(), given.session_id.clone(), given.request_id.clone());
        let Some(before) = self.told.get(&key) else {
            self.told.insert(key, told);
            return Ok(());
        };
        if before.decision_id != told.decision_id {
            return Err(format!("{key:?} has two decisions: {before:?}, then {told:?}"));
        }
        if is_settled(before.action) && before.action != told.action {
            return Err(format!("{key:?} was settled and changed: {before:?}, then {told:?}"));
        }
        if !before.question.is_empty() && before.question != told.question {
            return Err(format!("{key:?} asked twice: {before:?}, then {told:?}"));
        }
        self.told.insert(key, told);
        Ok(())
    }

    /// An answer of a human was accepted.
    pub(crate) fn answered(&mut self, question: &str, accepted: Accepted) -> Result<(), String> {
        match self.accepted.get(question) {
            Some(before) if *before != accepted => {
                Err(format!("question {question} was settled twice: {before:?}, then {accepted:?}"))
            }
            Some(_) | None => {
                self.accepted.insert(question.to_owned(), accepted);
                Ok(())
            }
        }
    }
}
