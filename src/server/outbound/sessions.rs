//! Sessions, postures and trust.

use super::decision::round;
use super::prompt::exchange;
use super::vocabulary::{budget, duration, hints, rung, timestamp};
use crate::gate::GateScope;
use crate::proto::v1 as pb;
use crate::rules::{Hint, RuleList};
use crate::session::{ServerTrust, SessionView, ToolDeclaration};
use std::time::Duration;

/// Entries of a list that a posture shows.
const SHOWN_ENTRIES: usize = 1_000;

/// A session as it stands.
pub(in crate::server) fn session(view: &SessionView) -> pb::Session {
    let state = if view.closed_at.is_some() { pb::SessionState::Closed } else { pb::SessionState::Open };
    pb::Session {
        session_id: view.session.clone(),
        project: view.project.clone(),
        state: state.into(),
        rung: rung(view.rung).into(),
        interactive: view.interactive,
        command: view.profile.command.clone().unwrap_or_default(),
        labels: view.profile.labels.clone().into_iter().collect(),
        cwd: view.profile.cwd.clone().unwrap_or_default(),
        home: view.profile.home.clone().unwrap_or_default(),
        mcp_servers: view.mcp_servers.clone(),
        tool_count: count(view.profile.tools.len()),
        opened_at: Some(timestamp(view.opened_at)),
        last_used_at: Some(timestamp(view.last_used_at)),
        closed_at: view.closed_at.map(timestamp),
        policy_revision: view.policy.revision.clone(),
        halted_runs: view.halted_runs.clone(),
        open_escalations: count(view.open_questions),
        rater_profile: view.policy.rater.clone().unwrap_or_default(),
        owner: view.profile.owner.as_ref().map(|owner| owner.name.clone()).unwrap_or_default(),
    }
}

/// A session and the posture in force.
pub(in crate::server) fn session_response(view: &SessionView, include_tools: bool) -> pb::GetSessionResponse {
    let policy = &view.policy;
    let gate_scope = match policy.gate_scope {
        GateScope::Rung => pb::GateScope::Rung,
        GateScope::EveryCall => pb::GateScope::EveryCall,
    };
    let posture = pb::Posture {
        rung: rung(view.rung).into(),
        configured_rung: rung(policy.rung).into(),
        gate_scope: gate_scope.into(),
        rater_profile: policy.rater.clone().unwrap_or_default(),
        rater_timeout: Some(duration(Duration::from_millis(policy.rater_timeout_ms.into()))),
        deny: entries(&policy.deny),
        escalate: entries(&policy.escalate),
        allow: entries(&policy.allow),
        deny_total: count(policy.deny.len()),
        escalate_total: count(policy.escalate.len()),
        allow_total: count(policy.allow.len()),
    };
    let denylist = policy
        .deny
        .entries()
        .map(crate::rules::one_line)
        .chain(view.denials.iter().cloned())
        .take(SHOWN_ENTRIES);
    pb::GetSessionResponse {
        session: Some(session(view)),
        posture: Some(posture),
        counts: Some(pb::SessionCounts {
            session: count(view.session_grants + policy.allow.len()),
            always: view.persisted_grants.map(count),
            denials: count(view.denials.len()),
        }),
        denylist: denylist.collect(),
        budget: Some(budget(view.budget)),
        negotiation: (!view.rounds.is_empty()).then(|| pb::Negotiation {
            rounds: view.rounds.iter().map(round).collect(),
            attempts: view.budget.since_human.max(count(view.rounds.len())),
            includes_pending_call: false,
            framed_lines: exchange(&view.rounds),
        }),
        trust: Some(trust_view(&policy.trust.defaults, &view.trust)),
        tools: include_tools
            .then(|| pb::ToolCatalogue { tools: view.profile.tools.iter().map(tool).collect() }),
        rater_timeouts: view.rating_timeouts,
    }
}

fn entries(list: &RuleList) -> Vec<pb::RenderedEntry> {
    list.entries().take(SHOWN_ENTRIES).map(super::rendered).collect()
}

fn tool(tool: &ToolDeclaration) -> pb::ToolDeclaration {
    pb::ToolDeclaration {
        registered_name: tool.registered_name.clone(),
        description: tool.description.clone(),
        annotations: Some(pb::ToolAnnotations {
            read_only_hint: tool.declared.read_only,
            destructive_hint: tool.declared.destructive,
            idempotent_hint: tool.declared.idempotent,
            open_world_hint: tool.declared.open_world,
        }),
    }
}

/// The trust in force for a session.
pub(in crate::server) fn trust_view(defaults: &[Hint], servers: &[ServerTrust]) -> pb::TrustView {
    let servers = servers.iter().map(|trust| pb::ServerTrust {
        server: trust.server.clone(),
        trusted: hints(&trust.trusted),
        configured: trust.configured,
        changed: trust.changed,
    });
    pb::TrustView { defaults: hints(defaults), servers: servers.collect() }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
