"""Decisions of a real gate, with both clients."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

import haltgate
from conftest import Connect
from haltgate import (
    Action,
    EscalationState,
    HumanInvolvement,
    Raised,
    Scope,
    ShellCall,
    SnapshotEnd,
    Stage,
)
from support.gate import Gate
from support.policy import APPROVED, ATTACK, ESCALATED, REJECTED
from support.waiting import in_background


@pytest.fixture
def session(connect: Connect, shared_gate: Gate) -> Any:
    return connect(shared_gate.address).open_session(cwd="/work", home="/home/me")


def asked(client: Any, session_id: str) -> Any:
    """The first question of a session that is open."""
    with client.watch_escalations(session_id=session_id) as feed:
        for event in feed:
            if isinstance(event, Raised):
                return event.item
    raise AssertionError("the feed ended")


def test_an_approval_says_what_decided(session: Any) -> None:
    decision = session.decide_shell(APPROVED)
    assert decision.approved
    assert (decision.action, decision.stage, decision.scope) == (Action.APPROVE, Stage.ALLOW_LIST, Scope.SESSION)
    assert decision.rule is not None
    assert decision.rule.entry.summary == APPROVED
    assert decision.decision_id
    assert decision.raw.decision_id == decision.decision_id


def test_a_rejection_is_returned_with_what_to_tell_the_model(session: Any) -> None:
    decision = session.decide_shell(REJECTED)
    assert not decision.approved
    assert decision.action is Action.REJECT
    assert REJECTED in decision.message
    assert decision.framed_lines


@pytest.mark.parametrize(
    "decide",
    [
        lambda session: session.decide_shell(APPROVED),
        lambda session: session.decide_tool("look_up", {"topic": "gates"}),
        lambda session: session.decide_mcp("jira", "create_issue", {"title": "a", "labels": ["b", None, 1.5]}),
        lambda session: session.decide_registered("mcp__jira__create_issue", {"title": "ä €"}),
        lambda session: session.decide_tool("no_arguments"),
        lambda session: session.decide(ShellCall(APPROVED)),
    ],
)
def test_every_kind_of_call_can_be_decided(session: Any, decide: Callable[[Any], Any]) -> None:
    assert decide(session).approved


def test_an_attack_is_an_error_and_so_is_every_later_call_of_its_run(session: Any) -> None:
    with pytest.raises(haltgate.AttackHalted) as first:
        session.decide_shell(ATTACK, run_id="r1")
    assert first.value.decision.halt_id
    assert not first.value.approved
    with pytest.raises(haltgate.AttackHalted) as second:
        session.decide_shell(APPROVED, run_id="r1")
    assert second.value.decision.run_halted
    assert session.decide_shell(APPROVED, run_id="r2").approved


def test_where_nobody_can_answer_that_is_an_error(connect: Connect, shared_gate: Gate) -> None:
    session = connect(shared_gate.address).open_session(interactive=False)
    with pytest.raises(haltgate.Unattended) as unattended:
        session.decide_shell(ESCALATED)
    assert unattended.value.decision.action is Action.UNATTENDED
    assert str(unattended.value) == unattended.value.decision.message


def test_a_decision_waits_for_the_human_and_has_the_answer(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    deciding = in_background(lambda: session.decide_shell(ESCALATED))
    question = asked(client, session.session_id)
    assert question.call.command == ESCALATED
    settled = client.approve(question.escalation_id, comment="go on")
    assert settled.state is EscalationState.APPROVED
    decision = deciding.result()
    assert decision.approved
    assert decision.human.comment == "go on"
    assert decision.escalation_id == question.escalation_id


def test_a_human_rejects_with_a_comment_for_the_model(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    deciding = in_background(lambda: session.decide_shell(ESCALATED))
    client.reject(asked(client, session.session_id).escalation_id, comment="not on a Friday")
    decision = deciding.result()
    assert decision.action is Action.REJECT
    assert "not on a Friday" in decision.message


@pytest.mark.parametrize("options", [{"wait": False}, {"max_wait": 0.2}, {"max_wait": timedelta(0)}])
def test_without_an_answer_in_time_it_still_waits_and_can_be_picked_up(
    connect: Connect, shared_gate: Gate, options: dict[str, Any]
) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    request_id = str(uuid.uuid4())
    waits = session.decide_shell(ESCALATED, request_id=request_id, **options)
    assert waits.action is Action.ESCALATE
    assert not waits.approved
    client.approve(waits.escalation_id)
    settled = session.decide_shell(ESCALATED, request_id=request_id)
    assert settled.approved
    assert settled.decision_id == waits.decision_id
    assert settled.replayed


def test_a_halt_that_waits_is_an_escalation_until_it_is_answered(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session(home="/home/me", cwd="/work")
    watching = threading.Event()
    halts: list[Any] = []
    feed = client.watch_halts(session_id=session.session_id)

    def watch() -> None:
        for event in feed:
            match event:
                case SnapshotEnd():
                    watching.set()
                case Raised(halt):
                    halts.append(client.run_anyway(halt.halt_id))

    screen = in_background(watch)
    assert watching.wait(60)
    decision = session.decide_shell(ATTACK, run_id="r")
    assert decision.approved
    assert decision.halt_id
    # Every later call of the run is judged as usual again.
    assert session.decide_shell(APPROVED, run_id="r").approved
    feed.close()
    screen.result()
    assert [halt.state for halt in halts] == ["RAN_ANYWAY"]


def test_a_dry_run_explains_and_approves_nothing(session: Any) -> None:
    decision = session.decide_shell(APPROVED, dry_run=True)
    assert decision.action is Action.APPROVE
    assert not decision.approved
    assert any(step.decided for step in decision.explanation.steps)
    assert decision.decision_id == ""


def test_a_dry_run_of_an_attack_raises_nothing(session: Any) -> None:
    assert not session.decide_shell(ATTACK, dry_run=True).approved


def test_the_same_request_id_is_the_same_decision(session: Any) -> None:
    first = session.decide_shell(APPROVED, request_id="turn-1")
    second = session.decide_shell(APPROVED, request_id="turn-1")
    assert second.decision_id == first.decision_id
    assert second.replayed


def test_the_same_request_id_for_another_call_is_refused(session: Any) -> None:
    session.decide_shell(APPROVED, request_id="turn-1")
    with pytest.raises(haltgate.InvalidRequest) as refused:
        session.decide_shell("git log", request_id="turn-1")
    assert refused.value.reason is haltgate.ErrorReason.REQUEST_ID_REUSED
    assert refused.value.metadata["request_id"] == "turn-1"
    assert refused.value.details.domain == "haltgate.dev"


def test_an_invalid_request_names_its_fields(session: Any) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        session.decide_shell("")
    assert [violation.field for violation in refused.value.violations] == ["call.shell.command"]
    assert refused.value.__cause__ is not None


def test_a_closed_session_refuses_with_its_reason(connect: Connect, shared_gate: Gate) -> None:
    session = connect(shared_gate.address).open_session()
    assert session.close().state == "CLOSED"
    with pytest.raises(haltgate.GateRefused) as refused:
        session.decide_shell(APPROVED)
    assert refused.value.reason is haltgate.ErrorReason.SESSION_CLOSED
    assert refused.value.details.code == "FAILED_PRECONDITION"
    assert refused.value.metadata["session_id"] == session.session_id


def test_an_answer_to_nothing_is_refused(session: Any, connect: Connect, shared_gate: Gate) -> None:
    with pytest.raises(haltgate.GateRefused) as refused:
        connect(shared_gate.address).stop("no-such-halt")
    assert refused.value.reason is haltgate.ErrorReason.HALT_NOT_FOUND


def test_lists_go_on_over_their_pages(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    for _ in range(5):
        session.decide_shell(APPROVED)
    records = list(client.list_decisions(session_id=session.session_id, page_size=2))
    assert [record.action for record in records] == [Action.APPROVE] * 5
    assert len({record.decision_id for record in records}) == 5
    assert records[0].human_involvement in (None, HumanInvolvement.NOBODY)
    assert session.session_id in [info.session_id for info in client.list_sessions(page_size=1)]


def test_grants_and_denials_can_be_managed(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    entry = haltgate.Entry(haltgate.EntryType.SHELL, haltgate.Matcher.EXACT, "make release")
    refused = haltgate.Entry(haltgate.EntryType.SHELL, haltgate.Matcher.GLOB, "make clean*")
    terms = haltgate.Terms(max_uses=2, note="for today")
    added = client.grants.grant(entry, Scope.SESSION, session_id=session.session_id, terms=terms)
    assert added.grant.uses_left == 2
    assert client.grants.deny(session.session_id, refused, note="no").denial.note == "no"
    assert session.decide_shell("make release").approved
    assert not session.decide_shell("make clean all").approved
    listed = list(client.grants.list(session_id=session.session_id, page_size=1))
    assert [type(item) for item in listed] == [haltgate.Grant, haltgate.Denial]
    assert client.grants.revoke(entry, session_id=session.session_id)[0].entry.entry == entry
    object_text = listed[1].entry.object_text
    assert client.grants.lift(session.session_id, object_text).entry.object_text == object_text
    assert list(client.grants.list(session_id=session.session_id)) == []


def test_trust_can_be_seen_predicted_and_changed(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    session = client.open_session()
    believe = [haltgate.Hint.READ_ONLY]
    assert client.grants.predict_trust(session.session_id, "jira", believe=believe).added == tuple(believe)
    assert client.grants.trust(session.session_id).servers[0].trusted == ()
    assert client.grants.change_trust(session.session_id, "jira", believe=believe).trusted == tuple(believe)
    (server,) = client.grants.trust(session.session_id).servers
    assert (server.server, server.trusted, server.changed) == ("jira", tuple(believe), True)


def test_grants_can_be_exported_and_imported(connect: Connect, gate: Gate) -> None:
    client = connect(gate.address)
    entry = haltgate.Entry(haltgate.EntryType.SHELL, haltgate.Matcher.EXACT, "make release")
    client.grants.grant(entry, Scope.ALWAYS)
    file = client.grants.export_file()
    assert file.grants == 1
    assert client.grants.import_file(file.content, dry_run=True).already_granted == 1


def test_a_session_can_be_changed_and_seen(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    tools = [haltgate.Tool("mcp__jira__create_issue", annotations=haltgate.Annotations(read_only=True))]
    session = client.open_session(labels={"team": "a", "old": "1"}, tools=tools, mcp_servers=["jira"])
    assert session.opened.info.labels == {"team": "a", "old": "1"}
    changed = session.update(rung=haltgate.Rung.MANUAL, set_labels={"team": "b"}, remove_labels=["old"])
    assert (changed.info.rung, changed.info.labels) == (haltgate.Rung.MANUAL, {"team": "b"})
    seen = session.details(include_tools=True)
    assert seen.info.mcp_servers == ("jira",)
    assert seen.tools == tuple(tools)
    assert client.open_session(session.session_id).opened.reopened


def test_a_call_can_be_rated_without_a_decision(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    assert client.rate(ShellCall("git status")).rating.outcome is haltgate.Outcome.SAFE
    session = client.open_session(home="/home/me")
    rated = session.rate(ShellCall(ATTACK))
    assert rated.rating.outcome is haltgate.Outcome.ATTACK
    assert rated.framed_lines
    assert list(client.list_decisions(session_id=session.session_id)) == []


def test_the_server_and_its_records_can_be_checked(connect: Connect, gate: Gate) -> None:
    client = connect(gate.address)
    client.session("s").decide_shell(APPROVED)
    info = client.server_info()
    assert info.contract_version == "v1.0"
    audit = client.verify_audit()
    assert audit.intact
    assert audit.noted_head is None
    noted = client.verify_audit(noted_sequence=audit.head_sequence, noted_hash=audit.head_hash)
    assert (noted.intact, noted.noted_head) == (True, haltgate.NotedHead.FOUND)


def test_projects_are_kept_apart(connect: Connect, shared_gate: Gate) -> None:
    session_id = str(uuid.uuid4())
    connect(shared_gate.address, project="one").open_session(session_id)
    other = connect(shared_gate.address, project="two").session(session_id)
    with pytest.raises(haltgate.GateRefused) as refused:
        other.details()
    assert refused.value.reason is haltgate.ErrorReason.SESSION_NOT_FOUND


def test_a_session_is_closed_at_the_end_of_its_with_statement(client: haltgate.Client) -> None:
    with client.open_session() as session:
        waits = session.decide_shell(ESCALATED, wait=False)
    states = [record.action for record in client.list_decisions(session_id=session.session_id)]
    assert states == [Action.REJECT, Action.ESCALATE]
    assert waits.action is Action.ESCALATE


def test_an_answer_that_is_sent_twice_is_given_once(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    waits = client.open_session().decide_shell(ESCALATED, wait=False)
    first = client.approve(waits.escalation_id, request_id="answer-1")
    assert client.approve(waits.escalation_id, request_id="answer-1") == first
    with pytest.raises(haltgate.GateRefused) as refused:
        client.reject(waits.escalation_id)
    assert refused.value.reason is haltgate.ErrorReason.ALREADY_ANSWERED
    assert refused.value.metadata["verdict"] == "VERDICT_APPROVE"
