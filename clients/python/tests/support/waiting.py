"""Waiting for what another thread or process does. Promises an end; knows nothing of what is waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0


class Background:
    """Something that goes on in a thread."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._result: Any = None
        self._error: BaseException | None = None

        def run() -> None:
            try:
                self._result = work()
            except BaseException as error:  # noqa: BLE001
                self._error = error

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def result(self) -> Any:
        self._thread.join(PATIENCE)
        assert self.done, "it did not end"
        if self._error is not None:
            raise self._error
        return self._result


def in_background(work: Callable[[], Any]) -> Background:
    return Background(work)


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends, "it never held"
        time.sleep(0.02)
