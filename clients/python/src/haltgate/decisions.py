"""Decisions and ratings.

Promises that a Decision which says ``approved`` is a complete answer to the very request that was made. Knows nothing
of connections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from . import v1 as pb
from ._read import count, known, moment, span
from .entries import RenderedEntry, read_rendered
from .errors import UnexpectedAnswer
from .human import HumanAnswer, Offer, read_answer, read_offer
from .ratings import Rating, read_rating
from .vocabulary import Action, NoticeCode, NoticeLevel, RuleLayer, RuleList, Rung, Scope, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Budget",
    "Decision",
    "ExplainedSegment",
    "ExplainedStep",
    "Explanation",
    "MatchedRule",
    "Notice",
    "Timing",
]


@dataclass(frozen=True)
class MatchedRule:
    """The entry that decided, or that led to the rating or the human."""

    entry: RenderedEntry
    """The entry."""

    list: RuleList | None
    """List that it is on; None when this client does not know it."""

    layer: RuleLayer | None
    """Where it comes from; None when this client does not know it."""

    undecided: str
    """Why it could not be compared and counts as a match. Empty when it could."""

    rated: bool
    """Whether the match still led to a rating."""

    index: int | None
    """Its place in the declared list, from 0. None for what a human added."""


@dataclass(frozen=True)
class Notice:
    """A message for the people who run the agent."""

    level: NoticeLevel
    """How much it matters."""

    code: NoticeCode | None
    """What it is about; None when it has no code, or one that this client does not know."""

    text: str
    """One or two sentences. Safe to print on one row."""


@dataclass(frozen=True)
class Budget:
    """The rejections of the rater at rung auto."""

    consecutive_rejections: int
    rejections_since_human: int
    max_consecutive_rejections: int
    max_rejections_since_human: int


@dataclass(frozen=True)
class Timing:
    """Where a decision's time went."""

    arrived_at: datetime | None
    decided_at: datetime | None
    queued: timedelta | None
    deciding: timedelta | None
    rating: timedelta | None
    human: timedelta | None


@dataclass(frozen=True)
class ExplainedStep:
    """One thing that a decision looked at."""

    what: str
    found: str
    decided: bool


@dataclass(frozen=True)
class ExplainedSegment:
    """A simple command that bash could run from the text."""

    spelling: str
    start: int | None
    end: int | None
    reached: tuple[str, ...]
    opaque: str


@dataclass(frozen=True)
class Explanation:
    """How a decision comes about: what a dry run is for."""

    steps: tuple[ExplainedStep, ...]
    canonical: str
    segments: tuple[ExplainedSegment, ...]
    unread: str
    """Where a shell command could not be read any more, and why. Empty when all of it could."""

    unresolved: tuple[str, ...]
    rating_needed: bool
    offer: Offer | None


@dataclass(frozen=True)
class Decision:
    """What the gate says of one call."""

    action: Action
    """What the caller must do."""

    stage: Stage
    """The step that decided."""

    scope: Scope | None
    """How far an approval or a human's rejection reaches; None with the other actions."""

    message: str
    """After REJECT: what to give the model as the tool's result. Otherwise for people. Raw text."""

    framed_lines: tuple[str, ...]
    """The message, ready to print row by row."""

    decision_id: str
    """Id of the decision and of its record. Empty after a dry run."""

    request_id: str
    session_id: str
    run_id: str
    rung: Rung
    """Rung in force when the call arrived."""

    policy_revision: str
    rule: MatchedRule | None
    """The entry that matched; None when none did."""

    hardline: str
    """The forbidden kind of command. Empty unless the stage is HARDLINE_FLOOR."""

    rating: Rating | None
    """Rating of the call; None when it was not rated."""

    notices: tuple[Notice, ...]
    escalation_id: str
    """What a human answers. Empty when none was asked."""

    halt_id: str
    """What a human answers. Empty unless this call halted its run."""

    human: HumanAnswer | None
    """The answer that settled it; None when there is none."""

    run_halted: bool
    """Whether the run is halted."""

    replayed: bool
    """Whether it was decided for an earlier request with this request_id."""

    budget: Budget | None
    timing: Timing | None
    explanation: Explanation | None
    """Every step; only after a dry run."""

    dry_run: bool
    """Whether it was only explained. Then nothing is approved."""

    raw: pb.DecideResponse = field(repr=False, compare=False)
    """The gate's message itself."""

    @property
    def approved(self) -> bool:
        """Whether the call may run, once."""
        return self.action is Action.APPROVE and not self.dry_run


