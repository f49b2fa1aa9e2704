"""gRPC for threads.

Promises that an answer comes in time or an RpcError does, and that closing ends what waits. Knows nothing of what is
asked.
"""

from __future__ import annotations

import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Generic

import grpc

from .._methods import GET_SERVER_INFO, Answer, Method, Request
from ..errors import GateUnavailable

if TYPE_CHECKING:
    from .._target import Connection


CLOSED = "the client was closed"


class Silence(Exception):
    """No message came for too long."""


class Transport:
    """A channel, opened when it is first needed. Threads may share it."""

    def __init__(self, connection: Connection) -> None:
        """Plan a channel."""
        self._connection = connection
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None
        self._closed = False

    def unary(self, method: Method[Request, Answer], request: Request, timeout: float) -> Answer:
        """Send one request and return its answer."""
        call = self._open().unary_unary(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.answer.FromString,
        )
        try:
            answer: Answer = call(request, timeout=timeout, metadata=tuple(self._connection.metadata))
        except ValueError as error:
            # gRPC says so when the channel was closed by another thread, between being opened and being used.
            if self._closed:
                raise GateUnavailable(CLOSED) from error
            raise
        return answer

    def stream(self, method: Method[Request, Answer], request: Request) -> Stream[Answer]:
        """Open a stream of answers."""
        call = self._open().unary_stream(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.answer.FromString,
        )
        try:
            return Stream(call(request, metadata=tuple(self._connection.metadata)))
        except ValueError as error:
            if self._closed:
                raise GateUnavailable(CLOSED) from error
            raise

    def reconnect(self, patience: float) -> None:
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
            call(GET_SERVER_INFO.request(), timeout=patience, metadata=metadata, wait_for_ready=True)
        except grpc.RpcError:
            return
        except ValueError as error:
            if self._closed:
                raise GateUnavailable(CLOSED) from error
            raise

    def close(self) -> None:
        """Close the channel and end what waits on it."""
        with self._lock:
            self._closed = True
            channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def _open(self) -> grpc.Channel:
        with self._lock:
            if self._closed:
                raise GateUnavailable(CLOSED)
            if self._channel is None:
                address, options = self._connection.target.address, self._connection.options()
                if self._connection.credentials is None:
                    self._channel = grpc.insecure_channel(address, options=options)
                else:
                    self._channel = grpc.secure_channel(address, self._connection.credentials, options=options)
            return self._channel


class Stream(Generic[Answer]):
    """Answers that come one after the other."""

    def __init__(self, call: Any) -> None:
        """Read from a call."""
        self._call = call
        self._watchdog = _Watchdog(call)

    def read(self, patience: float) -> Answer | None:
        """Return the next answer; None when the server ended the stream. Silence beyond the patience is an error."""
        self._watchdog.expect(patience)
        try:
            answer: Answer = next(self._call)
        except StopIteration:
            self._watchdog.stop()
            return None
        except grpc.RpcError as error:
            self._watchdog.stop()
            if self._watchdog.barked:
                raise Silence(f"no message for {patience:.0f} seconds") from error
            raise
        self._watchdog.rest()
        return answer

    def cancel(self) -> None:
        """End the stream."""
        self._watchdog.stop()
        self._call.cancel()


class _Watchdog:
    """Cancels a call that is silent for too long. A call that nobody holds any more is left to end by itself."""

    def __init__(self, call: Any) -> None:
        self._call = weakref.ref(call)
        self._changed = threading.Condition()
        self._until: float | None = None
        self._stopped = False
        self._thread: threading.Thread | None = None
        self.barked = False

    def expect(self, patience: float) -> None:
        """Bark unless somebody says otherwise within so many seconds."""
        with self._changed:
            self._until = time.monotonic() + patience
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="haltgate-watchdog", daemon=True)
                self._thread.start()
            self._changed.notify()

    def rest(self) -> None:
        """Expect nothing for now: the caller is busy with what it got."""
        with self._changed:
            self._until = None

    def stop(self) -> None:
        """Never bark again."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while not self._stopped and self._call() is not None:
                now = time.monotonic()
                if self._until is not None and now >= self._until:
                    self.barked = True
                    break
                # Now and then it looks whether the call is still held.
                self._changed.wait(60.0 if self._until is None else self._until - now)
        call = self._call()
        if self.barked and call is not None:
            call.cancel()


class Pause:
    """A pause that can be ended early, for good."""

    def __init__(self) -> None:
        """Begin without a pause."""
        self._over = threading.Event()

    def wait(self, seconds: float) -> None:
        """Wait for so many seconds, or until the pause is ended."""
        self._over.wait(seconds)

    def end(self) -> None:
        """End this pause and every later one."""
        self._over.set()


def sleep(seconds: float) -> None:
    """Wait for so many seconds."""
    time.sleep(seconds)
