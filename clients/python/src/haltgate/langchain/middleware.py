"""A middleware that asks the gate before a tool runs.

Promises that all calls of a turn are decided, in their order, before the first of them runs, and that what runs is
exactly what was approved: each call is asked about again, under the same request_id, when its tool is about to run.
Knows nothing of the interrupts of others.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from typing_extensions import NotRequired

from .. import Action, AsyncClient, AsyncSession, Client, Decision, InvalidRequest, Session
from .._read import seconds
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

if TYPE_CHECKING:
    from langchain.agents.middleware.types import ToolCallRequest

    Middleware = AgentMiddleware["GateState", Any, Any]
else:
    # The first versions take two types, and later ones three.
    Middleware = AgentMiddleware


class GateState(AgentState[Any]):
    """What the middleware keeps with the agent's state."""

    haltgate_run_id: NotRequired[Annotated[str, PrivateStateAttr]]
    """The run that is under way: one for each time the agent is invoked."""


class GateMiddleware(Middleware):
    """Lets no tool run that the gate did not approve.

    What the gate rejects, the model is told, and the agent goes on. A run that is halted ends with AttackHalted and one
    that needs a human where none can be asked with Unattended; no tool of that turn runs then. Every other trouble is a
    GateError and ends the run, too.

    Put it last in the list of middleware: it then sees what really runs, after whatever the others changed.
    """

    state_schema = GateState

    def __init__(
        self,
        gate: Session | AsyncSession | Client | AsyncClient,
        *,
        run_id: str | None = None,
        max_wait: float | timedelta | None = None,
        pause: bool = False,
        shell_tools: Mapping[str, str] | None = None,
        to_call: ToCall | None = None,
    ) -> None:
        """Ask a gate.

        Args:
            gate: a session; or a client, and then each LangGraph thread is a session of its own: its ``thread_id``.
                Agents that are invoked without asyncio need a Session or a Client.
            run_id: run that the calls belong to. Default: each invocation of the agent is a run.
            max_wait: seconds to wait for a human. Default: until there is an answer. Over, the model is told that
                nobody has answered.
            pause: instead of waiting, interrupt the graph where a human is asked, so that nothing has to keep running
                meanwhile. Resume it, with any value, when the question may have been answered: the answer is picked
                up, or the graph is interrupted again. Needs a checkpointer.
            shell_tools: names of shell tools, with the argument that holds the command. Default: DEFAULT_SHELL_TOOLS.
            to_call: makes the gate's call of a tool's name and arguments, in place of ``shell_tools``.
        """
        super().__init__()
        if pause and max_wait is not None:
            raise InvalidRequest.of_field(
                "max_wait", "must be left out where the graph is interrupted: nothing waits then"
            )
        self._gate = gate
        self._run_id = run_id
        self._pause = pause
        self._max_wait = None if max_wait is None else seconds(max_wait, "max_wait")
        self._to_call = calls_of(shell_tools, to_call)

    def before_agent(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Begin a run."""
        return {"haltgate_run_id": str(uuid.uuid4())}

    async def abefore_agent(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Begin a run."""
        return self.before_agent(state, runtime)

    def after_model(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Decide every call of the turn before any of them runs."""
        return run_steps(self._session(), self._turn(state), self._asking(state))

    async def aafter_model(self, state: GateState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Decide every call of the turn before any of them runs."""
        return await run_steps_async(self._session(), self._turn(state), self._asking(state))

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Run a tool if the gate approved this very call."""
        decision = run_steps(self._session(), self._about_to_run(request), self._asking(request.state))
        if not decision.approved:
            return _told(request.tool_call, decision)
        return handler(request)

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Run a tool if the gate approved this very call."""
        decision = await run_steps_async(self._session(), self._about_to_run(request), self._asking(request.state))
        if not decision.approved:
            return _told(request.tool_call, decision)
        return await handler(request)

    def _turn(self, state: GateState) -> Steps[dict[str, Any] | None]:
        message = _last_turn(state)
        if message is None:
            return None
        answered = {told.tool_call_id for told in state["messages"] if isinstance(told, ToolMessage)}
        ids = [call["id"] for call in message.tool_calls]
        if None in ids or len(set(ids)) < len(ids):
            raise InvalidRequest.of_field("tool_calls", "must each have an id of their own")
        refusals = []
        for call in message.tool_calls:
            if call["id"] in answered:
                continue
            decision = yield from self._decided(message, call)
            if not decision.approved:
                refusals.append(_told(call, decision))
        return {"messages": refusals} if refusals else None

    def _about_to_run(self, request: ToolCallRequest) -> Steps[Decision]:
        message = _last_turn(request.state)
        if message is None:
            raise InvalidRequest.of_field("tool_call", "must belong to the last message of the model")
        return (yield from self._decided(message, request.tool_call))

    def _decided(self, message: AIMessage, call: ToolCall) -> Steps[Decision]:
        asked = self._asked(message, call)
        decision = yield asked
        while self._pause and decision.action is Action.ESCALATE:
            # Resumed, the node begins again, and what was decided before is decided the same way.
            interrupt(_waits(call, decision))
            decision = yield asked
        return decision

    def _asked(self, message: AIMessage, call: ToolCall) -> Asked:
        # The model's message makes the id its own: a later call that looks the same is another question. So is the same
        # call with other arguments.
        origin = message.id or str(uuid.uuid4())
        request_id = request_id_of(origin, call["id"], call["name"], call["args"])
        return Asked(self._to_call(call["name"], call["args"]), request_id)

    def _asking(self, state: Mapping[str, Any] | Any) -> Asking:
        run_id = self._run_id
        if run_id is None:
            run_id = state.get("haltgate_run_id", "") if isinstance(state, Mapping) else ""
        return Asking(run_id, wait=not self._pause, max_wait=self._max_wait)

    def _session(self) -> Session | AsyncSession:
        if isinstance(self._gate, Session | AsyncSession):
            return self._gate
        thread_id = get_config().get("configurable", {}).get("thread_id")
        if not thread_id:
            description = 'must be in the configuration, as in {"configurable": {"thread_id": "…"}}, or give a session'
            raise InvalidRequest.of_field("thread_id", description)
        return self._gate.session(str(thread_id))


def _last_turn(state: Mapping[str, Any] | Any) -> AIMessage | None:
    """Return the model's last message, if it calls tools."""
    messages = state["messages"] if isinstance(state, Mapping) else ()
    last = next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)
    return last if last is not None and last.tool_calls else None


def _waits(call: ToolCall, decision: Decision) -> dict[str, Any]:
    """Return what the graph is interrupted with."""
    return {
        "type": "haltgate",
        "tool": call["name"],
        "message": decision.message,
        "decision_id": decision.decision_id,
        "escalation_id": decision.escalation_id,
        "halt_id": decision.halt_id,
        "session_id": decision.session_id,
    }


def _told(call: ToolCall, decision: Decision) -> ToolMessage:
    """Return what the model is told in place of the tool's result."""
    return ToolMessage(
        content=told_to_model(decision),
        name=call["name"],
        tool_call_id=call["id"],
        status="error",
    )
