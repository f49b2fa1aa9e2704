"""Feeds, message by message: what no real gate can be brought to do without a race."""

from __future__ import annotations

import pytest

import haltgate
from haltgate import (
    ErrorReason,
    GateRefused,
    GateUnavailable,
    InvalidRequest,
    Raised,
    RefusalDetails,
    Restarted,
    SnapshotEnd,
    v1,
)
from haltgate._follow import Following, read_feed_escalation


def following(after: str = "") -> Following[haltgate.Escalation]:
    feed = Following(after, read_feed_escalation)
    feed.opened()
    return feed


def raised(name: str, cursor: str = "") -> v1.StreamEscalationsResponse:
    call = v1.Call(shell=v1.ShellCall(command=name))
    question = v1.Escalation(escalation_id=name, call=call, state="ESCALATION_STATE_OPEN")
    return v1.StreamEscalationsResponse(cursor=cursor, raised=question)


def end(cursor: str, count: int = 0) -> v1.StreamEscalationsResponse:
    return v1.StreamEscalationsResponse(cursor=cursor, snapshot_end=v1.SnapshotEnd(open=count))


def heartbeat(cursor: str) -> v1.StreamEscalationsResponse:
    return v1.StreamEscalationsResponse(cursor=cursor, heartbeat=v1.Heartbeat())


def hint(cursor: str) -> v1.StreamEscalationsResponse:
    return v1.StreamEscalationsResponse(cursor=cursor, resume_hint=v1.ResumeHint(reason="RESUME_REASON_DRAINING"))


GONE = GateUnavailable("gone", RefusalDetails(code="UNAVAILABLE"))


TOO_OLD = GateRefused("old", RefusalDetails(code="OUT_OF_RANGE", reason=ErrorReason.CURSOR_TOO_OLD))
NEVER_GIVEN = InvalidRequest("no", RefusalDetails(code="INVALID_ARGUMENT", reason=ErrorReason.CURSOR_INVALID))


def test_a_feed_goes_on_behind_the_last_message_heartbeats_included() -> None:
    feed = following()
    assert feed.message(end("c1")) == SnapshotEnd(0)
    assert isinstance(feed.message(raised("one", "c2")), Raised)
    assert feed.message(heartbeat("c3")) is None
    assert feed.broken(GONE)[0] is None
    assert feed.cursor == "c3"


def test_a_snapshot_that_was_cut_off_is_told_from_the_beginning() -> None:
    feed = following()
    feed.message(raised("one"))
    restarted, _ = feed.broken(GONE)
    assert restarted == Restarted()
    assert feed.cursor == ""
    # Cut off before anything was told of it, there is nothing to forget.
    assert feed.broken(GONE)[0] is None


@pytest.mark.parametrize("refused", [TOO_OLD, NEVER_GIVEN])
def test_a_cursor_that_is_refused_begins_the_feed_anew_at_once(refused: haltgate.GateError) -> None:
    feed = following("c1")
    assert feed.broken(refused) == (Restarted(), 0.0)
    assert feed.cursor == ""


def test_a_gate_that_refuses_a_cursor_that_was_not_sent_is_not_asked_in_a_tight_loop() -> None:
    assert following().broken(TOO_OLD)[1] >= 0
    with pytest.raises(InvalidRequest):
        following().broken(NEVER_GIVEN)


def test_a_hint_reopens_at_once_but_not_in_a_tight_loop() -> None:
    feed = following("c1")
    feed.message(heartbeat("c2"))
    feed.message(hint("c3"))
    assert feed.broken(None) == (None, 0.0)
    assert feed.cursor == "c3"
    pauses = []
    for _ in range(50):
        feed.opened()
        feed.message(hint("c3"))
        pauses.append(feed.broken(None)[1])
    assert max(pauses) > 0


def test_pauses_grow_to_5_seconds_and_begin_anew_with_the_next_message() -> None:
    feed = following("c1")
    pauses = [feed.broken(GONE)[1] for _ in range(200)]
    assert 1 < max(pauses) <= 5
    feed.message(heartbeat("c2"))
    assert feed.broken(GONE)[1] <= 0.05


def test_what_the_gate_asks_for_is_the_least_pause() -> None:
    full = GateRefused("full", RefusalDetails(code="RESOURCE_EXHAUSTED", retry_after=4.0))
    assert following().broken(full)[1] >= 4.0


@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "PERMISSION_DENIED", "UNIMPLEMENTED"])
def test_what_reconnecting_cannot_mend_is_raised(code: str) -> None:
    with pytest.raises(GateRefused):
        following().broken(GateRefused("no", RefusalDetails(code=code)))


@pytest.mark.parametrize("code", ["INTERNAL", "UNKNOWN", "RESOURCE_EXHAUSTED"])
def test_everything_else_is_tried_again(code: str) -> None:
    assert following().broken(GateRefused("no", RefusalDetails(code=code)))[0] is None


def test_an_event_that_only_a_newer_client_knows_is_skipped_with_its_cursor() -> None:
    feed = following("c1")
    message = v1.StreamEscalationsResponse(cursor="c2")
    # Field 100, which is no event of this version.
    message.MergeFromString(b"\xa2\x06\x00")
    assert feed.message(message) is None
    assert feed.cursor == "c2"
