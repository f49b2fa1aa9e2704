"""What the feeds of questions tell.

Promises one type per thing that can happen, so that ``match`` is exhaustive. Knows nothing of connections.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

__all__ = ["Answered", "Expired", "FeedEvent", "Raised", "Restarted", "SnapshotEnd", "Withdrawn"]

Item = TypeVar("Item")


@dataclass(frozen=True)
class Raised(Generic[Item]):
    """A human is asked, or a run was halted; also each open item when the feed begins."""

    item: Item


@dataclass(frozen=True)
class Answered(Generic[Item]):
    """A human answered; the item's state says what."""

    item: Item


@dataclass(frozen=True)
class Withdrawn(Generic[Item]):
    """It needs no answer any more: a call counts as rejected, a run stays halted."""

    item: Item


@dataclass(frozen=True)
class Expired(Generic[Item]):
    """Nobody answered in time: a call counts as rejected, a run stays halted."""

    item: Item


@dataclass(frozen=True)
class SnapshotEnd:
    """Everything that was open when the feed began has been told; what follows are changes."""

    open: int
    """How many items were open."""


@dataclass(frozen=True)
class Restarted:
    """The feed begins anew: forget what was open. Everything that is open now follows."""


FeedEvent: TypeAlias = Raised[Item] | Answered[Item] | Withdrawn[Item] | Expired[Item] | SnapshotEnd | Restarted
"""What can happen in a feed."""
