"""When a request is sent again, by a clock that the test moves."""

from __future__ import annotations

import pytest

import haltgate
from haltgate import ErrorReason, GateRefused, GateUnavailable, RefusalDetails, v1
from haltgate._retry import HELD, RECONNECTED, Attempts, Backoff, Waiting
from haltgate.decisions import Decision, read_decision


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def gone(retry_after: float | None = None, code: str = "UNAVAILABLE") -> GateUnavailable:
    return GateUnavailable("gone", RefusalDetails(code=code, retry_after=retry_after))


def overloaded(retry_after: float | None) -> GateRefused:
    details = RefusalDetails(code="RESOURCE_EXHAUSTED", reason=ErrorReason.OVERLOADED, retry_after=retry_after)
    return GateRefused("full", details)


def escalated() -> Decision:
    request = v1.DecideRequest(session_id="s", request_id="q")
    answer = v1.DecideResponse(
        action="ACTION_ESCALATE",
        stage="STAGE_ESCALATE_ENTRY",
        rung="RUNG_AUTO",
        decision_id="d",
        session_id="s",
        request_id="q",
        escalation_id="e",
    )
    return read_decision(request, answer)


def test_pauses_double_from_50_ms_to_a_second_with_full_jitter() -> None:
    bounds: list[tuple[float, float]] = []

    def pick(low: float, high: float) -> float:
        bounds.append((low, high))
        return high

    backoff = Backoff(pick=pick)
    assert [backoff.pause() for _ in range(7)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert {low for low, _ in bounds} == {0.0}
    backoff.reset()
    assert backoff.pause() == 0.05


def test_what_the_gate_asks_for_is_the_least_pause() -> None:
    assert Backoff().pause(at_least=3.0) == 3.0


def test_there_are_four_attempts_at_most() -> None:
    attempts = Attempts(10, repeatable=True, clock=Clock())
    assert [attempts.pause_after(gone()) is None for _ in range(4)] == [False, False, False, True]


NEVER_SENT = GateUnavailable("failed to connect to all addresses; last error: …", RefusalDetails(code="UNAVAILABLE"))


def test_grpc_is_given_the_time_to_connect_again_before_the_last_attempt() -> None:
    attempts = Attempts(10, repeatable=True, clock=Clock())
    given = []
    while attempts.pause_after(NEVER_SENT) is not None:
        given.append(attempts.patience(NEVER_SENT))
    assert given == [0.0, 0.0, RECONNECTED]
    assert attempts.patience(gone()) == 0.0
    waiting = Waiting(max_wait=None, reconnect_for=30, clock=Clock())
    assert (waiting.patience(NEVER_SENT), waiting.patience(gone())) == (RECONNECTED, 0.0)


def test_what_is_not_repeatable_is_sent_once_unless_there_was_no_connection_to_send_it_on() -> None:
    assert Attempts(10, repeatable=False, clock=Clock()).pause_after(gone()) is None
    never_sent = GateUnavailable(
        "failed to connect to all addresses; last error: …", RefusalDetails(code="UNAVAILABLE")
    )
    assert Attempts(10, repeatable=False, clock=Clock()).pause_after(never_sent) is not None


@pytest.mark.parametrize(
    "fault",
    [
        gone(code="DEADLINE_EXCEEDED"),
        gone(code="CANCELLED"),
        GateRefused("no"),
        GateRefused("who?", RefusalDetails(code="UNAUTHENTICATED", reason=ErrorReason.CREDENTIALS_MISSING)),
        GateRefused("no", RefusalDetails(code="PERMISSION_DENIED", reason=ErrorReason.ROLE_NOT_ALLOWED)),
        GateRefused("full", RefusalDetails(code="RESOURCE_EXHAUSTED", retry_after=0.5)),
        overloaded(None),
        GateRefused("full", RefusalDetails("RESOURCE_EXHAUSTED", ErrorReason.TOO_MANY_OPEN, retry_after=0.5)),
        haltgate.InvalidRequest.of_field("a", "b"),
    ],
)
def test_only_what_may_pass_is_sent_again(fault: haltgate.GateError) -> None:
    assert Attempts(10, repeatable=True, clock=Clock()).pause_after(fault) is None
    assert Waiting(max_wait=None, reconnect_for=30, clock=Clock()).pause_after_fault(fault) is None


def test_a_gate_with_too_much_to_do_is_asked_again_when_it_says_and_not_past_the_deadline() -> None:
    attempts = Attempts(10, repeatable=True, clock=Clock())
    assert attempts.pause_after(overloaded(3.0)) == 3.0
    assert attempts.pause_after(overloaded(11.0)) is None
    waiting = Waiting(max_wait=None, reconnect_for=30, clock=Clock())
    assert waiting.pause_after_fault(overloaded(3.0)) == 3.0
    assert waiting.pause_after_fault(overloaded(31.0)) is None


def test_what_is_not_repeatable_is_not_sent_again_to_a_gate_with_too_much_to_do() -> None:
    assert Attempts(10, repeatable=False, clock=Clock()).pause_after(overloaded(0.5)) is None


def test_no_attempt_begins_past_the_deadline() -> None:
    clock = Clock()
    attempts = Attempts(10, repeatable=True, clock=clock)
    assert attempts.pause_after(gone(retry_after=9.0)) == 9.0
    clock.now += 9
    assert attempts.remaining() == pytest.approx(1.0)
    assert attempts.pause_after(gone(retry_after=2.0)) is None


def test_a_waiting_decision_looks_for_its_gate_for_so_long_and_no_longer() -> None:
    clock = Clock()
    waiting = Waiting(max_wait=None, reconnect_for=30, clock=clock)
    waiting.hold()
    clock.now += 1000
    assert waiting.pause_after_fault(gone()) is not None
    clock.now += 28
    assert waiting.pause_after_fault(gone()) is not None
    clock.now += 2
    assert waiting.pause_after_fault(gone()) is None


def test_an_answer_in_between_begins_the_looking_anew() -> None:
    clock = Clock()
    waiting = Waiting(max_wait=None, reconnect_for=30, clock=clock)
    assert waiting.pause_after_fault(gone()) is not None
    clock.now += 29
    waiting.hold()
    clock.now += 10
    assert waiting.pause_after_escalation(escalated()) == 0.0
    clock.now += 60
    assert waiting.pause_after_fault(gone()) is not None


def test_one_request_is_held_for_a_minute_and_never_past_the_end_of_the_waiting() -> None:
    clock = Clock()
    assert Waiting(max_wait=None, reconnect_for=30, clock=clock).hold() == HELD == 60
    waiting = Waiting(max_wait=90, reconnect_for=30, clock=clock)
    assert waiting.hold() == 60
    clock.now += 60
    assert waiting.pause_after_escalation(escalated()) == 0.0
    assert waiting.hold() == 30
    clock.now += 30
    assert waiting.pause_after_escalation(escalated()) is None
    assert waiting.pause_after_fault(gone()) is None


def test_a_gate_that_does_not_hold_requests_is_not_asked_in_a_tight_loop() -> None:
    clock = Clock()
    waiting = Waiting(max_wait=None, reconnect_for=30, clock=clock)
    pauses = []
    for _ in range(200):
        waiting.hold()
        pause = waiting.pause_after_escalation(escalated())
        assert pause is not None
        pauses.append(pause)
    assert sum(pauses) > 20
