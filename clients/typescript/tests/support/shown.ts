// What requests come to, in the form that the conformance scenarios expect.

import type { AttackHalt, Decision, Denial, Escalation, Grant, Rating } from "@haltgate/client";
import { Hint, type RenderedEntry } from "@haltgate/client/haltgate/v1/entry";
import { type MatchedRule, NoticeCode, RuleLayer, RuleList } from "@haltgate/client/haltgate/v1/decision";
import type { GrantsImported, TrustChanged, TrustView } from "@haltgate/client/haltgate/v1/grants";
import {
  AttackHaltState,
  EscalationState,
  type HumanAnswer,
  Verdict,
} from "@haltgate/client/haltgate/v1/human";
import {
  Outcome,
  type Rating as RatingMessage,
  RatingCause,
  RatingSource,
} from "@haltgate/client/haltgate/v1/rating";
import { type DecisionRecord, HumanInvolvement } from "@haltgate/client/haltgate/v1/records";
import { type Session, SessionState } from "@haltgate/client/haltgate/v1/sessions";
import { Action, Rung, Scope, Stage } from "@haltgate/client/haltgate/v1/vocabulary";

export type Question = Escalation | AttackHalt;

/** UNSPECIFIED is absent. */
function name(vocabulary: Readonly<Record<string, string | number>>, value: number): unknown {
  return value === 0 ? undefined : vocabulary[String(value)];
}

export function session(given: Session) {
  return {
    session_id: given.sessionId,
    state: name(SessionState, given.state),
    rung: name(Rung, given.rung),
    interactive: given.interactive,
    command: given.command,
    labels: given.labels,
    cwd: given.cwd,
    home: given.home,
    mcp_servers: given.mcpServers,
    tool_count: given.toolCount,
    halted_runs: given.haltedRuns,
    open_escalations: given.openEscalations,
  };
}

export function decision(given: Decision) {
  return {
    approved: given.approved,
    action: given.action,
    stage: given.stage,
    scope: given.scope,
    message: given.message,
    decision_id: given.decisionId,
    request_id: given.requestId,
    escalation_id: given.escalationId,
    halt_id: given.haltId,
    run_halted: given.runHalted,
    replayed: given.replayed,
    rung: given.rung,
    policy_revision: given.raw.policyRevision,
    rating: given.rating && rating(given.rating),
    rule: given.matchedRule && rule(given.matchedRule),
    notices: given.notices.map(({ code }) => NoticeCode[code]),
    human: given.human && human(given.human),
    budget: given.budget && {
      consecutive_rejections: given.budget.consecutiveRejections,
      rejections_since_human: given.budget.rejectionsSinceHuman,
    },
    rating_needed: given.explanation?.ratingNeeded,
  };
}

function rule(given: MatchedRule) {
  return {
    list: name(RuleList, given.list),
    layer: name(RuleLayer, given.layer),
    entry: given.entry && entry(given.entry),
  };
}

export function rating({ outcome, source, cause, reason }: Rating) {
  return { outcome, source, cause, reason };
}

function ratingMessage({ outcome, source, cause, reason }: RatingMessage) {
  return {
    outcome: name(Outcome, outcome),
    source: name(RatingSource, source),
    cause: name(RatingCause, cause),
    reason,
  };
}

function human(given: HumanAnswer) {
  return {
    verdict: name(Verdict, given.verdict),
    scope: name(Scope, given.scope),
    comment: given.comment,
    answered_by: given.answeredBy,
    stored: given.stored && entry(given.stored),
  };
}

function entry(given: RenderedEntry): unknown {
  return JSON.parse(given.objectText);
}

export function question(given: Question) {
  const ids = "escalationId" in given ? { escalation_id: given.escalationId } : { halt_id: given.haltId };
  const states = "escalationId" in given ? EscalationState : AttackHaltState;
  return {
    ...ids,
    decision_id: given.decisionId,
    session_id: given.sessionId,
    run_id: given.runId,
    request_id: given.requestId,
    state: name(states, given.state),
    rung: name(Rung, given.rung),
    stage: name(Stage, given.stage),
    command: given.call?.kind.case === "shell" ? given.call.kind.value.command : undefined,
    rating: given.rating && ratingMessage(given.rating),
    answer: given.answer && human(given.answer),
    rounds: "negotiation" in given ? given.negotiation?.rounds.length : undefined,
    offer: "offer" in given && given.offer !== undefined ? offer(given.offer) : undefined,
  };
}

function offer(given: NonNullable<Escalation["offer"]>) {
  return {
    approve_scopes: given.approveScopes.map((scope) => name(Scope, scope)),
    reject_scopes: given.rejectScopes.map((scope) => name(Scope, scope)),
    grant: given.grant && entry(given.grant),
    denial: given.denial && entry(given.denial),
  };
}

export function grant(given: Grant) {
  return {
    session_id: given.sessionId,
    scope: name(Scope, given.scope),
    entry: given.entry && entry(given.entry),
    object_text: given.entry?.objectText,
    granted_by: given.grantedBy,
    uses_left: given.usesLeft,
    max_uses: given.terms?.maxUses,
    note: given.terms?.note,
  };
}

export function denial(given: Denial) {
  return {
    session_id: given.sessionId,
    entry: given.entry && entry(given.entry),
    object_text: given.entry?.objectText,
    denied_by: given.deniedBy,
    note: given.note,
  };
}

const hints = (given: readonly Hint[]): unknown[] => given.map((hint) => name(Hint, hint));

export function trustView(given: TrustView) {
  const servers = given.servers.map(({ server, trusted, configured, changed }) => ({
    server,
    trusted: hints(trusted),
    configured,
    changed,
  }));
  return { defaults: hints(given.defaults), servers };
}

export function trustChanged(given: TrustChanged) {
  return {
    server: given.server,
    configured: given.configured,
    trusted: hints(given.trusted),
    added: hints(given.added),
    removed: hints(given.removed),
    weakening: hints(given.weakening),
    invalidates: given.invalidates.map(grant),
  };
}

export function imported(given: GrantsImported) {
  return {
    imported: given.imported.map(grant),
    already_granted: given.alreadyGranted,
    dropped: given.dropped.map(({ index, reason }) => ({ index, reason })),
    file_version: given.fileVersion,
  };
}

export function record(given: DecisionRecord) {
  return {
    decision_id: given.decisionId,
    record_id: given.recordId,
    session_id: given.sessionId,
    run_id: given.runId,
    request_id: given.requestId,
    action: name(Action, given.action),
    stage: name(Stage, given.stage),
    scope: name(Scope, given.scope),
    human_involvement: name(HumanInvolvement, given.humanInvolvement),
    human: given.human && human(given.human),
    rating: given.rating && ratingMessage(given.rating),
    escalation_id: given.escalationId,
    halt_id: given.haltId,
    command: given.call?.kind.case === "shell" ? given.call.kind.value.command : undefined,
  };
}
