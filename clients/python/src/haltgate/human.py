"""What humans are asked and what they answer.

Promises questions as the gate shows them, with what an answer may do. Knows nothing of feeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from . import v1 as pb
from ._read import known, known_all, moment, timestamp
from .calls import Call, read_call
from .entries import RenderedEntry, read_rendered
from .ratings import Rating, read_rating
from .vocabulary import AttackHaltState, EscalationState, Outcome, Rung, Scope, Stage, Verdict

__all__ = [
    "AttackHalt",
    "Escalation",
    "HumanAnswer",
    "Negotiation",
    "NegotiationRound",
    "Offer",
    "Prompt",
    "Question",
    "Terms",
]


@dataclass(frozen=True)
class Terms:
    """What bounds a grant."""

    expires_at: datetime | None = None
    """When it ends. Default: never. A time without a zone is local."""

    max_uses: int | None = None
    """How many calls it may let through, at least 1. Default: no limit."""

    note: str = ""
    """For people."""


@dataclass(frozen=True)
class HumanAnswer:
    """What a human answered."""

    verdict: Verdict | None
    """The verdict; None when this client does not know it."""

    scope: Scope | None
    """The scope that was stored."""

    comment: str
    answered_by: str
    answered_at: datetime | None
    stored: RenderedEntry | None
    """The grant's or the denial's entry; None when nothing was stored."""


@dataclass(frozen=True)
class Offer:
    """What an answer to an escalation may do. What is not offered is refused."""

    approve_scopes: tuple[Scope, ...]
    reject_scopes: tuple[Scope, ...]
    grant: RenderedEntry | None
    """What SESSION or ALWAYS would store; None when no grant is on offer."""

    denial: RenderedEntry | None
    """What a rejection for the SESSION would store; None when no denial is on offer."""


@dataclass(frozen=True)
class NegotiationRound:
    """A rejected attempt of the agent at rung auto."""

    command: str
    justification: str
    outcome: Outcome
    reason: str


@dataclass(frozen=True)
class Negotiation:
    """The exchange between agent and rater since the last approval."""

    rounds: tuple[NegotiationRound, ...]
    attempts: int
    includes_pending_call: bool
    framed_lines: tuple[str, ...]


@dataclass(frozen=True)
class Prompt:
    """A question as people should see it."""

    headline: str
    """Who wants to do what. Safe to print on one row."""

    framed_lines: tuple[str, ...]
    """The whole question, ready to print row by row."""


@dataclass(frozen=True)
class Escalation:
    """A decision that waits for a human, or did."""

    escalation_id: str
    decision_id: str
    project: str
    session_id: str
    run_id: str
    request_id: str
    state: EscalationState
    raised_at: datetime | None
    expires_at: datetime | None
    rung: Rung | None
    stage: Stage | None
    """Why the human is asked."""

    call: Call
    """The call exactly as the agent sent it. Raw text."""

    rating: Rating | None
    escalated_by: RenderedEntry | None
    negotiation: Negotiation | None
    offer: Offer | None
    prompt: Prompt
    labels: Mapping[str, str]
    policy_revision: str
    answer: HumanAnswer | None
    raw: pb.Escalation = field(repr=False, compare=False)


@dataclass(frozen=True)
class AttackHalt:
    """A decision that halted a run because the call looked like an attack."""

    halt_id: str
    decision_id: str
    project: str
    session_id: str
    run_id: str
    request_id: str
    state: AttackHaltState
    raised_at: datetime | None
    expires_at: datetime | None
    rung: Rung | None
    stage: Stage | None
    call: Call
    """The call exactly as the agent sent it. Raw text."""

    rating: Rating | None
    prompt: Prompt
    labels: Mapping[str, str]
    policy_revision: str
    answer: HumanAnswer | None
    raw: pb.AttackHalt = field(repr=False, compare=False)


Question: TypeAlias = Escalation | AttackHalt
"""What a human may be asked."""


def write_terms(terms: Terms) -> pb.GrantTerms:
    """Return terms as the contract has them."""
    message = pb.GrantTerms(max_uses=terms.max_uses, note=terms.note)
    if terms.expires_at is not None:
        message.expires_at.CopyFrom(timestamp(terms.expires_at))
    return message


def read_answer(message: pb.HumanAnswer) -> HumanAnswer:
    """Return what a human answered."""
    return HumanAnswer(
        verdict=Verdict.of_number(message.verdict),
        scope=Scope.of_number(message.scope),
        comment=message.comment,
        answered_by=message.answered_by,
        answered_at=moment(message, "answered_at"),
        stored=read_rendered(message.stored) if message.HasField("stored") else None,
    )


def read_offer(message: pb.AnswerOffer) -> Offer:
    """Return what an answer may do."""
    return Offer(
        approve_scopes=known_all(Scope, message.approve_scopes),
        reject_scopes=known_all(Scope, message.reject_scopes),
        grant=read_rendered(message.grant) if message.HasField("grant") else None,
        denial=read_rendered(message.denial) if message.HasField("denial") else None,
    )


def read_negotiation(message: pb.Negotiation) -> Negotiation:
    """Return an exchange between agent and rater."""
    rounds = tuple(
        NegotiationRound(
            attempt.command,
            attempt.justification,
            Outcome.of_number(attempt.outcome) or Outcome.DESTRUCTIVE,
            attempt.reason,
        )
        for attempt in message.rounds
    )
    return Negotiation(rounds, message.attempts, message.includes_pending_call, tuple(message.framed_lines))


def read_escalation(message: pb.Escalation) -> Escalation:
    """Return an escalation that the gate tells of."""
    has = message.HasField
    return Escalation(
        escalation_id=message.escalation_id,
        decision_id=message.decision_id,
        project=message.project,
        session_id=message.session_id,
        run_id=message.run_id,
        request_id=message.request_id,
        state=known(EscalationState, message.state, "state"),
        raised_at=moment(message, "raised_at"),
        expires_at=moment(message, "expires_at"),
        rung=Rung.of_number(message.rung),
        stage=Stage.of_number(message.stage),
        call=read_call(message.call),
        rating=read_rating(message.rating) if has("rating") else None,
        escalated_by=read_rendered(message.escalated_by) if has("escalated_by") else None,
        negotiation=read_negotiation(message.negotiation) if has("negotiation") else None,
        offer=read_offer(message.offer) if has("offer") else None,
        prompt=_prompt(message.prompt),
        labels=dict(message.labels),
        policy_revision=message.policy_revision,
        answer=read_answer(message.answer) if has("answer") else None,
        raw=message,
    )


def read_halt(message: pb.AttackHalt) -> AttackHalt:
    """Return an attack halt that the gate tells of."""
    has = message.HasField
    return AttackHalt(
        halt_id=message.halt_id,
        decision_id=message.decision_id,
        project=message.project,
        session_id=message.session_id,
        run_id=message.run_id,
        request_id=message.request_id,
        state=known(AttackHaltState, message.state, "state"),
        raised_at=moment(message, "raised_at"),
        expires_at=moment(message, "expires_at"),
        rung=Rung.of_number(message.rung),
        stage=Stage.of_number(message.stage),
        call=read_call(message.call),
        rating=read_rating(message.rating) if has("rating") else None,
        prompt=_prompt(message.prompt),
        labels=dict(message.labels),
        policy_revision=message.policy_revision,
        answer=read_answer(message.answer) if has("answer") else None,
        raw=message,
    )


def _prompt(message: pb.Prompt) -> Prompt:
    return Prompt(message.headline, tuple(message.framed_lines))
