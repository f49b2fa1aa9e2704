"""What every request has in common.

Promises that what cannot be sent is an InvalidRequest, and ids that nobody else makes. Sends nothing.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import GateError, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._vocabulary import Vocabulary


@contextmanager
def building() -> Iterator[None]:
    """Turn what a message cannot hold into an InvalidRequest."""
    try:
        yield
    except GateError:
        raise
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise InvalidRequest.of_field("request", f"cannot be sent: {error}") from error


def new_id() -> str:
    """Return an id for a request."""
    return str(uuid.uuid4())


def all_named(values: Iterable[Vocabulary]) -> list[str]:
    """Return the names of values in the contract."""
    return [value.contract_name for value in values]


def named(value: Vocabulary | None) -> str | None:
    """Return the name of a value in the contract; None stays None."""
    return None if value is None else value.contract_name
