//! What the store says at the end (and after each restart), held against what clients were told.

use crate::follower::{Follower, Kind};
use crate::model::{Model, is_settled};
use crate::world::World;
use haltgate::client::Client;
use haltgate::proto::v1 as pb;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// A decision as recorded: one record, or two where a human was asked.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    records: Vec<pb::DecisionRecord>,
}

/// All decisions of a project.
#[derive(Debug, Default)]
pub(crate) struct Records {
    decisions: BTreeMap<String, Recorded>,
    /// Session and request, and which decisions were made for it.
    requests: BTreeMap<(String, String), BTreeSet<String>>,
    pub(crate) count: usize,
}

impl Recorded {
    fn last(&self) -> &pb::DecisionRecord {
        &self.records[self.records.len() - 1]
    }

    fn settled(&self) -> bool {
        self.records.iter().any(|record| record.settled_at.is_some())
    }
}

impl Records {
    /// Reads all, or those of calls that arrived since then.
    pub(crate) async fn read(
        world: &World,
        client: &Client,
        project: &str,
        since: Option<prost_types::Timestamp>,
    ) -> Option<Self> {
        let mut records = Self::default();
        let mut token = String::new();
        loop {
            let request = pb::ListDecisionsRequest {
                project: project.to_owned(),
                order: pb::SortOrder::OldestFirst.into(),
                page_size: 500,
                page_token: token,
                arrived_from: since,
                ..Default::default()
            };
            let page = world.surely("reading records", || client.list_decisions(request.clone())).await?;
            for record in page.decisions {
                records.count += 1;
                let request = (record.session_id.clone(), record.request_id.clone());
                records.requests.entry(request).or_default().insert(record.decision_id.clone());
                records.decisions.entry(record.decision_id.clone()).or_default().records.push(record);
            }
            token = page.next_page_token;
            if token.is_empty() {
                return Some(records);
            }
        }
    }

    /// What clients were told between two moments is recorded as they were told it.
    pub(crate) fn missing(&self, model: &Model, project: &str, from: Instant, to: Instant) -> Vec<String> {
        let mut wrong = Vec::new();
        for ((of, session, request), told) in &model.told {
            if of != project || told.at < from || told.at > to {
                continue;
            }
            let about = format!("{project}/{session}/{request}, decided as {:?}", told.action);
            let Some(recorded) = self.decisions.get(&told.decision_id) else {
                wrong.push(format!("{about}: there is no record of {}", told.decision_id));
                continue;
            };
            let last = recorded.last();
            if is_settled(told.action) && last.action() != told.action {
                wrong.push(format!("{about}: the record says {:?}", last.action()));
            }
            if last.run_id != told.run || last.session_id != *session || last.request_id != *request {
                wrong.push(format!("{about}: the record is of another call: {last:?}"));
            }
        }
        wrong
    }

    /// Each decision once, for one request, in one piece.
    pub(crate) fn doubled(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (request, decisions) in &self.requests {
            if decisions.len() > 1 {
                wrong.push(format!("{request:?} was decided more than once: {decisions:?}"));
            }
        }
        for (id, recorded) in &self.decisions {
            let settled = recorded.records.iter().filter(|record| record.settled_at.is_some()).count();
            let first = &recorded.records[0];
            if recorded.records.len() > 2 || settled > 1 || first.record_id != *id {
                wrong
                    .push(format!("decision {id} has {} records, {settled} settled", recorded.records.len()));
            }
        }
        wrong
    }

