"""When a request is sent again, and when it is given up.

Promises pauses with full jitter, no attempt past a deadline, and that only what may pass is tried again. Sends nothing
and sleeps nowhere: the clock is given.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ._status import may_pass, was_never_sent

if TYPE_CHECKING:
    from collections.abc import Callable

    from .decisions import Decision
    from .errors import GateError

ATTEMPTS = 4
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 1.0

RECONNECTED = 0.7
"""Seconds within which gRPC tries to connect again; it is given them before what matters is sent."""

HELD = 60.0
"""Seconds that one request is held for a human. Short enough for the idle limits of proxies."""


class Backoff:
    """Pauses that grow, with full jitter."""

    def __init__(self, longest: float = LONGEST_PAUSE, pick: Callable[[float, float], float] = random.uniform) -> None:
        """Begin with the shortest pause."""
        self._longest = longest
        self._pick = pick
        self._bound = FIRST_PAUSE

    def pause(self, at_least: float | None = None) -> float:
        """Return the next pause in seconds; what the gate asked for is the least of it."""
        pause = self._pick(0.0, self._bound)
        self._bound = min(self._bound * 2, self._longest)
        return max(pause, at_least or 0.0)

    def reset(self) -> None:
        """Begin with the shortest pause again."""
        self._bound = FIRST_PAUSE


class Attempts:
    """The attempts of one request within one deadline."""

    def __init__(self, deadline: float, *, repeatable: bool, clock: Callable[[], float]) -> None:
        """Begin now."""
        self._clock = clock
        self._ends = clock() + deadline
        self._repeatable = repeatable
        self._left = ATTEMPTS
        self._backoff = Backoff()

    def remaining(self) -> float:
        """Return the seconds that are left."""
        return max(self._ends - self._clock(), 0.001)

    def pause_after(self, fault: GateError) -> float | None:
        """Return the seconds until the next attempt; None when there is none."""
        self._left -= 1
        if self._left <= 0 or not may_pass(fault) or not (self._repeatable or was_never_sent(fault)):
            return None
        pause = self._backoff.pause(fault.retry_after)
        return pause if self._clock() + pause < self._ends else None

    def patience(self, fault: GateError) -> float:
        """Return the seconds that gRPC is given to connect before the next attempt: where it is the last."""
        if self._left > 1 or not was_never_sent(fault):
            return 0.0
        return min(RECONNECTED, self.remaining())


class Waiting:
    """One decision that a human may be asked for, sent under one request_id until it is settled."""

    def __init__(
        self,
        *,
        max_wait: float | None,
        reconnect_for: float,
        clock: Callable[[], float],
    ) -> None:
        """Begin now."""
        self._clock = clock
        self._reconnect_for = reconnect_for
        self._ends = None if max_wait is None else clock() + max_wait
        self._sent = clock()
        self._lost_since: float | None = None
        self._backoff = Backoff()

    def hold(self) -> float:
        """Return how many seconds the next request may be held."""
        self._sent = self._clock()
        if self._ends is None:
            return HELD
        return min(max(self._ends - self._sent, 0.0), HELD)

    def pause_after_fault(self, fault: GateError) -> float | None:
        """Return the seconds until the next attempt; None when the gate is given up."""
        if not may_pass(fault):
            return None
        now = self._clock()
        if self._lost_since is None:
            self._lost_since = now
        pause = self._backoff.pause(fault.retry_after)
        gives_up = self._lost_since + self._reconnect_for
        if self._ends is not None:
            gives_up = min(gives_up, self._ends)
        return pause if now + pause < gives_up else None

    def patience(self, fault: GateError) -> float:
        """Return the seconds that gRPC is given to connect before the next attempt."""
        return RECONNECTED if was_never_sent(fault) else 0.0

    def pause_after_escalation(self, decision: Decision) -> float | None:
        """Return the seconds until an open question is asked about again; None when it is not."""
        now = self._clock()
        self._lost_since = None
        if self._ends is not None and now >= self._ends:
            return None
        if decision.dry_run:
            return None
        # A gate that does not hold requests is not asked in a tight loop.
        if now - self._sent < LONGEST_PAUSE:
            return self._backoff.pause()
        self._backoff.reset()
        return 0.0
