from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import haltgate
import pytest
from support.gate import Gate

# Whatever is not named asks a human; reads are approved; one command is always refused; one is an attack.
POLICY: dict[str, Any] = {
    "approvals": {
        "mode": "assisted",
        "allow": [{"type": "shell", "matcher": "exact", "pattern": "git status"}],
        "deny": [{"type": "shell", "matcher": "glob", "pattern": "npm publish*"}],
        "escalate": [{"type": "shell", "matcher": "glob", "pattern": "deploy*"}],
    }
}

ATTACK = "chmod 644 ~/.ssh/id_rsa"


@pytest.fixture(scope="session")
def shared_gate() -> Iterator[Gate]:
    """One gate for all tests that only add sessions of their own to it."""
    with Gate(POLICY) as gate:
        yield gate


@pytest.fixture
def client(shared_gate: Gate) -> Iterator[haltgate.Client]:
    with haltgate.connect(shared_gate.address) as client:
        yield client


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A gate that the test may kill."""
    with Gate(POLICY) as gate:
        yield gate
