"""What may be given to a call: what is judged must be what runs."""

from __future__ import annotations

import json
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import pytest

import haltgate
from haltgate.calls import read_call, write_call


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def holding_itself() -> dict[str, Any]:
    value: list[Any] = []
    value.append(value)
    return {"a": value}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (None, ""),
        ({}, ""),
        ({"a": "ä €", "b": [1, 2.5, None, True]}, '{"a": "ä €", "b": [1, 2.5, null, true]}'),
        ({"a": (1, {"b": []})}, '{"a": [1, {"b": []}]}'),
        (OrderedDict(a=MappingProxyType({"b": 1})), '{"a": {"b": 1}}'),
    ],
)
def test_arguments_are_sent_as_json(arguments: Any, text: str) -> None:
    assert write_call(haltgate.ToolCall("t", arguments)).tool.arguments_json == text


@pytest.mark.parametrize(
    "arguments",
    [
        {1: "a", "1": "b"},
        {"a": [{None: 1}]},
        {"a": MappingProxyType({True: 1})},
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": object()},
        {"a": {1, 2}},
        {"a": b"bytes"},
        {"a": "\ud800"},
        {"\ud800": 1},
        nested(100_000),
        holding_itself(),
        [("a", 1)],
        "{}",
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_what_json_cannot_hold_or_would_change_is_refused(arguments: Any) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        write_call(haltgate.ToolCall("t", arguments))
    assert refused.value.violations[0].field.startswith("call")


@pytest.mark.parametrize("command", ["\ud800", 7, b"\xff"])
def test_a_command_that_is_no_text_is_refused(command: Any) -> None:
    with pytest.raises(haltgate.InvalidRequest):
        write_call(haltgate.ShellCall(command))


@pytest.mark.parametrize(
    "options",
    [
        {"max_wait": "soon"},
        {"max_wait": -1},
        {"max_wait": float("nan")},
        {"run_id": 7},
        {"request_id": b"\xff"},
        {"dry_run": "yes"},
    ],
)
def test_options_of_a_wrong_type_are_refused_before_anything_is_sent(options: dict[str, Any]) -> None:
    with haltgate.connect("127.0.0.1:1") as client, pytest.raises(haltgate.InvalidRequest):
        client.session("s").decide_shell("ls", **options)


CALLS = [
    haltgate.ShellCall("ls", "/work", "/home/me", haltgate.ShellDialect.POWERSHELL, "because"),
    haltgate.ToolCall("t", {"a": 1}, "/work", "/home/me", "because"),
    haltgate.McpToolCall("jira", "t", {"a": 1}, "/work", "/home/me", "because"),
    haltgate.RegisteredCall("mcp__jira__t", {"a": 1}, "/work", "/home/me", "because"),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: type(call).__name__)
def test_a_call_is_read_back_as_it_was_written(call: haltgate.Call) -> None:
    assert read_call(write_call(call)) == call


@pytest.mark.parametrize("text", ["[]", "{", "3", "[" * 100_000])
def test_arguments_of_others_that_are_no_object_are_left_out(text: str) -> None:
    message = write_call(haltgate.ToolCall("t"))
    message.tool.arguments_json = text
    read = read_call(message)
    assert isinstance(read, haltgate.ToolCall)
    assert read.arguments is None


def test_arguments_may_be_large() -> None:
    arguments = {"lines": ["x" * 10] * 50_000}
    assert json.loads(write_call(haltgate.ToolCall("t", arguments)).tool.arguments_json) == arguments
