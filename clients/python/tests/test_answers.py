"""What the client makes of the gate's messages: nothing but a complete, known answer to what was asked is approved."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest

import haltgate
from haltgate import Action, NoticeLevel, Outcome, v1
from haltgate.decisions import read_decision
from haltgate.human import read_escalation
from haltgate.ratings import read_rating

Change = Callable[[Any], None]


def request() -> v1.DecideRequest:
    return v1.DecideRequest(session_id="s", run_id="r", request_id="q")


def approval() -> Any:
    return v1.DecideResponse(
        action="ACTION_APPROVE",
        stage="STAGE_ALLOW_LIST",
        scope="SCOPE_ONCE",
        rung="RUNG_ASSISTED",
        decision_id="d",
        session_id="s",
        run_id="r",
        request_id="q",
    )


def put(field: str, value: Any) -> Change:
    return lambda message: setattr(message, field, value)


def test_a_complete_approval_is_approved() -> None:
    decision = read_decision(request(), approval())
    assert decision.approved
    assert decision.action == "APPROVE"


@pytest.mark.parametrize(
    "change",
    [
        put("action", 0),
        put("action", 6),
        put("action", 99),
        put("stage", 0),
        put("stage", 99),
        put("scope", 0),
        put("scope", 99),
        put("rung", 0),
        put("rung", 99),
        put("decision_id", ""),
        put("request_id", ""),
        put("request_id", "another"),
        put("session_id", "another"),
        put("run_id", ""),
        lambda message: message.Clear(),
        lambda message: message.rating.SetInParent(),
    ],
)
def test_an_approval_that_is_incomplete_unknown_or_another_s_is_an_error(change: Change) -> None:
    answer = approval()
    change(answer)
    with pytest.raises(haltgate.UnexpectedAnswer) as unexpected:
        read_decision(request(), answer)
    assert not unexpected.value.approved


@pytest.mark.parametrize("action", ["ACTION_REJECT", "ACTION_ESCALATE", "ACTION_HALT", "ACTION_UNATTENDED"])
def test_no_other_action_is_approved(action: str) -> None:
    answer = approval()
    answer.action = v1.Action.Value(action)
    answer.escalation_id = "e"
    answer.scope = v1.Scope.Value("SCOPE_UNSPECIFIED")
    decision = read_decision(request(), answer)
    assert not decision.approved
    assert decision.scope is None


def test_an_escalation_without_a_question_is_an_error() -> None:
    answer = approval()
    answer.action = v1.Action.Value("ACTION_ESCALATE")
    with pytest.raises(haltgate.UnexpectedAnswer, match="question"):
        read_decision(request(), answer)


def test_what_a_newer_gate_says_beside_the_decision_does_not_disturb() -> None:
    answer = approval()
    answer.notices.add(level=99, code=99, text="new")
    answer.matched_rule.list = 99
    answer.matched_rule.layer = 99
    answer.matched_rule.entry.entry.type = 99
    answer.human.verdict = 99
    # A field that this client does not know.
    answer.MergeFromString(b"\xf8\x7d\x01")
    decision = read_decision(request(), answer)
    assert decision.approved
    (notice,) = decision.notices
    assert (notice.level, notice.code) == (NoticeLevel.WARNING, None)
    assert decision.rule is not None
    assert (decision.rule.list, decision.rule.layer, decision.rule.entry.entry) == (None, None, None)


def test_an_outcome_that_is_not_known_is_destructive() -> None:
    assert read_rating(v1.Rating(outcome=99)).outcome is Outcome.DESTRUCTIVE  # type: ignore[arg-type]
    with pytest.raises(haltgate.UnexpectedAnswer):
        read_rating(v1.Rating())


def test_a_question_of_an_unknown_state_or_kind_is_an_error() -> None:
    shell = v1.Call(shell=v1.ShellCall(command="ls"))
    for message in (v1.Escalation(call=shell), v1.Escalation(state="ESCALATION_STATE_OPEN")):
        with pytest.raises(haltgate.UnexpectedAnswer):
            read_escalation(message)
    question = read_escalation(v1.Escalation(call=shell, state="ESCALATION_STATE_OPEN"))
    assert (question.offer, question.raised_at, question.rung) == (None, None, None)


def test_times_are_in_utc() -> None:
    answer = approval()
    answer.timing.arrived_at.FromJsonString("2026-12-01T01:02:03.5Z")
    decision = read_decision(request(), answer)
    assert decision.timing is not None
    assert decision.timing.arrived_at == datetime(2026, 12, 1, 1, 2, 3, 500000, tzinfo=timezone.utc)
    assert decision.timing.decided_at is None


def test_a_time_that_python_cannot_hold_is_absent() -> None:
    answer = approval()
    answer.timing.arrived_at.seconds = 1 << 60
    answer.timing.queued.seconds = 1 << 60
    decision = read_decision(request(), answer)
    assert decision.timing is not None
    assert (decision.timing.arrived_at, decision.timing.queued) == (None, None)


def test_every_error_is_not_approved_and_one_kind() -> None:
    decision = read_decision(request(), approval())
    errors = [
        haltgate.AttackHalted(decision),
        haltgate.Unattended(decision),
        haltgate.UnexpectedAnswer("x"),
        haltgate.GateUnavailable("x"),
        haltgate.GateRefused("x"),
        haltgate.InvalidRequest.of_field("a", "x"),
    ]
    assert all(isinstance(error, haltgate.GateError) and not error.approved for error in errors)
    assert all(not issubclass(type(error), haltgate.GateRefused) for error in errors if "Refused" not in repr(error))
    assert Action.APPROVE.number == 1
