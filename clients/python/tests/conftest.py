from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import haltgate
from support.bridge import Loop
from support.gate import Gate
from support.policy import POLICY

Connect = Callable[..., Any]


@pytest.fixture(scope="session")
def shared_gate() -> Iterator[Gate]:
    """One gate for all tests that only add sessions of their own to it."""
    with Gate(POLICY) as gate:
        yield gate


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A gate that the test may kill."""
    with Gate(POLICY) as gate:
        yield gate


@pytest.fixture(params=["blocking", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Connects with the blocking client, and then with the one for asyncio, which is given the same form."""
    open_clients: list[Any] = []
    if request.param == "blocking":

        def connect_blocking(*arguments: Any, **options: Any) -> Any:
            open_clients.append(haltgate.connect(*arguments, **options))
            return open_clients[-1]

        yield connect_blocking
        for client in open_clients:
            client.close()
        return

    loop = Loop()

    def connect_asyncio(*arguments: Any, **options: Any) -> Any:
        open_clients.append(loop.bridge(haltgate.connect_async(*arguments, **options)))
        return open_clients[-1]

    yield connect_asyncio
    for client in open_clients:
        client.close()
    loop.close()


@pytest.fixture
def client(shared_gate: Gate) -> Iterator[haltgate.Client]:
    with haltgate.connect(shared_gate.address) as client:
        yield client
