"""Following a feed over broken connections.

Promises that each event is told once: a feed goes on behind the last message seen, and where it cannot, it says
Restarted before anything is told again. Opens nothing and sleeps nowhere.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Generic, TypeVar

from . import v1 as pb
from ._retry import Backoff
from .errors import GateError, GateRefused, InvalidRequest, UnexpectedAnswer
from .feeds import Answered, Expired, FeedEvent, Raised, Restarted, SnapshotEnd, Withdrawn
from .human import AttackHalt, Escalation, read_escalation, read_halt
from .vocabulary import ErrorReason

if TYPE_CHECKING:
    from collections.abc import Callable

SILENCE = 45.0
"""Seconds without any message after which a connection counts as broken: three heartbeats."""

LONGEST_PAUSE = 5.0

CURSOR_REFUSED = (ErrorReason.CURSOR_TOO_OLD, ErrorReason.CURSOR_INVALID)

# What no reconnecting mends.
FINAL = ("UNAUTHENTICATED", "PERMISSION_DENIED", "UNIMPLEMENTED", "FAILED_PRECONDITION", "NOT_FOUND")

log = logging.getLogger("haltgate")

Item = TypeVar("Item")
FeedMessage = pb.StreamEscalationsResponse | pb.StreamAttackHaltsResponse


class Following(Generic[Item]):
    """Where a feed stands."""

    def __init__(self, after: str, read: Callable[[FeedMessage, str], Item]) -> None:
        """Begin behind a cursor, or with everything that is open."""
        self.cursor = after
        self._read = read
        self._backoff = Backoff(LONGEST_PAUSE)
        self._in_snapshot = False
        self._heard = False
        self._lost = False
        self.hinted = False

    def opened(self) -> None:
        """Note that the feed is opened (again)."""
        self._heard = False
        self.hinted = False

    def message(self, message: FeedMessage) -> FeedEvent[Item] | None:
        """Return what a message tells; None when it is nothing for the caller."""
        if self._lost:
            log.info("the feed of the gate goes on")
        self._lost = False
        self._backoff.reset()
        kind = message.WhichOneof("event")
        event: FeedEvent[Item] | None = None
        match kind:
            case "raised":
                event = Raised(self._read(message, kind))
            case "answered":
                event = Answered(self._read(message, kind))
            case "withdrawn":
                event = Withdrawn(self._read(message, kind))
            case "expired":
                event = Expired(self._read(message, kind))
            case "snapshot_end":
                event = SnapshotEnd(message.snapshot_end.open)
            case "resume_hint":
                self.hinted = True
            case _:
                # A heartbeat, or what only a newer client knows.
                pass
        if kind != "resume_hint":
            self._heard = True
        if message.cursor:
            self.cursor = message.cursor
            self._in_snapshot = False
        elif event is not None:
            self._in_snapshot = True
        return event

    def broken(self, fault: GateError | None) -> tuple[Restarted | None, float]:
        """Return what a broken connection tells, and the seconds until the next; raise what that cannot mend."""
        restarted = None
        forgotten = isinstance(fault, InvalidRequest | GateRefused) and fault.reason in CURSOR_REFUSED
        if forgotten and self.cursor:
            # The gate does not keep what happened behind the cursor, or never gave it: what is open now counts.
            self.cursor = ""
            self._in_snapshot = False
            return Restarted(), 0.0
        if isinstance(fault, InvalidRequest | UnexpectedAnswer):
            raise fault
        if isinstance(fault, GateRefused) and fault.details.code in FINAL:
            raise fault
        if self._in_snapshot:
            # The rest of what is open was not told: it is told from the beginning.
            self._in_snapshot = False
            restarted = Restarted()
        if self.hinted and self._heard:
            return restarted, 0.0
        if not self._lost:
            log.warning("the feed of the gate was lost and is being opened again: %s", fault or "it ended")
        self._lost = True
        return restarted, self._backoff.pause(fault.retry_after if fault is not None else None)


def read_feed_escalation(message: FeedMessage, kind: str) -> Escalation:
    """Return the escalation that a message tells of."""
    return read_escalation(getattr(message, kind))


def read_feed_halt(message: FeedMessage, kind: str) -> AttackHalt:
    """Return the attack halt that a message tells of."""
    return read_halt(getattr(message, kind))
