"""The scenarios that every client runs, with both clients."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Connect
from support.conformance import Scenario, differs

FOLDER = Path(__file__).parents[3] / "tests/conformance"
FILES = sorted(file for file in FOLDER.glob("*.json") if file.name != "schema.json")


def test_there_are_scenarios() -> None:
    assert FILES


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_client_keeps_the_promise(connect: Connect, file: Path) -> None:
    Scenario(json.loads(file.read_text(encoding="utf-8")), connect).run()


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"a": 1}, {"a": 1, "b": 2}),
        ([{"a": None}], [{"b": 1}]),
        (None, ""),
        ("$present", 0),
        ({"$contains": "b"}, "abc"),
        ({"$contains": "b"}, ["a", "b"]),
    ],
)
def test_what_matches(expected: object, found: object) -> None:
    assert differs(expected, found) is None


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {}),
        ([1], [1, 2]),
        ([1, 2], [2, 1]),
        (None, "x"),
        ("$present", ""),
        ("$present", None),
        ({"$contains": "d"}, "abc"),
        ({"$contains": "a"}, None),
        (True, 1),
        (0, False),
        ("APPROVE", "REJECT"),
    ],
)
def test_what_does_not_match(expected: object, found: object) -> None:
    assert differs(expected, found) is not None
