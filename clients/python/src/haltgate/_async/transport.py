"""gRPC for asyncio.

Promises that an answer comes in time or an RpcError does, and that closing ends what waits. Knows nothing of what is
asked.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic

import grpc
import grpc.aio

from .._methods import GET_SERVER_INFO, Answer, Method, Request
from ..errors import GateUnavailable

if TYPE_CHECKING:
    from .._target import Connection


CLOSED = "the client was closed"


class Silence(Exception):
    """No message came for too long."""


class AsyncTransport:
    """A channel, opened when it is first needed: it belongs to the event loop that needs it."""

    def __init__(self, connection: Connection) -> None:
        """Plan a channel."""
        self._connection = connection
        self._channel: grpc.aio.Channel | None = None
        self._calls: dict[str, Any] = {}
        self._closed = False

    async def unary(self, method: Method[Request, Answer], request: Request, timeout: float) -> Answer:
        """Send one request and return its answer."""
        if method.name not in self._calls:
            self._calls[method.name] = self._open().unary_unary(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.answer.FromString,
            )
        call = self._calls[method.name]
        try:
            answer: Answer = await call(request, timeout=timeout, metadata=tuple(self._connection.metadata))
        except asyncio.CancelledError as error:
            # gRPC says so when the channel was closed, too: then nobody cancelled the task that waits.
            if self._closed and not _is_cancelled():
                raise GateUnavailable(CLOSED) from error
            raise
        return answer

    def stream(self, method: Method[Request, Answer], request: Request) -> AsyncStream[Answer]:
        """Open a stream of answers."""
        call = self._open().unary_stream(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.answer.FromString,
        )
        return AsyncStream(call(request, metadata=tuple(self._connection.metadata)))

    async def reconnect(self, patience: float) -> None:
        """Wait until the channel is connected again, for so many seconds at most.

        Some versions of gRPC connect only while a call waits for it, and one that fails at once does not. So one is
        made that waits, and nothing is made of its answer.
        """
        if patience <= 0:
            return
        call: Any = self._open().unary_unary(
            GET_SERVER_INFO.path,
            request_serializer=GET_SERVER_INFO.request.SerializeToString,
            response_deserializer=GET_SERVER_INFO.answer.FromString,
        )
        metadata = tuple(self._connection.metadata)
        try:
            await call(GET_SERVER_INFO.request(), timeout=patience, metadata=metadata, wait_for_ready=True)
        except grpc.RpcError:
            return
        except asyncio.CancelledError as error:
            if self._closed and not _is_cancelled():
                raise GateUnavailable(CLOSED) from error
            raise

    async def close(self) -> None:
        """Close the channel and end what waits on it."""
        self._closed = True
        channel, self._channel = self._channel, None
        self._calls.clear()
        if channel is not None:
            await channel.close()

    def _open(self) -> grpc.aio.Channel:
        if self._closed:
            raise GateUnavailable(CLOSED)
        if self._channel is None:
            address, options = self._connection.target.address, self._connection.options()
            if self._connection.credentials is None:
                self._channel = grpc.aio.insecure_channel(address, options=options)
            else:
                self._channel = grpc.aio.secure_channel(address, self._connection.credentials, options=options)
        return self._channel


class AsyncStream(Generic[Answer]):
    """Answers that come one after the other."""

    def __init__(self, call: Any) -> None:
        """Read from a call."""
        self._call = call
        self._ended = False

    async def read(self, patience: float) -> Answer | None:
        """Return the next answer; None when the server ended the stream. Silence beyond the patience is an error."""
        try:
            message: Any = await asyncio.wait_for(self._call.read(), patience)
        except asyncio.TimeoutError as error:
            raise Silence(f"no message for {patience:.0f} seconds") from error
        except asyncio.CancelledError:
            # gRPC says so when the stream was ended here, too: then nobody cancelled the task that reads.
            if self._ended:
                return None
            raise
        if message is grpc.aio.EOF:
            return None
        answer: Answer = message
        return answer

    def cancel(self) -> None:
        """End the stream."""
        self._ended = True
        self._call.cancel()


class AsyncPause:
    """A pause that can be ended early, for good."""

    def __init__(self) -> None:
        """Begin without a pause."""
        self._over = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Wait for so many seconds, or until the pause is ended."""
        if seconds <= 0:
            return
        try:
            await asyncio.wait_for(self._over.wait(), seconds)
        except asyncio.TimeoutError:
            return

    def end(self) -> None:
        """End this pause and every later one."""
        self._over.set()


def _is_cancelled() -> bool:
    """Whether somebody cancelled the task that runs, as far as this version of Python can tell."""
    cancelling = getattr(asyncio.current_task(), "cancelling", None)
    return bool(cancelling and cancelling())


async def async_sleep(seconds: float) -> None:
    """Wait for so many seconds."""
    await asyncio.sleep(seconds)