    /// What humans answered is what became of what they were asked.
    pub(crate) fn answers(&self, model: &Model) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut answered = BTreeMap::new();
        for recorded in self.decisions.values() {
            let last = recorded.last();
            let question = if last.escalation_id.is_empty() { &last.halt_id } else { &last.escalation_id };
            let Some(human) = &last.human else { continue };
            answered.insert(question.clone(), human.verdict());
            let expected = match human.verdict() {
                pb::Verdict::Approve | pb::Verdict::RunAnyway => pb::Action::Approve,
                pb::Verdict::Reject => pb::Action::Reject,
                pb::Verdict::Stop => pb::Action::Halt,
                pb::Verdict::Unspecified => pb::Action::Unspecified,
            };
            // While the human thought, the same tool may have been refused for the session: that outranks the approval.
            let outranked = human.verdict() == pb::Verdict::Approve
                && last.action() == pb::Action::Reject
                && last.stage() == pb::Stage::DenyList;
            if last.action() != expected && !outranked {
                wrong.push(format!("a human said {:?}, and the record says {last:?}", human.verdict()));
            }
            if let Some(accepted) = model.accepted.get(question)
                && (accepted.verdict, accepted.scope) != (human.verdict(), human.scope())
            {
                wrong.push(format!("{question}: {accepted:?} was accepted, and {human:?} is recorded"));
            }
        }
        for recorded in self.decisions.values() {
            let last = recorded.last();
            let question = if last.escalation_id.is_empty() { &last.halt_id } else { &last.escalation_id };
            if model.accepted.contains_key(question) && !answered.contains_key(question) {
                wrong.push(format!("the accepted answer to {question} is lost: {last:?}"));
            }
        }
        for (question, verdict) in &model.beaten {
            if let Some(recorded) = answered.get(question)
                && recorded.as_str_name() != verdict
            {
                wrong.push(format!("{question}: the one who came second heard {verdict}, not {recorded:?}"));
            }
        }
        wrong
    }

    /// The uses of grants are exact, by the records and by what clients were told.
    pub(crate) fn uses(&self, model: &Model, project: &str) -> Vec<String> {
        let mut recorded: BTreeMap<String, u32> = BTreeMap::new();
        for record in self.decisions.values().map(Recorded::last) {
            let by_grant = record
                .matched_rule
                .as_ref()
                .is_some_and(|rule| rule.layer() == pb::RuleLayer::PersistedGrant);
            if let Some(pb::call::Kind::Shell(shell)) =
                record.call.as_ref().and_then(|call| call.kind.as_ref())
                && by_grant
                && record.action() == pb::Action::Approve
            {
                *recorded.entry(shell.command.clone()).or_default() += 1;
            }
        }
        let bounded = model.bounded.iter().filter(|(of, ..)| of == project);
        let wrong = bounded.filter_map(|(_, command, uses)| {
            let counted = recorded.get(command).copied().unwrap_or_default();
            // A run that ends in the middle leaves one with uses left.
            (counted > *uses).then(|| format!("{command}: a grant of {uses} uses, and {counted} records"))
        });
        let told = model.told.iter().filter(|((of, ..), told)| of == project && told.by_grant).count();
        let counted: u32 = recorded.values().sum();
        let more = usize::try_from(counted).unwrap() != told;
        let more = more
            .then(|| format!("{project}: clients heard of {told} uses of grants, {counted} are recorded"));
        wrong.chain(more).collect()
    }

    /// Every question that was raised, and those that ended, of one kind.
    pub(crate) fn questions(&self, kind: Kind) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut raised, mut ended) = (BTreeSet::new(), BTreeSet::new());
        for recorded in self.decisions.values() {
            let last = recorded.last();
            let id = match kind {
                Kind::Escalations => &last.escalation_id,
                Kind::Halts => &last.halt_id,
            };
            // A call in a run that was halted before names that halt, and raised none.
            let its_own = recorded.records[0].stage() != pb::Stage::Unspecified && !id.is_empty();
            if its_own {
                raised.insert(id.clone());
                if recorded.settled() {
                    ended.insert(id.clone());
                }
            }
        }
        (raised, ended)
    }
}

/// Followers of one feed saw the same in the same order.
pub(crate) fn same_order(followers: &[std::sync::Arc<Follower>]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, one) in followers.iter().enumerate() {
        for other in &followers[index + 1..] {
            if (one.project, one.kind) == (other.project, other.kind) && one.order() != other.order() {
                wrong.push(format!("{one} and {other} saw another order"));
            }
        }
    }
    wrong
}
