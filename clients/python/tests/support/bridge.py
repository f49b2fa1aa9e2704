"""The client for asyncio as if it were the blocking one, so that every test runs with both.

Promises that each await happens in one event loop of its own thread. Knows no method of the client by name.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Coroutine
from types import TracebackType
from typing import Any

from typing_extensions import Self

import haltgate

ASYNC_OBJECTS = (haltgate.AsyncClient, haltgate.AsyncSession, haltgate.AsyncFeed, haltgate.AsyncGrants)


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self) -> None:
        self.run(self._drain())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _drain(self) -> None:
        """Let what was cancelled end before the loop does."""
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def bridge(self, value: Any) -> Any:
        if isinstance(value, ASYNC_OBJECTS):
            return Bridged(self, value)
        if inspect.iscoroutine(value):
            return self.bridge(self.run(value))
        if inspect.isasyncgen(value):
            return Iterated(self, value)
        return value


class Bridged:
    """One object of the client."""

    def __init__(self, loop: Loop, value: Any) -> None:
        self._loop = loop
        self._value = value

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._value, name)
        if not inspect.ismethod(attribute):
            return self._loop.bridge(attribute)

        def call(*arguments: Any, **named: Any) -> Any:
            async def inside() -> Any:
                # Channels belong to the loop that opens them, so nothing is called outside of it.
                result = attribute(*arguments, **named)
                return await result if inspect.iscoroutine(result) else result

            return self._loop.bridge(self._loop.run(inside()))

        return call

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return _next(self._loop, self._value)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Iterated:
    """One list, page after page."""

    def __init__(self, loop: Loop, value: AsyncIterator[Any]) -> None:
        self._loop = loop
        self._value = value

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return _next(self._loop, self._value)


def _next(loop: Loop, value: Any) -> Any:
    async def advance() -> Any:
        return await value.__anext__()

    try:
        return loop.run(advance())
    except StopAsyncIteration:
        raise StopIteration from None
