//! The audit chain and the server itself.

use super::vocabulary::timestamp;
use crate::config::StoreSettings;
use crate::gate::Moment;
use crate::proto::v1 as pb;
use crate::session::{AuditReport, Broken, NotedHead};
use crate::store::RecordRow;

/// The version of the contract: the package and a revision that grows with each compatible addition.
const CONTRACT_VERSION: &str = "v1.0";

/// Whether the chain holds.
pub(in crate::server) fn verification(found: &AuditReport) -> pb::VerifyAuditResponse {
    let head = found.verification.head;
    pb::VerifyAuditResponse {
        intact: found.broken.is_none(),
        records_checked: found.verification.checked,
        first_sequence: found.verification.first,
        head_sequence: head.map(|head| head.sequence).unwrap_or_default(),
        head_hash: head.map(|head| head.hash.to_string()).unwrap_or_default(),
        broken: found.broken.as_ref().map(broken_link),
        noted_head: noted_head(found.noted).into(),
    }
}

fn noted_head(noted: NotedHead) -> pb::NotedHead {
    match noted {
        NotedHead::NotGiven | NotedHead::NotSearched => pb::NotedHead::Unspecified,
        NotedHead::Found => pb::NotedHead::Found,
        NotedHead::NoLongerKept => pb::NotedHead::NoLongerKept,
        NotedHead::Missing => pb::NotedHead::Missing,
    }
}

fn broken_link(broken: &Broken) -> pb::BrokenLink {
    pb::BrokenLink {
        sequence: broken.sequence,
        record_id: broken.record_id.clone(),
        expected_hash: broken.expected_hash.clone(),
        actual_hash: broken.actual_hash.clone(),
        reason: crate::display::one_line(&broken.reason),
    }
}

/// One link of the chain, with all that its hash is made of.
pub(in crate::server) fn audit_record(row: &RecordRow) -> pb::AuditRecord {
    pb::AuditRecord {
        project: row.project.clone(),
        sequence: row.sequence,
        record_id: row.id.clone(),
        recorded_at: Some(timestamp(Moment(row.at))),
        kind: row.kind.clone(),
        session_id: row.session.clone(),
        run_id: row.run.clone(),
        action: row.action.clone(),
        stage: row.stage.clone(),
        text: row.text.clone(),
        body_json: row.body_json.clone(),
        previous_hash: row.previous_hash.to_string(),
        hash: row.hash.to_string(),
    }
}

/// Which server answers, and under which policy.
pub(in crate::server) fn server_info(
    policy_revision: String,
    policy_loaded_at: Moment,
    started_at: Moment,
    store: &StoreSettings,
) -> pb::GetServerInfoResponse {
    pb::GetServerInfoResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        contract_version: CONTRACT_VERSION.to_owned(),
        commit: option_env!("HALTGATE_COMMIT").unwrap_or_default().to_owned(),
        policy_revision,
        policy_loaded_at: Some(timestamp(policy_loaded_at)),
        started_at: Some(timestamp(started_at)),
        ephemeral: store.ephemeral,
    }
}
