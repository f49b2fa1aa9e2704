"""Feeds of a real gate: each event once, also over restarts."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

import haltgate
from conftest import Connect
from haltgate import Answered, Raised, Restarted, SnapshotEnd, Withdrawn
from support.gate import Gate
from support.policy import ATTACK, ESCALATED
from support.waiting import in_background, until


def ask(client: Any, session_id: str, *requests: str) -> list[str]:
    """Have a human asked; returns the ids of the questions."""
    session = client.session(session_id)
    return [
        session.decide_shell(ESCALATED, request_id=request, wait=False, run_id=request).escalation_id
        for request in requests
    ]


def first(feed: Any, count: int) -> list[Any]:
    events = []
    for event in feed:
        events.append(event)
        if len(events) == count:
            return events
    raise AssertionError("the feed ended")


def told(events: list[Any]) -> list[tuple[str, str]]:
    return [(type(event).__name__, event.item.escalation_id if hasattr(event, "item") else "") for event in events]


def test_a_feed_begins_with_what_is_open_and_goes_on_with_what_changes(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    (one,) = ask(client, session.session_id, "one")
    with client.watch_escalations(session_id=session.session_id) as feed:
        assert told(first(feed, 2)) == [("Raised", one), ("SnapshotEnd", "")]
        client.approve(one)
        (two,) = ask(client, session.session_id, "two")
        session.close()
        assert told(first(feed, 3)) == [("Answered", one), ("Raised", two), ("Withdrawn", two)]


def test_a_feed_goes_on_behind_its_cursor(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    with client.watch_escalations(session_id=session.session_id) as feed:
        assert feed.cursor == ""
        assert first(feed, 1) == [SnapshotEnd(0)]
        cursor = feed.cursor
    assert cursor
    (one,) = ask(client, session.session_id, "one")
    with client.watch_escalations(session_id=session.session_id, after=cursor) as feed:
        assert told(first(feed, 1)) == [("Raised", one)]


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_a_feed_tells_each_event_once_although_the_gate_restarts(connect: Connect, gate: Gate, how: str) -> None:
    client = connect(gate.address)
    feed = client.watch_escalations()
    events: list[Any] = []
    watching = in_background(lambda: _collect(feed, events))
    until(lambda: told(events) == [("SnapshotEnd", "")])
    with haltgate.connect(gate.address) as agent:
        ids = ask(agent, "s", "one")
        until(lambda: len(events) > len(ids))
        restart(gate, how)
        ids += ask(agent, "s", "two")
        until(lambda: len(events) > len(ids))
        restart(gate, how)
        # While the feed looks for its gate, or before.
        ids += ask(agent, "s", "three")
        agent.approve(ids[0])
        until(lambda: isinstance(events[-1], Answered))
    feed.close()
    watching.result()
    assert told(events) == [("SnapshotEnd", ""), *(("Raised", one) for one in ids), ("Answered", ids[0])]


def restart(gate: Gate, how: str) -> None:
    getattr(gate, how)()
    gate.start()


def _collect(feed: Any, events: list[Any]) -> None:
    # One by one, so that others see what came so far.
    while (event := next(feed, None)) is not None:
        events.append(event)


def test_a_feed_of_halts_tells_of_them(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session(cwd="/work", home="/home/me")
    with client.watch_halts(session_id=session.session_id, observe_only=True) as feed:
        assert first(feed, 1) == [SnapshotEnd(0)]
        with pytest.raises(haltgate.AttackHalted) as halted:
            session.decide_shell(ATTACK)
        (event,) = first(feed, 1)
        assert isinstance(event, Raised)
        assert event.item.halt_id == halted.value.decision.halt_id
        # Nobody at this feed answers, so the halt waits for nobody.
        assert event.item.state is haltgate.AttackHaltState.UNATTENDED
        assert event.item.prompt.framed_lines


def test_closing_a_feed_ends_who_waits_for_its_next_event(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    feed = client.watch_escalations(session_id="nothing-happens-here")
    events: list[Any] = []
    watching = in_background(lambda: _collect(feed, events))
    until(lambda: len(events) == 1)
    feed.close()
    watching.result()
    assert list(feed) == []


def test_closing_the_client_ends_its_feeds(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    feed = client.watch_escalations(session_id="nothing-happens-here")
    events: list[Any] = []
    watching = in_background(lambda: _collect(feed, events))
    until(lambda: len(events) == 1)
    client.close()
    watching.result()


def test_closing_ends_a_feed_that_looks_for_its_gate(connect: Connect, gate: Gate) -> None:
    feed = connect(gate.address).watch_escalations()
    events: list[Any] = []
    watching = in_background(lambda: _collect(feed, events))
    until(lambda: len(events) == 1)
    gate.kill()
    feed.close()
    watching.result()


def test_a_cursor_that_the_gate_never_gave_begins_the_feed_anew(connect: Connect, shared_gate: Gate) -> None:
    with connect(shared_gate.address).watch_escalations(session_id="quiet", after="made-up") as feed:
        assert first(feed, 2) == [Restarted(), SnapshotEnd(0)]


def test_a_feed_that_is_asked_for_wrongly_ends_with_an_error(connect: Connect, shared_gate: Gate) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        next(connect(shared_gate.address).watch_escalations(session_id="has a space"))
    assert [violation.field for violation in refused.value.violations] == ["session_id"]


def test_a_task_that_is_cancelled_while_it_watches_is_cancelled(shared_gate: Gate) -> None:
    async def run() -> None:
        async with haltgate.connect_async(shared_gate.address) as client:
            feed = client.watch_escalations(session_id="nothing-happens-here")
            assert await anext(feed) == SnapshotEnd(0)
            watching = asyncio.create_task(anext(feed))
            await asyncio.sleep(0)
            watching.cancel()
            with pytest.raises(asyncio.CancelledError):
                await watching

    asyncio.run(run())


def test_events_can_be_told_apart_by_their_types(client: haltgate.Client) -> None:
    session = client.open_session()
    (one,) = ask(client, session.session_id, "one")
    done = threading.Event()
    seen = []
    with client.watch_escalations(session_id=session.session_id) as feed:
        for event in feed:
            match event:
                case Raised(question):
                    seen.append(f"raised {question.state}")
                case Answered(question) | Withdrawn(question):
                    seen.append(f"settled {question.state}")
                    done.set()
                case SnapshotEnd(open=count):
                    seen.append(f"{count} open")
                    client.reject(one)
                case Restarted():
                    seen.clear()
            if done.is_set():
                break
    assert seen == ["raised OPEN", "1 open", "settled REJECTED"]


def test_a_feed_that_is_silent_for_too_long_is_opened_again(
    connect: Connect, shared_gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # The gate's first heartbeat comes after 15 seconds; this client does not wait that long.
    monkeypatch.setattr("haltgate._sync.feed.SILENCE", 0.2)
    monkeypatch.setattr("haltgate._async.feed.SILENCE", 0.2)
    client = connect(shared_gate.address)
    session = client.open_session()
    feed = client.watch_escalations(session_id=session.session_id)
    events: list[Any] = []
    watching = in_background(lambda: _collect(feed, events))
    until(lambda: "no message for" in caplog.text)
    (one,) = ask(client, session.session_id, "one")
    until(lambda: len(events) == 2)
    feed.close()
    watching.result()
    assert told(events) == [("SnapshotEnd", ""), ("Raised", one)]
