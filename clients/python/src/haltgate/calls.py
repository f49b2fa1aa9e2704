"""The four kinds of calls that an agent makes.

Promises that what is judged is what was given: arguments that JSON would change silently are refused. Knows nothing of
decisions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from . import v1 as pb
from .errors import InvalidRequest, UnexpectedAnswer
from .vocabulary import ShellDialect

__all__ = ["Call", "McpToolCall", "RegisteredCall", "ShellCall", "ToolCall"]


@dataclass(frozen=True)
class ShellCall:
    """A shell command, exactly as the model wrote it."""

    command: str
    """1 byte to 1 MiB. Do not trim, quote or expand it."""

    cwd: str = ""
    """Folder that it would run in, absolute. Default: the session's."""

    home: str = ""
    """Home folder of the account that would run it, absolute. Default: the session's."""

    dialect: ShellDialect = ShellDialect.BASH
    """Language of the command."""

    justification: str = ""
    """What the agent says for repeating a refused command."""


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool of the agent itself."""

    name: str
    """Name of the tool."""

    arguments: Mapping[str, Any] | None = None
    """Arguments of the call: what JSON can hold. Default: none."""

    cwd: str = ""
    """Folder that relative paths start from, absolute. Default: the session's."""

    home: str = ""
    """Home folder that ``~`` stands for, absolute. Default: the session's."""

    justification: str = ""
    """What the agent says for it; shown to the human, without effect on the decision."""


@dataclass(frozen=True)
class McpToolCall:
    """A call of an MCP server's tool."""

    server: str
    """Key that the server is configured under."""

    name: str
    """Name of the tool at that server, without the server's key."""

    arguments: Mapping[str, Any] | None = None
    """Arguments of the call: what JSON can hold. Default: none."""

    cwd: str = ""
    """Folder that relative paths start from, absolute. Default: the session's."""

    home: str = ""
    """Home folder that ``~`` stands for, absolute. Default: the session's."""

    justification: str = ""
    """What the agent says for it; shown to the human, without effect on the decision."""


@dataclass(frozen=True)
class RegisteredCall:
    """A call of a tool by the one name that the agent registered it under: ``mcp__jira__create_issue``."""

    name: str
    """Name that the tool is registered under."""

    arguments: Mapping[str, Any] | None = None
    """Arguments of the call: what JSON can hold. Default: none."""

    cwd: str = ""
    """Folder that relative paths start from, absolute. Default: the session's."""

    home: str = ""
    """Home folder that ``~`` stands for, absolute. Default: the session's."""

    justification: str = ""
    """What the agent says for it; shown to the human, without effect on the decision."""


Call: TypeAlias = ShellCall | ToolCall | McpToolCall | RegisteredCall
"""What an agent wants to do."""


def write_call(call: Call) -> pb.Call:
    """Return a call as the contract has it."""
    try:
        match call:
            case ShellCall():
                shell = pb.ShellCall(
                    command=call.command,
                    cwd=call.cwd,
                    home=call.home,
                    dialect=call.dialect.contract_name,
                    justification=call.justification,
                )
                return pb.Call(shell=shell)
            case ToolCall():
                tool = pb.ToolCall(
                    name=call.name,
                    arguments_json=_arguments_text(call.arguments),
                    cwd=call.cwd,
                    home=call.home,
                    justification=call.justification,
                )
                return pb.Call(tool=tool)
            case McpToolCall():
                mcp_tool = pb.McpToolCall(
                    server=call.server,
                    name=call.name,
                    arguments_json=_arguments_text(call.arguments),
                    cwd=call.cwd,
                    home=call.home,
                    justification=call.justification,
                )
                return pb.Call(mcp_tool=mcp_tool)
            case RegisteredCall():
                registered = pb.RegisteredCall(
                    name=call.name,
                    arguments_json=_arguments_text(call.arguments),
                    cwd=call.cwd,
                    home=call.home,
                    justification=call.justification,
                )
                return pb.Call(registered=registered)
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidRequest):
            raise
        # A lone surrogate, or something that is no text.
        raise InvalidRequest.of_field("call", f"must hold UTF-8 text: {error}") from error


def read_call(message: pb.Call) -> Call:
    """Return a call that the gate tells of. Arguments that are no JSON object are left out."""
    match message.WhichOneof("kind"):
        case "shell":
            shell = message.shell
            dialect = ShellDialect.of_number(shell.dialect) or ShellDialect.BASH
            return ShellCall(shell.command, shell.cwd, shell.home, dialect, shell.justification)
        case "tool":
            tool = message.tool
            arguments = _arguments(tool.arguments_json)
            return ToolCall(tool.name, arguments, tool.cwd, tool.home, tool.justification)
        case "mcp_tool":
            mcp = message.mcp_tool
            arguments = _arguments(mcp.arguments_json)
            return McpToolCall(mcp.server, mcp.name, arguments, mcp.cwd, mcp.home, mcp.justification)
        case "registered":
            named = message.registered
            arguments = _arguments(named.arguments_json)
            return RegisteredCall(named.name, arguments, named.cwd, named.home, named.justification)
        case _:
            raise UnexpectedAnswer("the gate's answer has a call of a kind that this client does not know")


def _arguments_text(arguments: Mapping[str, Any] | None) -> str:
    if not arguments:
        return ""
    field = "call.arguments"
    if not isinstance(arguments, Mapping):
        raise InvalidRequest.of_field(field, "must be a mapping")
    try:
        # JSON makes text of every key, and two keys may become one: what is judged would not be what runs.
        _only_text_keys(arguments)
        return json.dumps(arguments, ensure_ascii=False, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidRequest):
            raise
        raise InvalidRequest.of_field(field, f"must be what JSON can hold: {error}") from error


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not")


def _only_text_keys(arguments: Mapping[str, Any]) -> None:
    open_values: list[object] = [arguments]
    seen = 0
    while open_values:
        value = open_values.pop()
        seen += 1
        if seen > MAX_VALUES:
            raise InvalidRequest.of_field("call.arguments", f"must hold at most {MAX_VALUES} values")
        if isinstance(value, Mapping):
            for key, item in value.items():
                if not isinstance(key, str):
                    description = f"must have text as keys, not {type(key).__name__}"
                    raise InvalidRequest.of_field("call.arguments", description)
                open_values.append(item)
        elif isinstance(value, list | tuple):
            open_values.extend(value)


MAX_VALUES = 1 << 20
"""More values do not fit into the 1 MiB that arguments may have; it also ends a list that holds itself."""


def _arguments(text: str) -> Mapping[str, Any] | None:
    if not text:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
