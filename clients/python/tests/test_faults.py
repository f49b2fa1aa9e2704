"""Whatever goes wrong, nothing is approved; and what a human answered meanwhile is picked up."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

import haltgate
from conftest import Connect
from haltgate import Action, Raised
from support.gate import Gate
from support.policy import APPROVED, ATTACK, ESCALATED, POLICY
from support.relay import RecordingRelay
from support.waiting import in_background, until

ENTRY = haltgate.Entry(haltgate.EntryType.SHELL, haltgate.Matcher.EXACT, "make release")


def question_of(client: Any, session_id: str) -> Any:
    with client.watch_escalations(session_id=session_id) as feed:
        for event in feed:
            if isinstance(event, Raised):
                return event.item
    raise AssertionError("the feed ended")


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_a_decision_that_waits_outlives_its_gate(connect: Connect, gate: Gate, how: str) -> None:
    client = connect(gate.address, reconnect_for=60)
    session = client.session("s")
    deciding = in_background(lambda: session.decide_shell(ESCALATED))
    with haltgate.connect(gate.address) as screen:
        question = question_of(screen, "s")
        getattr(gate, how)()
        gate.start()
        screen.approve(question.escalation_id)
        decision = deciding.result()
        assert decision.approved
        assert decision.escalation_id == question.escalation_id
        # Decided once: the record from when the human was asked, and the one from when it was settled.
        records = list(screen.list_decisions(session_id="s"))
    assert [record.action for record in records] == [Action.APPROVE, Action.ESCALATE]
    assert {record.decision_id for record in records} == {decision.decision_id}


def test_a_gate_that_is_gone_for_good_ends_the_waiting(connect: Connect, tmp_path: Path) -> None:
    # Behind a socket, where no other process can take the gate's place.
    socket_path = tmp_path / "gate.sock"
    with Gate({**POLICY, "server": {"socket": str(socket_path)}}) as gate:
        client = connect(f"unix:{socket_path}", reconnect_for=0.5)
        deciding = in_background(lambda: client.session("s").decide_shell(ESCALATED))
        with haltgate.connect(gate.address) as screen:
            question_of(screen, "s")
        gate.kill()
        with pytest.raises(haltgate.GateUnavailable) as gone:
            deciding.result()
    assert not gone.value.approved
    assert gone.value.details.code == "UNAVAILABLE"
    assert gone.value.__cause__ is not None


@pytest.mark.parametrize("wait", [True, False])
def test_where_nobody_listens_nothing_is_approved(connect: Connect, wait: bool) -> None:
    client = connect("127.0.0.1:1", reconnect_for=0.2)
    with pytest.raises(haltgate.GateUnavailable):
        client.session("s").decide_shell(APPROVED, wait=wait)


def test_a_gate_that_does_not_answer_in_time_is_unavailable(connect: Connect, gate: Gate) -> None:
    client = connect(gate.address, deadline=0.3)
    session = client.session("s")
    gate.pause()
    try:
        with pytest.raises(haltgate.GateUnavailable) as late:
            session.decide_shell(APPROVED, max_wait=0)
    finally:
        gate.resume()
    assert late.value.details.code == "DEADLINE_EXCEEDED"


@pytest.mark.parametrize("ask", [lambda client: client.server_info(), lambda client: client.open_session()])
def test_a_gate_that_is_back_is_found_however_long_it_was_gone(
    connect: Connect, gate: Gate, ask: Callable[[Any], Any]
) -> None:
    client = connect(gate.address)
    assert client.server_info().version
    gate.kill()
    # By now the connection is tried again only once in a while.
    for _ in range(2):
        with pytest.raises(haltgate.GateUnavailable):
            ask(client)
    gate.start()
    ask(client)


def test_a_session_that_cannot_be_closed_does_not_hide_why_its_run_ended(gate: Gate) -> None:
    def run() -> None:
        with haltgate.connect(gate.address) as client, client.open_session() as session:
            try:
                session.decide_shell(ATTACK)
            finally:
                gate.kill()

    with pytest.raises(haltgate.AttackHalted):
        run()

    gate.start()

    def end_well() -> None:
        with haltgate.connect(gate.address) as client, client.open_session():
            gate.kill()

    with pytest.raises(haltgate.GateUnavailable):
        end_well()


UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.server_info(),
        lambda client: client.verify_audit(),
        lambda client: client.session("repeated").decide_shell(APPROVED, wait=False),
        lambda client: client.session("repeated").decide_shell(APPROVED),
        lambda client: client.grants.grant(ENTRY, haltgate.Scope.ALWAYS),
    ],
)
def test_what_is_safe_to_repeat_is_repeated_unchanged(
    connect: Connect, shared_gate: Gate, ask: Callable[[Any], Any]
) -> None:
    with RecordingRelay(shared_gate.address, [UNAVAILABLE] * 3) as relay:
        ask(connect(relay.address))
    assert len(relay.requests) == 4
    # The same id in each, and for a decision that waits, the same time to wait.
    assert len(set(relay.requests)) == 1


def test_after_four_attempts_the_gate_is_unavailable(connect: Connect, shared_gate: Gate) -> None:
    with (
        RecordingRelay(shared_gate.address, [UNAVAILABLE] * 4) as relay,
        pytest.raises(haltgate.GateUnavailable, match="not now"),
    ):
        connect(relay.address).server_info()
    assert len(relay.requests) == 4


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.RESOURCE_EXHAUSTED])
@pytest.mark.parametrize("wait", [True, False])
def test_nothing_but_unavailable_is_repeated(
    connect: Connect, shared_gate: Gate, code: grpc.StatusCode, wait: bool
) -> None:
    with RecordingRelay(shared_gate.address, [code]) as relay, pytest.raises(haltgate.GateRefused) as refused:
        connect(relay.address).session("s").decide_shell(APPROVED, wait=wait)
    assert refused.value.details.code == code.name
    assert refused.value.reason is None
    assert len(relay.requests) == 1


def test_a_session_is_not_opened_twice(connect: Connect, shared_gate: Gate) -> None:
    with RecordingRelay(shared_gate.address, [UNAVAILABLE]) as relay, pytest.raises(haltgate.GateUnavailable):
        connect(relay.address).open_session()
    assert len(relay.requests) == 1


def test_what_is_no_gate_is_an_error(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def answer_badly() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(1024)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        serving = in_background(answer_badly)
        client = connect(f"127.0.0.1:{port}", deadline=5, reconnect_for=0.2)
        with pytest.raises(haltgate.GateError):
            client.session("s").decide_shell(APPROVED)
        client.close()
        listener.shutdown(socket.SHUT_RDWR)
    serving.result()


def test_a_task_that_is_cancelled_while_it_waits_is_cancelled(shared_gate: Gate) -> None:
    async def run() -> bool:
        async with haltgate.connect_async(shared_gate.address) as client:
            session = await client.open_session()
            deciding = asyncio.create_task(session.decide_shell(ESCALATED))
            async with client.watch_escalations(session_id=session.session_id) as feed:
                async for event in feed:
                    if isinstance(event, Raised):
                        break
            deciding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await deciding
            # It still waits for its human, who may be asked about it later.
            return bool((await session.details()).info.open_escalations)

    assert asyncio.run(run())


def test_closing_the_client_ends_a_decision_that_waits(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    deciding = in_background(lambda: session.decide_shell(ESCALATED))
    with haltgate.connect(shared_gate.address) as screen:
        question_of(screen, session.session_id)
    client.close()
    with pytest.raises(haltgate.GateUnavailable):
        deciding.result()


def test_many_threads_may_share_a_client(client: haltgate.Client) -> None:
    session = client.open_session()
    deciding = [in_background(lambda: [session.decide_shell(APPROVED).approved for _ in range(5)]) for _ in range(8)]
    until(lambda: all(one.done for one in deciding))
    assert [one.result() for one in deciding] == [[True] * 5] * 8
