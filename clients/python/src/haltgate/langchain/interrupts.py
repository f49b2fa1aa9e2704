"""Answering the interrupts of LangChain's HumanInTheLoopMiddleware with the gate's decisions.

Promises one answer for each pending call, decided in their order, or an error and no answer at all. Runs no graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from langgraph.types import Interrupt

from .. import AsyncSession, Decision, GateError, InvalidRequest, Session
from .._read import seconds
from .._requests import new_id
from .steps import (
    Asked,
    Asking,
    Steps,
    ToCall,
    calls_of,
    request_id_of,
    run_steps,
    run_steps_async,
    told_to_model,
)


class DecisionNotAllowed(GateError):
    """The gate's decision is one that the interrupt does not let anybody give: nothing is resumed."""

    def __init__(self, tool: str, decision: Decision, allowed: Sequence[str]) -> None:
        """Say what would have been answered."""
        super().__init__(f"the gate says {decision.action} to {tool}, and only {', '.join(allowed)} may be answered")
        self.decision = decision


class InterruptGate:
    """Answers interrupts with the decisions of a gate.

    The calls of a turn are decided in order, so that what a human grants at one counts for the next. A call that the
    gate wants a human for waits for them. A halted run raises AttackHalted, a session where nobody can be asked
    Unattended; then nothing is resumed, and the calls before it do not run either.
    """

    def __init__(
        self,
        session: Session | AsyncSession,
        *,
        run_id: str = "",
        max_wait: float | timedelta | None = None,
        shell_tools: Mapping[str, str] | None = None,
        to_call: ToCall | None = None,
    ) -> None:
        """Answer for a session.

        Args:
            session: session that decides. With an AsyncSession, use :meth:`adecide` and :meth:`aresume`.
            run_id: run that the calls belong to.
            max_wait: seconds to wait for a human. Default: until there is an answer. Over, the call counts as rejected.
            shell_tools: names of shell tools, with the argument that holds the command. Default: DEFAULT_SHELL_TOOLS.
            to_call: makes the gate's call of a tool's name and arguments, in place of ``shell_tools``.
        """
        self._session = session
        self._asking = Asking(run_id, max_wait=None if max_wait is None else seconds(max_wait, "max_wait"))
        self._to_call = calls_of(shell_tools, to_call)

    def decide(self, interrupt: object) -> dict[str, Any]:
        """Return what to resume one interrupt with: ``Command(resume=gate.decide(interrupt))``.

        Args:
            interrupt: a LangGraph ``Interrupt``, or the request that is its value.
        """
        return run_steps(self._session, self._steps(interrupt), self._asking)

    async def adecide(self, interrupt: object) -> dict[str, Any]:
        """Return what to resume one interrupt with, without blocking the event loop. See :meth:`decide`."""
        return await run_steps_async(self._session, self._steps(interrupt), self._asking)

    def resume(self, interrupts: Iterable[Any]) -> dict[str, Any]:
        """Return what to resume all interrupts of a pause with: ``Command(resume=gate.resume(interrupts))``.

        Args:
            interrupts: the LangGraph ``Interrupt`` objects, as in ``result["__interrupt__"]``.
        """
        return run_steps(self._session, self._all_steps(interrupts), self._asking)

    async def aresume(self, interrupts: Iterable[Any]) -> dict[str, Any]:
        """Return what to resume all interrupts with, without blocking the event loop. See :meth:`resume`."""
        return await run_steps_async(self._session, self._all_steps(interrupts), self._asking)

    def _all_steps(self, interrupts: Iterable[Any]) -> Steps[dict[str, Any]]:
        answers = {}
        for interrupt in interrupts:
            answers[interrupt.id] = yield from self._steps(interrupt)
        return answers

    def _steps(self, interrupt: object) -> Steps[dict[str, Any]]:
        request = getattr(interrupt, "value", interrupt)
        # The same interrupt is the same question, also when whoever answers it was restarted in between. One that no
        # graph made has no id of its own.
        origin = new_id()
        if isinstance(interrupt, Interrupt) and interrupt.id != Interrupt(None).id:
            origin = interrupt.id
        if not isinstance(request, Mapping):
            raise InvalidRequest.of_field("interrupt", "must be one of HumanInTheLoopMiddleware")
        if request.get("type") == "tool_approval":
            schema = getattr(interrupt, "response_schema", None)
            return (yield from self._step(origin, 0, request, _allowed_by_schema(schema)))
        actions = request.get("action_requests")
        if not isinstance(actions, Sequence):
            raise InvalidRequest.of_field("interrupt", "must have action_requests: HumanInTheLoopMiddleware makes them")
        allowed = _allowed_by_configs(request.get("review_configs") or ())
        decisions = []
        for position, action in enumerate(actions):
            decisions.append((yield from self._step(origin, position, action, allowed.get(_named(action)[0]))))
        return {"decisions": decisions}

    def _step(self, origin: str, position: int, action: object, allowed: Sequence[str] | None) -> Steps[dict[str, Any]]:
        name, arguments = _named(action)
        decision = yield Asked(self._to_call(name, arguments), request_id_of(origin, position, name, arguments))
        answer = _answer(decision)
        if allowed is not None and answer["type"] not in allowed:
            raise DecisionNotAllowed(name, decision, allowed)
        return answer


def _named(action: object) -> tuple[str, Mapping[str, Any]]:
    """Return the name and the arguments of a call that waits."""
    name, arguments = (action.get("name"), action.get("args")) if isinstance(action, Mapping) else (None, None)
    if not isinstance(name, str) or not isinstance(arguments, Mapping):
        raise InvalidRequest.of_field("interrupt.action_requests", "must each have a name and args")
    return name, arguments


def _answer(decision: Decision) -> dict[str, Any]:
    if decision.approved:
        return {"type": "approve"}
    return {"type": "reject", "message": told_to_model(decision)}


def _allowed_by_configs(configs: Iterable[Mapping[str, Any]]) -> dict[str, Sequence[str]]:
    return {config["action_name"]: config["allowed_decisions"] for config in configs}


def _allowed_by_schema(schema: object) -> Sequence[str] | None:
    """Return the decisions that a schema for one answer lets through; None where it does not say."""
    if not isinstance(schema, Mapping):
        return None
    mapping = schema.get("discriminator", {}).get("mapping")
    if isinstance(mapping, Mapping):
        return list(mapping)
    only = schema.get("properties", {}).get("type", {}).get("const")
    return [only] if isinstance(only, str) else None
