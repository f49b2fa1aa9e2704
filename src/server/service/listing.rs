//! `ListDecisions`, `VerifyAudit` and `GetServerInfo`.

use super::Service;
use crate::gate::{Action, Stage};
use crate::proto::v1 as pb;
use crate::server::inbound;
use crate::server::outbound;
use crate::server::status::{Violations, from_engine};
use crate::session::{RecordKind, Ruling};
use crate::store::{DecisionFilter, Page};
use prost::Message;
use tonic::Status;

/// Where a page of records ends although more would be wanted, in bytes: clients accept messages of 4 MiB unless told
/// otherwise.
const PAGE_BYTES: usize = 3 << 20;

impl Service {
    pub(super) async fn decisions(
        &self,
        request: pb::ListDecisionsRequest,
    ) -> Result<pb::ListDecisionsResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let session = inbound::optional_id("session_id", &request.session_id, &mut violations);
        let run = inbound::optional_id("run_id", &request.run_id, &mut violations);
        let text = inbound::needle("text", &request.text, &mut violations);
        let record_id = inbound::optional_id("record_id", &request.record_id, &mut violations);
        let from = inbound::moment("arrived_from", request.arrived_from, &mut violations);
        let until = inbound::moment("arrived_before", request.arrived_before, &mut violations);
        if let (Some(from), Some(until)) = (from, until)
            && until <= from
        {
            violations.invalid("arrived_before", "must be later than arrived_from");
        }
        let size = inbound::page_size("page_size", request.page_size, &mut violations);
        let actions = chosen(
            "actions",
            &request.actions,
            &Action::ALL,
            |value| outbound::action(value).into(),
            &mut violations,
        );
        let stages = chosen(
            "stages",
            &request.stages,
            &Stage::ALL,
            |value| outbound::stage(value).into(),
            &mut violations,
        );
        let newest_first = match pb::SortOrder::try_from(request.order) {
            Ok(pb::SortOrder::Unspecified | pb::SortOrder::NewestFirst) => true,
            Ok(pb::SortOrder::OldestFirst) => false,
            Err(_) => {
                violations.invalid("order", "is not an order that this server knows");
                true
            }
        };
        let written =
            format!("{session:?} {run:?} {text:?} {record_id:?} {from:?} {until:?} {actions:?} {stages:?}");
        let conditions = self.conditions("decisions", &[&project, &written, &newest_first.to_string()]);
        let after = match request.page_token.as_str() {
            "" => None,
            token => {
                let place = conditions.place(token).and_then(|place| place.parse::<u64>().ok());
                if place.is_none() {
                    violations.page_token("page_token");
                }
                place
            }
        };
        violations.check()?;
        let only = |values: &[String]| match values {
            [one] => Some(one.clone()),
            _ => None,
        };
        let words = |values: Vec<&'static str>| values.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let action_words = words(actions.iter().map(|value| value.as_str()).collect());
        let stage_words = words(stages.iter().map(|value| value.as_str()).collect());
        let filter = DecisionFilter {
            project: project.clone(),
            session,
            run,
            kind: Some(RecordKind::Decision.as_str().to_owned()),
            action: only(&action_words),
            stage: only(&stage_words),
            text,
            // A record is written after its call arrived, so that this leaves none out.
            from: from.map(|moment| moment.0),
            until: None,
        };
        let wanted = move |ruling: &Ruling, id: &str| {
            let arrived_at = ruling.timing.arrived_at;
            from.is_none_or(|from| arrived_at >= from)
                && until.is_none_or(|until| arrived_at < until)
                && (actions.is_empty() || actions.contains(&ruling.decision.action))
                && (stages.is_empty() || stages.contains(&ruling.decision.stage))
                && record_id.as_ref().is_none_or(|wanted| wanted == id || *wanted == ruling.decision_id)
        };
        let page = Page { size, after, newest_first };
        let listing = self
            .engine
            .list_decisions(filter, page, wanted)
            .await
            .map_err(|error| from_engine(&project, error))?;
        let mut next = listing.next;
        let mut decisions: Vec<pb::DecisionRecord> = Vec::new();
        let mut bytes = 0_usize;
        for recorded in &listing.decisions {
            let record = outbound::record(recorded, request.include_rating_attempts);
            bytes = bytes.saturating_add(record.encoded_len());
            if let Some(last) = decisions.last()
                && bytes > PAGE_BYTES
            {
                next = Some(last.sequence);
                break;
            }
            decisions.push(record);
        }
        let next_page_token = next.map(|place| conditions.token(&place.to_string())).unwrap_or_default();
        Ok(pb::ListDecisionsResponse { decisions, next_page_token })
    }

    pub(super) async fn verify(
        &self,
        request: pb::VerifyAuditRequest,
    ) -> Result<pb::VerifyAuditResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let noted = noted(&request, &mut violations);
        violations.check()?;
        let found =
            self.engine.verify_audit(&project, noted).await.map_err(|error| from_engine(&project, error))?;
        Ok(outbound::verification(&found))
    }

    pub(super) async fn info(
        &self,
        request: pb::GetServerInfoRequest,
    ) -> Result<pb::GetServerInfoResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        violations.check()?;
        let policies = self.engine.policies();
        let revision = policies.configuration().project_revision(&project).to_owned();
        Ok(outbound::server_info(
            revision,
            self.engine.policy_loaded_at(),
            self.started_at,
            policies.configuration().store(),
        ))
    }
}

/// The head that the caller noted down earlier.
fn noted(request: &pb::VerifyAuditRequest, violations: &mut Violations) -> Option<(u64, String)> {
    let hash = &request.noted_hash;
    let is_hash =
        hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    match (request.noted_sequence, hash.is_empty()) {
        (0, true) => None,
        (0, false) => {
            violations.invalid("noted_sequence", "is required with noted_hash");
            None
        }
        (sequence, _) if is_hash => Some((sequence, hash.clone())),
        (_, _) => {
            violations.invalid("noted_hash", "must be a SHA-256 in 64 lower-case hexadecimal digits");
            None
        }
    }
}

/// The values of a closed vocabulary that a filter names.
fn chosen<T: Copy>(
    field: &str,
    values: &[i32],
    all: &[T],
    number: impl Fn(T) -> i32,
    violations: &mut Violations,
) -> Vec<T> {
    let mut wanted = Vec::new();
    for (index, value) in values.iter().enumerate() {
        match all.iter().copied().find(|candidate| number(*candidate) == *value) {
            Some(found) => wanted.push(found),
            None => violations.invalid(&format!("{field}[{index}]"), "is not a value that this server knows"),
        }
    }
    wanted
}
