"""What every closed vocabulary has: a value is its own text, and knows its number in the contract.

Promises that only the values of the contract exist: what is unspecified or unknown is no value. Knows no vocabulary.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self


class Vocabulary(str, Enum):
    """A closed vocabulary. A value is equal to its text: ``Action.APPROVE == "APPROVE"``."""

    number: int

    def __new__(cls, text: str, number: int = 0) -> Self:
        """Make a value from its text and its number in the contract; to others, ``Scope("ONCE")`` finds one."""
        value = str.__new__(cls, text)
        value._value_ = text
        value.number = number
        return value

    def __str__(self) -> str:
        """Say the value's text."""
        return str(self.value)

    @property
    def contract_name(self) -> str:
        """The value's name in the contract: ``ACTION_APPROVE``."""
        prefix = re.sub("(?<!^)(?=[A-Z])", "_", type(self).__name__).upper()
        return f"{prefix}_{self.value}"

    @classmethod
    def of_number(cls, number: int) -> Self | None:
        """Return the value with this number in the contract; None when it is unspecified or not known."""
        return next((value for value in cls if value.number == number), None)
