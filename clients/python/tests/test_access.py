"""Who may do what, and what a gate that is asked too much makes of it: real gates with tokens, roles and limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import haltgate
from conftest import Connect
from haltgate import ErrorReason, Raised, SnapshotEnd
from support.gate import Gate
from support.policy import APPROVED, ESCALATED, POLICY
from support.waiting import in_background, until


@pytest.fixture
def guarded() -> Iterator[Gate]:
    """A gate that lets nobody in without a token."""
    with Gate({**POLICY, "auth": {"tokens_file": "tokens.json"}}, roles=("agent", "operator")) as gate:
        yield gate


def raised(feed: Any) -> Any:
    for event in feed:
        if isinstance(event, Raised):
            return event.item
    raise AssertionError("the feed ended")


def test_an_agent_may_decide_and_only_an_operator_may_answer(connect: Connect, guarded: Gate) -> None:
    agent = connect(guarded.address, token=guarded.tokens["agent"])
    operator = connect(guarded.address, token=guarded.tokens["operator"])
    deciding = in_background(lambda: agent.session("s").decide_shell(ESCALATED))
    with operator.watch_escalations() as feed:
        question = raised(feed)
    with pytest.raises(haltgate.GateRefused) as refused:
        agent.approve(question.escalation_id)
    assert refused.value.details.code == "PERMISSION_DENIED"
    assert refused.value.reason is ErrorReason.ROLE_NOT_ALLOWED
    assert (refused.value.role, refused.value.needed) == ("agent", ("operator", "admin"))
    answered = operator.approve(question.escalation_id)
    assert answered.answer.answered_by == "operator"
    assert deciding.result().approved


def test_who_shows_no_token_is_told_what_is_needed_and_who_shows_a_wrong_one_is_refused(
    connect: Connect, guarded: Gate
) -> None:
    with pytest.raises(haltgate.GateRefused) as refused:
        connect(guarded.address).session("s").decide_shell(APPROVED)
    assert refused.value.reason is ErrorReason.CREDENTIALS_MISSING
    assert "bearer" in refused.value.needed
    assert refused.value.role == ""
    with pytest.raises(haltgate.GateRefused) as refused:
        connect(guarded.address, token="made-up").session("s").decide_shell(APPROVED)
    assert refused.value.details.code == "UNAUTHENTICATED"
    assert refused.value.reason is ErrorReason.CREDENTIALS_INVALID
    assert refused.value.needed == ()


def test_a_feed_ends_with_the_reason_when_its_token_is_taken_back(connect: Connect, guarded: Gate) -> None:
    client = connect(guarded.address, token=guarded.tokens["operator"])
    with client.watch_escalations() as feed:
        events = iter(feed)
        assert next(events) == SnapshotEnd(0)
        guarded.token("revoke", "operator")
        with pytest.raises(haltgate.GateRefused) as refused:
            next(events)
    assert refused.value.reason is ErrorReason.CREDENTIALS_INVALID


def test_a_feed_outlives_the_age_of_its_connections_and_tells_nothing_of_it(connect: Connect) -> None:
    opened: list[None] = []

    def count() -> dict[str, str]:
        opened.append(None)
        return {}

    with (
        Gate({**POLICY, "server": {"max_connection_age": "1s"}}) as gate,
        connect(gate.address, headers=count).watch_escalations() as feed,
    ):
        events = iter(feed)
        assert next(events) == SnapshotEnd(0)
        following = in_background(lambda: next(events))
        until(lambda: len(opened) >= 3)
        with haltgate.connect(gate.address) as agent:
            asked = agent.session("s").decide_shell(ESCALATED, wait=False).escalation_id
        event = following.result()
    assert isinstance(event, Raised)
    assert event.item.escalation_id == asked


def test_a_gate_that_is_asked_too_often_is_asked_again_when_it_says(connect: Connect) -> None:
    limits = {"bound_local": True, "caller": {"requests_per_second": 2, "burst": 1}}
    with Gate({**POLICY, "limits": limits}) as gate:
        client = connect(gate.address)
        for _ in range(4):
            assert client.server_info().version
        assert client.session("s").decide_shell(APPROVED).approved