def read_decision(request: pb.DecideRequest, response: pb.DecideResponse) -> Decision:
    """Return the decision on a request, which must be complete and about that request."""
    action = known(Action, response.action, "action")
    for name in ("request_id", "session_id", "run_id"):
        asked, answered = getattr(request, name), getattr(response, name)
        # A dry run approves nothing, and the gate may leave out what nothing is kept under.
        if asked != answered and not (request.dry_run and not answered):
            raise UnexpectedAnswer(f"the gate's answer has {answered!r} as its {name}, and {asked!r} was asked")
    scope = Scope.of_number(response.scope)
    if action is Action.APPROVE and scope is None:
        scope = known(Scope, response.scope, "scope")
    if not request.dry_run:
        if not response.decision_id:
            raise UnexpectedAnswer("the gate's answer has no decision_id")
        if action is Action.ESCALATE and not (response.escalation_id or response.halt_id):
            raise UnexpectedAnswer("the gate waits for a human and does not say which question it asked")
    raw = response
    return Decision(
        action=action,
        stage=known(Stage, response.stage, "stage"),
        scope=scope,
        message=raw.message,
        framed_lines=tuple(raw.framed_lines),
        decision_id=raw.decision_id,
        request_id=raw.request_id,
        session_id=raw.session_id,
        run_id=raw.run_id,
        rung=known(Rung, raw.rung, "rung"),
        policy_revision=raw.policy_revision,
        rule=read_rule(raw.matched_rule) if raw.HasField("matched_rule") else None,
        hardline=raw.hardline,
        rating=read_rating(raw.rating) if raw.HasField("rating") else None,
        notices=read_notices(raw.notices),
        escalation_id=raw.escalation_id,
        halt_id=raw.halt_id,
        human=read_answer(raw.human) if raw.HasField("human") else None,
        run_halted=raw.run_halted,
        replayed=raw.replayed,
        budget=read_budget(raw.budget) if raw.HasField("budget") else None,
        timing=read_timing(raw.timing) if raw.HasField("timing") else None,
        explanation=_explanation(raw.explanation) if raw.HasField("explanation") else None,
        dry_run=request.dry_run,
        raw=response,
    )


def read_rule(message: pb.MatchedRule) -> MatchedRule:
    """Return an entry that matched."""
    return MatchedRule(
        entry=read_rendered(message.entry),
        list=RuleList.of_number(message.list),
        layer=RuleLayer.of_number(message.layer),
        undecided=message.undecided,
        rated=message.rated,
        index=count(message, "index"),
    )


def read_notices(messages: Iterable[pb.Notice]) -> tuple[Notice, ...]:
    """Return notices; one whose level this client does not know is a warning."""
    return tuple(
        Notice(
            NoticeLevel.of_number(message.level) or NoticeLevel.WARNING,
            NoticeCode.of_number(message.code),
            message.text,
        )
        for message in messages
    )


def read_budget(message: pb.NegotiationBudget) -> Budget:
    """Return the budget of a negotiation."""
    return Budget(
        message.consecutive_rejections,
        message.rejections_since_human,
        message.max_consecutive_rejections,
        message.max_rejections_since_human,
    )


def read_timing(message: pb.Timing) -> Timing:
    """Return where a decision's time went."""
    return Timing(
        moment(message, "arrived_at"),
        moment(message, "decided_at"),
        span(message, "queued"),
        span(message, "deciding"),
        span(message, "rating"),
        span(message, "human"),
    )


def _explanation(message: pb.Explanation) -> Explanation:
    unread = message.unread
    return Explanation(
        steps=tuple(ExplainedStep(step.what, step.found, step.decided) for step in message.steps),
        canonical=message.canonical,
        segments=tuple(
            ExplainedSegment(
                segment.spelling,
                count(segment, "start"),
                count(segment, "end"),
                tuple(segment.reached),
                segment.opaque,
            )
            for segment in message.segments
        ),
        unread=f"at byte {unread.position}: {unread.reason}" if message.HasField("unread") else "",
        unresolved=tuple(message.unresolved),
        rating_needed=message.rating_needed,
        offer=read_offer(message.offer) if message.HasField("offer") else None,
    )
