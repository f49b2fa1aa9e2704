"""A human at a screen: approves what the sessions of one test ask.

Promises one answer to each question, and that it is gone at the end. Uses the client, as a screen would.
"""

from __future__ import annotations

import threading
from types import TracebackType

from typing_extensions import Self

import haltgate
from haltgate import Escalation, Raised, Scope, ShellCall, SnapshotEnd


class Human:
    def __init__(self, client: haltgate.Client, session_id: str, *, scope: Scope = Scope.ONCE) -> None:
        self._client = client
        self._scope = scope
        self._feed = client.watch_escalations(session_id=session_id)
        self._watching = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.asked: list[str] = []

    def _work(self) -> None:
        for event in self._feed:
            match event:
                case Raised(Escalation() as question):
                    assert isinstance(question.call, ShellCall)
                    self.asked.append(question.call.command)
                    self._client.approve(question.escalation_id, scope=self._scope)
                case SnapshotEnd():
                    self._watching.set()
                case _:
                    pass

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._watching.wait(60)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._feed.close()
        self._thread.join(60)
        assert not self._thread.is_alive()
