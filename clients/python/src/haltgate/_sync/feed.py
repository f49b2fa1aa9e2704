# Made from _async/feed.py by ./twin: do not edit.
"""A feed of questions that reconnects by itself.

Promises each event once, in order, until it is closed. Knows nothing of what a question is about.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic

import grpc

from .._follow import SILENCE, FeedMessage, Following, Item
from .._retry import RECONNECTED
from .._status import read_status, was_never_sent
from ..errors import GateError, GateUnavailable
from .transport import Pause, Silence, Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from ..feeds import FeedEvent


class Feed(Generic[Item]):
    """Events of a feed, one after the other. Close it at the end, or use it in a ``with`` statement."""

    def __init__(
        self,
        open_stream: Callable[[str], Stream[Any]],
        reconnect: Callable[[float], None],
        following: Following[Item],
    ) -> None:
        """Follow a feed; it is opened when the first event is asked for."""
        self._open_stream = open_stream
        self._reconnect = reconnect
        self._following = following
        self._stream: Stream[Any] | None = None
        self._pause = Pause()
        self._wait = 0.0
        self._patience = 0.0
        self._closed = False

    @property
    def cursor(self) -> str:
        """Where the feed stands: given as ``after``, a feed goes on behind it. Empty until the first snapshot ended."""
        return self._following.cursor

    def __iter__(self) -> Self:
        """Iterate the events."""
        return self

    def __next__(self) -> FeedEvent[Item]:
        """Wait for the next event."""
        while not self._closed:
            try:
                event = self._advance()
            except GateError:
                self._drop()
                if self._closed:
                    break
                raise
            except BaseException:
                # Whatever ends the iteration also ends the stream: a cancelled task, an interrupt.
                self._drop()
                raise
            if event is not None:
                return event
        raise StopIteration

    def _advance(self) -> FeedEvent[Item] | None:
        # Whoever closes the feed may take the stream away at any time.
        stream = self._stream
        if stream is None:
            self._pause.wait(self._wait)
            self._wait = 0.0
            if self._closed:
                return None
            self._reconnect(self._patience)
            self._patience = 0.0
            self._following.opened()
            stream = self._stream = self._open_stream(self._following.cursor)
            if self._closed:
                self._drop()
                return None
        fault: GateError | None = None
        try:
            message: FeedMessage | None = stream.read(SILENCE)
        except grpc.RpcError as error:
            fault = read_status(error)
            fault.__cause__ = error
        except Silence as error:
            fault = GateUnavailable(str(error))
        else:
            if message is not None:
                return self._following.message(message)
        if self._closed:
            return None
        self._drop()
        restarted, self._wait = self._following.broken(fault)
        self._patience = RECONNECTED if fault is not None and was_never_sent(fault) else 0.0
        return restarted

    def close(self) -> None:
        """End the feed; what waits for its next event gets none."""
        self._closed = True
        self._pause.end()
        self._drop()

    def _drop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.cancel()

    def __enter__(self) -> Self:
        """Return the feed."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the feed."""
        self.close()
