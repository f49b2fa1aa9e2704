"""The adapter, with real agents of LangChain and a model that says what the test wrote down for it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, Interrupt

import haltgate
from haltgate import Scope
from haltgate.langchain import DecisionNotAllowed, GateMiddleware, InterruptGate
from support.gate import Gate
from support.human import Human
from support.policy import ATTACK, REJECTED

ran: list[str] = []


@tool
def shell(command: str) -> str:
    """Run a shell command."""
    ran.append(command)
    return f"ran {command}"


@tool
def look_up(topic: str) -> str:
    """Look something up."""
    ran.append(f"look up {topic}")
    return f"about {topic}"


class Scripted(GenericFakeChatModel):
    """A model that knows its lines, and takes tools without using what it is told of them."""

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Scripted:
        return self


def turn(*calls: tuple[str, dict[str, Any]], message_id: str | None = None) -> AIMessage:
    tool_calls = [
        {"name": name, "args": arguments, "id": f"call-{position}", "type": "tool_call"}
        for position, (name, arguments) in enumerate(calls)
    ]
    return AIMessage(content="", tool_calls=tool_calls, id=message_id)


def commands(*texts: str) -> AIMessage:
    return turn(*(("shell", {"command": text}) for text in texts))


def told(messages: Sequence[BaseMessage]) -> list[tuple[str, str]]:
    """What the model was told of its calls, in the order of the calls."""
    answers = [message for message in messages if isinstance(message, ToolMessage)]
    answers.sort(key=lambda message: message.tool_call_id)
    return [(message.status, str(message.content)) for message in answers]


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    ran.clear()


@pytest.fixture
def session(client: haltgate.Client) -> haltgate.Session:
    return client.open_session(cwd="/work", home="/home/me")


def agent(middleware: Any, *script: AIMessage, saved: bool = False) -> Any:
    model = Scripted(messages=iter([*script, AIMessage(content="done")]))
    checkpointer = InMemorySaver() if saved else None
    return create_agent(model, [shell, look_up], middleware=[middleware], checkpointer=checkpointer)


def config() -> dict[str, Any]:
    return {"configurable": {"thread_id": str(uuid.uuid4())}}


ASK = {"messages": [HumanMessage("go")]}


class TestGateMiddleware:
    def test_what_is_approved_runs_and_what_is_rejected_is_told_to_the_model(self, session: haltgate.Session) -> None:
        result = agent(GateMiddleware(session), commands("git status", "npm publish")).invoke(ASK)
        assert ran == ["git status"]
        (first, second) = told(result["messages"])
        assert first == ("success", "ran git status")
        assert second[0] == "error"
        assert "deny list" in second[1]
        assert result["messages"][-1].content == "done"

    def test_a_rejected_call_does_not_get_as_far_as_the_tools(self, session: haltgate.Session) -> None:
        steps = agent(GateMiddleware(session), commands(REJECTED, REJECTED)).stream(ASK, stream_mode="updates")
        assert "tools" not in [name for step in steps for name in step]

    def test_it_works_the_same_with_asyncio(self, shared_gate: Gate) -> None:
        async def run() -> Any:
            async with haltgate.connect_async(shared_gate.address) as client:
                session = await client.open_session(cwd="/work", home="/home/me")
                script = commands("git status", "npm publish")
                return await agent(GateMiddleware(session), script).ainvoke(ASK)

        result = asyncio.run(run())
        assert ran == ["git status"]
        assert [status for status, _ in told(result["messages"])] == ["success", "error"]

    def test_an_agent_with_asyncio_may_use_a_blocking_session(self, session: haltgate.Session) -> None:
        result = asyncio.run(agent(GateMiddleware(session), commands("git status")).ainvoke(ASK))
        assert ran == ["git status"]
        assert [status for status, _ in told(result["messages"])] == ["success"]

    def test_an_attack_ends_the_run_before_any_call_of_its_turn_ran(self, session: haltgate.Session) -> None:
        with pytest.raises(haltgate.AttackHalted):
            agent(GateMiddleware(session), commands("git status", ATTACK, "git status")).invoke(ASK)
        assert ran == []

    def test_the_next_invocation_is_another_run(self, session: haltgate.Session) -> None:
        with pytest.raises(haltgate.AttackHalted):
            agent(GateMiddleware(session), commands(ATTACK)).invoke(ASK)
        agent(GateMiddleware(session), commands("git status")).invoke(ASK)
        assert ran == ["git status"]

    def test_a_run_that_the_caller_names_stays_halted(self, session: haltgate.Session) -> None:
        with pytest.raises(haltgate.AttackHalted):
            agent(GateMiddleware(session, run_id="nightly"), commands(ATTACK)).invoke(ASK)
        with pytest.raises(haltgate.AttackHalted):
            agent(GateMiddleware(session, run_id="nightly"), commands("git status")).invoke(ASK)
        assert ran == []

    def test_where_nobody_can_be_asked_the_run_ends(self, client: haltgate.Client) -> None:
        session = client.open_session(interactive=False)
        with pytest.raises(haltgate.Unattended):
            agent(GateMiddleware(session), commands("deploy now")).invoke(ASK)
        assert ran == []

    def test_a_gate_that_is_gone_ends_the_run(self) -> None:
        with haltgate.connect("127.0.0.1:1", reconnect_for=0) as client:
            middleware = GateMiddleware(client.session("s"))
            with pytest.raises(haltgate.GateUnavailable):
                agent(middleware, commands("git status")).invoke(ASK)
        assert ran == []

    def test_a_human_is_asked_once_although_a_call_is_decided_before_its_turn_and_before_it_runs(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        with Human(client, session.session_id) as human:
            result = agent(GateMiddleware(session), commands("deploy one")).invoke(ASK)
        assert ran == ["deploy one"]
        assert human.asked == ["deploy one"]
        assert told(result["messages"]) == [("success", "ran deploy one")]

    def test_the_same_call_in_a_later_turn_is_another_question(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        with Human(client, session.session_id) as human:
            agent(GateMiddleware(session), commands("deploy one"), commands("deploy one")).invoke(ASK)
        assert ran == ["deploy one", "deploy one"]
        assert human.asked == ["deploy one", "deploy one"]

    def test_a_grant_from_one_call_counts_for_the_next(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        with Human(client, session.session_id, scope=Scope.SESSION) as human:
            agent(GateMiddleware(session), commands("rm -rf build", "rm -rf build")).invoke(ASK)
        assert ran == ["rm -rf build", "rm -rf build"]
        assert human.asked == ["rm -rf build"]

    def test_without_an_answer_in_time_the_model_is_told_so(self, session: haltgate.Session) -> None:
        result = agent(GateMiddleware(session, max_wait=0.1), commands("deploy late")).invoke(ASK)
        assert ran == []
        assert told(result["messages"])[0][0] == "error"
        assert "No human has answered" in told(result["messages"])[0][1]

    def test_with_pause_the_graph_is_interrupted_until_the_human_has_answered(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        middleware = GateMiddleware(session, pause=True)
        pausing = agent(middleware, commands("git status", "deploy one", "deploy two"), saved=True)
        where = config()
        begin: Any
        for begin in (ASK, Command(resume=True)):
            (pause,) = pausing.invoke(begin, where)["__interrupt__"]
            assert ran == []
            # Resumed too early, it is interrupted again, by the same question.
            (again,) = pausing.invoke(Command(resume=True), where)["__interrupt__"]
            assert again.value == pause.value
            client.approve(pause.value["escalation_id"])
        result = pausing.invoke(Command(resume=True), where)
        assert sorted(ran) == ["deploy one", "deploy two", "git status"]
        assert [status for status, _ in told(result["messages"])] == ["success"] * 3
        # Each call was decided once, and each human asked once.
        records = list(client.list_decisions(session_id=session.session_id))
        assert len({record.decision_id for record in records}) == 3

    def test_with_pause_a_rejection_is_told_to_the_model(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        pausing = agent(GateMiddleware(session, pause=True), commands("deploy one"), saved=True)
        where = config()
        (pause,) = pausing.invoke(ASK, where)["__interrupt__"]
        client.reject(pause.value["escalation_id"], comment="not today")
        result = asyncio.run(pausing.ainvoke(Command(resume=True), where))
        assert ran == []
        assert "not today" in told(result["messages"])[0][1]

    def test_nothing_waits_where_the_graph_is_interrupted(self, session: haltgate.Session) -> None:
        with pytest.raises(haltgate.InvalidRequest, match="max_wait"):
            GateMiddleware(session, pause=True, max_wait=1)

    def test_with_a_client_each_thread_is_a_session(self, client: haltgate.Client) -> None:
        where = config()
        agent(GateMiddleware(client), commands("git status"), saved=True).invoke(ASK, where)
        thread = where["configurable"]["thread_id"]
        # Decided before the turn, and again, under the same id, when it ran: one record.
        assert [record.session_id for record in client.list_decisions(session_id=thread)] == [thread]

    def test_with_a_client_and_no_thread_nothing_runs(self, client: haltgate.Client) -> None:
        with pytest.raises(haltgate.InvalidRequest, match="thread_id"):
            agent(GateMiddleware(client), commands("git status")).invoke(ASK)
        assert ran == []

    def test_what_another_middleware_changes_is_what_is_judged(self, session: haltgate.Session) -> None:
        from langchain.agents.middleware import wrap_tool_call

        @wrap_tool_call
        def swap(request: Any, handler: Callable[[Any], Any]) -> Any:
            call = {**request.tool_call, "args": {"command": "npm publish"}}
            return handler(request.override(tool_call=call))

        model = Scripted(messages=iter([commands("git status"), AIMessage(content="done")]))
        both: list[Any] = [swap, GateMiddleware(session)]
        changing: Any = create_agent(model, [shell], middleware=both)
        result = changing.invoke(ASK)
        assert ran == []
        assert told(result["messages"])[0][0] == "error"

    def test_calls_that_share_an_id_do_not_run(self, session: haltgate.Session) -> None:
        script = commands("git status", "git status")
        script.tool_calls[1]["id"] = "call-0"
        with pytest.raises(haltgate.InvalidRequest, match="id of their own"):
            agent(GateMiddleware(session), script).invoke(ASK)
        assert ran == []

    @pytest.mark.parametrize("arguments", [{"command": {"a": 1}}, {"command": ["ls", 1]}, {"command": 7}])
    def test_a_shell_tool_that_is_given_no_text_does_not_run(
        self, session: haltgate.Session, arguments: dict[str, Any]
    ) -> None:
        with pytest.raises(haltgate.InvalidRequest, match="must be a command"):
            agent(GateMiddleware(session), turn(("shell", arguments))).invoke(ASK)
        assert ran == []

    def test_other_tools_are_judged_by_their_registered_name(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        agent(GateMiddleware(session), turn(("look_up", {"topic": "gates"}))).invoke(ASK)
        (record,) = client.list_decisions(session_id=session.session_id)
        assert isinstance(record.call, haltgate.RegisteredCall | haltgate.ToolCall)
        assert record.call.name == "look_up"
        assert record.call.arguments == {"topic": "gates"}

    def test_the_caller_may_say_how_a_tool_call_is_told(self, session: haltgate.Session) -> None:
        def to_call(name: str, arguments: Any) -> haltgate.Call:
            return haltgate.ShellCall(f"npm publish {arguments['topic']}")

        script = turn(("look_up", {"topic": "gates"}))
        agent(GateMiddleware(session, to_call=to_call), script).invoke(ASK)
        assert ran == []


class TestInterruptGate:
    def pause(self, *script: AIMessage, mode: str = "batched", decisions: Sequence[str] = ("approve", "reject")) -> Any:
        """An agent that has paused for its first turn."""
        options: dict[str, Any] = {"interrupt_on": {"shell": {"allowed_decisions": list(decisions)}}}
        if mode != "batched":
            options["interrupt_mode"] = mode
        review = HumanInTheLoopMiddleware(**options)
        self.agent = agent(review, *script, saved=True)
        self.config = config()
        return self.agent.invoke(ASK, self.config)["__interrupt__"]

    def go_on(self, answer: Any) -> Any:
        return self.agent.invoke(Command(resume=answer), self.config)

    def test_approvals_and_rejections_resume_the_agent(self, session: haltgate.Session) -> None:
        (interrupt,) = self.pause(commands("git status", "npm publish"))
        answer = InterruptGate(session).decide(interrupt)
        assert [decision["type"] for decision in answer["decisions"]] == ["approve", "reject"]
        result = self.go_on(answer)
        assert ran == ["git status"]
        refused = [content for status, content in told(result["messages"]) if status == "error"]
        assert len(refused) == 1
        assert "deny list" in refused[0]

    @pytest.mark.parametrize("mode", ["batched", "per_call"])
    def test_all_interrupts_of_a_pause_are_answered_at_once(self, session: haltgate.Session, mode: str) -> None:
        interrupts = self.pause(commands("git status", "npm publish"), mode=mode)
        result = self.go_on(InterruptGate(session).resume(interrupts))
        assert ran == ["git status"]
        assert [status for status, _ in told(result["messages"])] == ["success", "error"]

    def test_it_works_the_same_with_asyncio(self, shared_gate: Gate) -> None:
        interrupts = self.pause(commands("git status", "npm publish"))

        async def answer() -> Any:
            async with haltgate.connect_async(shared_gate.address) as client:
                session = await client.open_session(cwd="/work", home="/home/me")
                gate = InterruptGate(session)
                assert await gate.aresume(interrupts) == {interrupts[0].id: await gate.adecide(interrupts[0])}
                return await gate.aresume(interrupts)

        self.go_on(asyncio.run(answer()))
        assert ran == ["git status"]

    @pytest.mark.parametrize("mode", ["batched", "per_call"])
    def test_a_halt_resumes_nothing(self, session: haltgate.Session, mode: str) -> None:
        interrupts = self.pause(commands("git status", ATTACK, "git status"), mode=mode)
        with pytest.raises(haltgate.AttackHalted) as halted:
            InterruptGate(session).resume(interrupts)
        assert halted.value.decision.stage is haltgate.Stage.RATER
        assert ran == []
        assert self.agent.get_state(self.config).interrupts

    def test_a_grant_from_one_call_counts_for_the_next(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        (interrupt,) = self.pause(commands("rm -rf build", "rm -rf build"))
        with Human(client, session.session_id, scope=Scope.SESSION) as human:
            self.go_on(InterruptGate(session).decide(interrupt))
        assert ran == ["rm -rf build", "rm -rf build"]
        assert human.asked == ["rm -rf build"]

    def test_an_interrupt_that_is_answered_again_is_not_asked_about_again(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        (interrupt,) = self.pause(commands("deploy one"))
        with Human(client, session.session_id) as human:
            first = InterruptGate(session).decide(interrupt)
            assert InterruptGate(session).decide(interrupt) == first
        assert human.asked == ["deploy one"]

    def test_a_request_without_an_interrupt_is_another_question_each_time(
        self, client: haltgate.Client, session: haltgate.Session
    ) -> None:
        request = {"action_requests": [{"name": "shell", "args": {"command": "deploy one"}}], "review_configs": []}
        with Human(client, session.session_id) as human:
            InterruptGate(session).decide(request)
            InterruptGate(session).decide(Interrupt(request))
            InterruptGate(session).decide(Interrupt(request))
        assert human.asked == ["deploy one"] * 3

    @pytest.mark.parametrize("mode", ["batched", "per_call"])
    def test_a_decision_that_may_not_be_given_resumes_nothing(self, session: haltgate.Session, mode: str) -> None:
        interrupts = self.pause(commands("npm publish"), mode=mode, decisions=["approve"])
        with pytest.raises(DecisionNotAllowed):
            InterruptGate(session).resume(interrupts)
        assert ran == []

    @pytest.mark.parametrize(
        "request_",
        [
            None,
            "approve",
            {},
            {"action_requests": 3},
            {"action_requests": ["shell"]},
            {"action_requests": [{"name": "shell"}]},
            {"type": "tool_approval", "name": "shell"},
        ],
    )
    def test_an_interrupt_of_something_else_is_an_error(self, session: haltgate.Session, request_: Any) -> None:
        with pytest.raises(haltgate.InvalidRequest):
            InterruptGate(session).decide(request_)
