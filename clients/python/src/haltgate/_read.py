"""From the contract's values to Python's.

Promises that a value which must be known is known, or UnexpectedAnswer. Knows no message of the contract.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from .errors import InvalidRequest, UnexpectedAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message

    from ._vocabulary import Vocabulary

V = TypeVar("V", bound="Vocabulary")


def known(vocabulary: type[V], number: int, field: str) -> V:
    """Return the value with this number, which must be one that this client knows."""
    value = vocabulary.of_number(number)
    if value is None:
        said = "nothing" if number == 0 else f"{number}, which this client does not know"
        raise UnexpectedAnswer(f"the gate's answer has {said} as its {field}")
    return value


def known_all(vocabulary: type[V], numbers: Iterable[int]) -> tuple[V, ...]:
    """Return the values with these numbers, without those that this client does not know."""
    values = (vocabulary.of_number(number) for number in numbers)
    return tuple(value for value in values if value is not None)


def moment(message: Message, field: str) -> datetime | None:
    """Return a message's time in UTC; None when it is absent or no time that Python can hold."""
    if not message.HasField(field):
        return None
    stamp = getattr(message, field)
    try:
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(
            seconds=stamp.seconds, microseconds=stamp.nanos // 1000
        )
    except OverflowError:
        return None


def span(message: Message, field: str) -> timedelta | None:
    """Return a message's duration; None when it is absent or longer than Python can hold."""
    if not message.HasField(field):
        return None
    duration = getattr(message, field)
    try:
        return timedelta(seconds=duration.seconds, microseconds=duration.nanos // 1000)
    except OverflowError:
        return None


def flag(message: Message, field: str) -> bool | None:
    """Return a message's optional boolean; None when it is absent."""
    return bool(getattr(message, field)) if message.HasField(field) else None


def count(message: Message, field: str) -> int | None:
    """Return a message's optional number; None when it is absent."""
    return int(getattr(message, field)) if message.HasField(field) else None


def seconds(value: float | timedelta, field: str) -> float:
    """Return a duration in seconds, which must be one."""
    given = value.total_seconds() if isinstance(value, timedelta) else value
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise InvalidRequest.of_field(field, "must be seconds, or a timedelta, and not negative")
    return float(given)


def duration(value: float) -> Duration:
    """Return seconds as the contract has them."""
    made = Duration()
    made.FromTimedelta(timedelta(seconds=value))
    return made


def timestamp(value: datetime) -> Timestamp:
    """Return a time as the contract has it. A time without a zone is local, as everywhere in Python."""
    made = Timestamp()
    made.FromDatetime(value.astimezone(timezone.utc))
    return made
