"""Ratings: what is said of a call, without deciding it.

Promises that an outcome which this client does not know is DESTRUCTIVE. Knows nothing of decisions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from . import v1 as pb
from ._read import known, span
from .vocabulary import FloorKind, Outcome, RatingCause, RatingSource

__all__ = ["FloorFinding", "Rated", "Rating"]


@dataclass(frozen=True)
class FloorFinding:
    """A deterministic check that found something."""

    kind: FloorKind | None
    """Which check; None when this client does not know it."""

    reason: str
    """What was found. Raw text."""

    raised: bool
    """Whether it made the outcome stricter."""


@dataclass(frozen=True)
class Rating:
    """An outcome for one call."""

    outcome: Outcome
    """The outcome in force, after the floors."""

    reason: str
    """One sentence. Raw text."""

    suggested_tool: str
    """A tool that is approved already and does the same. Empty when there is none."""

    source: RatingSource | None
    """What the outcome comes from; None when this client does not know it."""

    cause: RatingCause | None
    """Why the call could not be assessed; None when it was."""

    floors: tuple[FloorFinding, ...]
    profile: str
    model: str
    duration: timedelta | None
    reused: bool
    """Whether an earlier rating was taken over."""


@dataclass(frozen=True)
class Rated:
    """The answer to a request for one rating."""

    rating: Rating
    policy_revision: str
    framed_lines: tuple[str, ...]
    """The call, the outcome and the reason, ready to print row by row."""

    raw: pb.RateResponse = field(repr=False, compare=False)
    """The gate's message itself."""


def read_rating(message: pb.Rating) -> Rating:
    """Return a rating that the gate tells of."""
    # The contract says how to take what is not known: as strictly as what was not assessed.
    outcome = Outcome.of_number(message.outcome)
    if outcome is None:
        outcome = Outcome.DESTRUCTIVE if message.outcome else known(Outcome, message.outcome, "outcome")
    return Rating(
        outcome=outcome,
        reason=message.reason,
        suggested_tool=message.suggested_tool,
        source=RatingSource.of_number(message.source),
        cause=RatingCause.of_number(message.cause),
        floors=tuple(
            FloorFinding(FloorKind.of_number(floor.kind), floor.reason, floor.raised) for floor in message.floors
        ),
        profile=message.profile,
        model=message.model,
        duration=span(message, "duration"),
        reused=message.reused,
    )


def read_rated(response: pb.RateResponse) -> Rated:
    """Return the answer to a request for one rating."""
    rating = read_rating(response.rating)
    return Rated(rating, response.policy_revision, tuple(response.framed_lines), response)
