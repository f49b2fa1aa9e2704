"""What is asked of the gate, one call after the other, and how: in a thread or in an event loop.

Promises one order of asking for both: the steps are written once, as a generator that yields what it asks and is sent
the decision. Knows nothing of LangChain's messages.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from .. import Action, AsyncSession, Decision, InvalidRequest, RegisteredCall, Session, ShellCall
from ..calls import Call

DEFAULT_SHELL_TOOLS: Mapping[str, str] = {"shell": "command", "bash": "command", "terminal": "commands"}
"""Names under which LangChain's own shell tools are registered, with the argument that holds the command."""

ToCall: TypeAlias = Callable[[str, Mapping[str, Any]], Call]
"""Makes a call for the gate of a tool's name and arguments."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Asked:
    """One question to the gate."""

    call: Call
    request_id: str


Steps: TypeAlias = Generator[Asked, Decision, Result]
"""Questions to the gate, and what comes of the decisions."""


@dataclass(frozen=True)
class Asking:
    """How the gate is asked."""

    run_id: str = ""
    wait: bool = True
    max_wait: float | None = None


def run_steps(session: Session | AsyncSession, steps: Steps[Result], asking: Asking) -> Result:
    """Ask one question after the other, in this thread."""
    if not isinstance(session, Session):
        raise InvalidRequest.of_field("session", "must be a Session where the agent is not run with asyncio")
    try:
        asked = next(steps)
        while True:
            decision = session.decide(
                asked.call,
                run_id=asking.run_id,
                request_id=asked.request_id,
                wait=asking.wait,
                max_wait=asking.max_wait,
            )
            asked = steps.send(decision)
    except StopIteration as done:
        result: Result = done.value
        return result


async def run_steps_async(session: Session | AsyncSession, steps: Steps[Result], asking: Asking) -> Result:
    """Ask one question after the other, without blocking the event loop."""
    try:
        asked = next(steps)
        while True:
            if isinstance(session, AsyncSession):
                decision = await session.decide(
                    asked.call,
                    run_id=asking.run_id,
                    request_id=asked.request_id,
                    wait=asking.wait,
                    max_wait=asking.max_wait,
                )
            else:
                decision = await asyncio.to_thread(
                    session.decide,
                    asked.call,
                    run_id=asking.run_id,
                    request_id=asked.request_id,
                    wait=asking.wait,
                    max_wait=asking.max_wait,
                )
            asked = steps.send(decision)
    except StopIteration as done:
        result: Result = done.value
        return result


def calls_of(shell_tools: Mapping[str, str] | None, to_call: ToCall | None) -> ToCall:
    """Return how a tool call is told to the gate."""
    if to_call is not None:
        return to_call
    commands = DEFAULT_SHELL_TOOLS if shell_tools is None else shell_tools

    def by_name(name: str, arguments: Mapping[str, Any]) -> Call:
        command = arguments.get(commands[name]) if name in commands else None
        if command is None:
            # A shell tool that is given no command, as to restart its shell, is judged as a tool like any other.
            return RegisteredCall(name, arguments)
        lines = [command] if isinstance(command, str) else command
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise InvalidRequest.of_field(f"call.arguments.{commands[name]}", "must be a command")
        return ShellCall("\n".join(lines))

    return by_name


def told_to_model(decision: Decision) -> str:
    """Return what the model is told of a call that was not approved."""
    if decision.action is Action.ESCALATE:
        return "No human has answered yet whether this may run. It did not run: go on with something else."
    return decision.message or "The call was not approved."


def request_id_of(*parts: object) -> str:
    """Return one id for one thing that is asked: asked again, it is the same question and has the same answer."""
    try:
        text = json.dumps(parts, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequest.of_field("call.arguments", f"must be what JSON can hold: {error}") from error
    return "langchain-" + hashlib.sha256(text.encode()).hexdigest()
