"""The durable records of decisions, the check of their chain, and the server that keeps them.

Promises records as they were written. Knows nothing of live decisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from . import v1 as pb
from ._read import moment
from .calls import Call, read_call
from .decisions import MatchedRule, Notice, Timing, read_notices, read_rule, read_timing
from .human import HumanAnswer, read_answer
from .ratings import Rating, read_rating
from .vocabulary import Action, HumanInvolvement, NotedHead, Rung, Scope, Stage

__all__ = ["AuditReport", "BrokenLink", "DecisionRecord", "ServerInfo"]


@dataclass(frozen=True)
class DecisionRecord:
    """A durable record of one decision. What looks like a secret was replaced before it was written."""

    decision_id: str
    record_id: str
    sequence: int
    """Number of the record in the project's chain, from 1."""

    project: str
    session_id: str
    run_id: str
    request_id: str
    caller: str
    arrived_at: datetime | None
    settled_at: datetime | None
    call: Call
    rung: Rung | None
    action: Action | None
    """None when deciding failed; see ``error``."""

    stage: Stage | None
    scope: Scope | None
    message: str
    rule: MatchedRule | None
    hardline: str
    rating: Rating | None
    human_involvement: HumanInvolvement | None
    human: HumanAnswer | None
    escalation_id: str
    halt_id: str
    notices: tuple[Notice, ...]
    labels: Mapping[str, str]
    policy_revision: str
    timing: Timing
    error: str
    """Why deciding failed. Empty otherwise."""

    hash: str
    raw: pb.DecisionRecord = field(repr=False, compare=False)
    """The gate's message itself, with the attempts of the rater where they were asked for."""


@dataclass(frozen=True)
class BrokenLink:
    """A link of the chain that does not hold."""

    sequence: int
    record_id: str
    expected_hash: str
    actual_hash: str
    reason: str


@dataclass(frozen=True)
class AuditReport:
    """Whether a project's chain of records holds."""

    intact: bool
    records_checked: int
    first_sequence: int
    head_sequence: int
    head_hash: str
    """Note it down, with its sequence, to detect later that the whole chain was rewritten."""

    broken: BrokenLink | None

    noted_head: NotedHead | None
    """What became of the head that was noted down; None when none was, or when the chain is broken elsewhere."""


@dataclass(frozen=True)
class ServerInfo:
    """Which server answers, and under which policy."""

    version: str
    contract_version: str
    commit: str
    policy_revision: str
    policy_loaded_at: datetime | None
    started_at: datetime | None
    ephemeral: bool
    """Whether records and grants are gone with the process."""


def read_record(message: pb.DecisionRecord) -> DecisionRecord:
    """Return a record that the gate tells of."""
    has = message.HasField
    return DecisionRecord(
        decision_id=message.decision_id,
        record_id=message.record_id,
        sequence=message.sequence,
        project=message.project,
        session_id=message.session_id,
        run_id=message.run_id,
        request_id=message.request_id,
        caller=message.caller,
        arrived_at=moment(message, "arrived_at"),
        settled_at=moment(message, "settled_at"),
        call=read_call(message.call),
        rung=Rung.of_number(message.rung),
        action=Action.of_number(message.action),
        stage=Stage.of_number(message.stage),
        scope=Scope.of_number(message.scope),
        message=message.message,
        rule=read_rule(message.matched_rule) if has("matched_rule") else None,
        hardline=message.hardline,
        rating=read_rating(message.rating) if has("rating") else None,
        human_involvement=HumanInvolvement.of_number(message.human_involvement),
        human=read_answer(message.human) if has("human") else None,
        escalation_id=message.escalation_id,
        halt_id=message.halt_id,
        notices=read_notices(message.notices),
        labels=dict(message.labels),
        policy_revision=message.policy_revision,
        timing=read_timing(message.timing),
        error=message.error,
        hash=message.hash,
        raw=message,
    )


def read_audit(message: pb.VerifyAuditResponse) -> AuditReport:
    """Return what the check of a chain found."""
    link = message.broken
    broken = BrokenLink(link.sequence, link.record_id, link.expected_hash, link.actual_hash, link.reason)
    return AuditReport(
        intact=message.intact,
        records_checked=message.records_checked,
        first_sequence=message.first_sequence,
        head_sequence=message.head_sequence,
        head_hash=message.head_hash,
        broken=broken if message.HasField("broken") else None,
        noted_head=NotedHead.of_number(message.noted_head),
    )


def read_server(message: pb.GetServerInfoResponse) -> ServerInfo:
    """Return which server answers."""
    return ServerInfo(
        version=message.version,
        contract_version=message.contract_version,
        commit=message.commit,
        policy_revision=message.policy_revision,
        policy_loaded_at=moment(message, "policy_loaded_at"),
        started_at=moment(message, "started_at"),
        ephemeral=message.ephemeral,
    )
