"""What was made from the contract, and what was written beside it, say the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import haltgate
from haltgate import _methods, v1, vocabulary
from haltgate.v1 import approval_gate_pb2
from support.gate import Gate
from support.policy import POLICY

HERE = Path(__file__).parent
PACKAGE = HERE.parent


def test_every_method_of_the_service_has_its_types() -> None:
    service = approval_gate_pb2.DESCRIPTOR.services_by_name["ApprovalGate"]
    expected = {
        method.name: (f"/{service.full_name}/{method.name}", method.input_type.name, method.output_type.name)
        for method in service.methods
        # Exports go to files, which the command line writes: `haltgate audit export`.
        if method.name != "ExportAudit"
    }
    methods = [value for value in vars(_methods).values() if isinstance(value, _methods.Method)]
    written = {
        method.name: (method.path, method.request.DESCRIPTOR.name, method.answer.DESCRIPTOR.name) for method in methods
    }
    assert written == expected


@pytest.mark.parametrize("name", vocabulary.__all__)
def test_every_vocabulary_has_the_values_of_the_contract(name: str) -> None:
    kind = getattr(vocabulary, name)
    contract = {value: number for value, number in getattr(v1, name).items() if number != 0}
    assert {value.contract_name: value.number for value in kind} == contract
    assert kind.of_number(0) is None
    assert kind.of_number(9999) is None
    assert all(value == value.value == str(value) and kind.of_number(value.number) is value for value in kind)


def test_nothing_of_the_vocabulary_is_missing_from_the_package() -> None:
    assert set(vocabulary.__all__) - set(haltgate.__all__) == {"GateScope", "ResumeReason"}
    assert sorted(set(haltgate.__all__)) == sorted(haltgate.__all__)
    assert all(hasattr(haltgate, name) for name in haltgate.__all__)


def test_the_version_is_that_of_the_gate() -> None:
    cargo = (PACKAGE / "../../Cargo.toml").read_text(encoding="utf-8")
    gate = re.search(r'^version = "(.+)"$', cargo, re.MULTILINE)
    project = re.search(r'^version = "(.+)"$', (PACKAGE / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert gate is not None
    assert project is not None
    assert gate[1] == project[1] == haltgate.__version__


def test_a_client_of_contract_0_1_still_works() -> None:
    """Messages that were generated when 0.1 was made, in a process of their own, against the gate of today."""
    with Gate(POLICY) as gate:
        done = subprocess.run(
            [sys.executable, "-m", "old_client", gate.address],
            cwd=HERE / "previous",
            env={**os.environ, "PYTHONPATH": str(HERE / "previous")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "messages": str(HERE / "previous/haltgate/v1/decision_pb2.py"),
        "first": ["ACTION_APPROVE", "STAGE_ALLOW_LIST"],
        "asked": "ACTION_ESCALATE",
        "feed": ["raised", "snapshot_end", "answered"],
        "answered": "ESCALATION_STATE_APPROVED",
        "settled": ["ACTION_APPROVE", "STAGE_ESCALATE_ENTRY"],
    }
