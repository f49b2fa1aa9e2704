"""Why a call was not approved, when that is no ordinary rejection.

Promises one base class: whatever is raised, the call must not run. Knows nothing of gRPC.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from .vocabulary import ErrorReason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .decisions import Decision

__all__ = [
    "AttackHalted",
    "FieldViolation",
    "GateError",
    "GateRefused",
    "GateUnavailable",
    "InvalidRequest",
    "RefusalDetails",
    "Unattended",
    "UnexpectedAnswer",
]


class GateError(Exception):
    """The call is not approved and must not run. What led to it is the ``__cause__``, where there is one."""

    @property
    def approved(self) -> bool:
        """False, whatever happened."""
        return False

    @property
    def retry_after(self) -> float | None:
        """Seconds after which a retry has a chance; None when nobody said."""
        return None


class AttackHalted(GateError):
    """The run was halted, by this call or before it: end the run now, and give the model nothing."""

    def __init__(self, decision: Decision) -> None:
        """Halt with the decision that says so."""
        super().__init__(decision.message or "the run is halted")
        self.decision = decision


class Unattended(GateError):
    """Approval was needed and nobody can answer: end the run, and the program with a non-zero exit."""

    def __init__(self, decision: Decision) -> None:
        """End with the decision that says so."""
        super().__init__(decision.message or "approval was needed and nobody can answer")
        self.decision = decision


class UnexpectedAnswer(GateError):
    """The gate's answer has a value that this client does not know, lacks one, or answers something else."""


@dataclass(frozen=True)
class FieldViolation:
    """A field that was not accepted."""

    field: str
    """Path of the field, from the request: ``call.shell.command``."""

    description: str
    """What is wrong with it."""


@dataclass(frozen=True)
class RefusalDetails:
    """What the gate said beside its message."""

    code: str = "UNKNOWN"
    """Name of the gRPC status: ``FAILED_PRECONDITION``."""

    reason: ErrorReason | None = None
    """Why; None when the gate did not say, or said what this client does not know."""

    reason_text: str = ""
    """The reason as it was sent, also when this client does not know it."""

    domain: str = ""
    """Whose reason it is: ``haltgate.dev``. Another, or none, means that something on the way refused."""

    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What the reason documents: :class:`~haltgate.ErrorReason`."""

    retry_after: float | None = None
    """Seconds after which a retry has a chance; None when the gate did not say."""

    violations: Sequence[FieldViolation] = ()
    """The fields that were not accepted."""


class _Refusal(GateError):
    def __init__(self, message: str, details: RefusalDetails | None = None) -> None:
        """Refuse with what the gate said."""
        super().__init__(message)
        self.details = details or RefusalDetails()

    @property
    def reason(self) -> ErrorReason | None:
        """Why; None when the gate did not say, or said what this client does not know."""
        return self.details.reason

    @property
    def metadata(self) -> Mapping[str, str]:
        """What the reason documents."""
        return self.details.metadata

    @property
    def retry_after(self) -> float | None:
        """Seconds after which a retry has a chance; None when nobody said."""
        return self.details.retry_after


class GateUnavailable(_Refusal):
    """The gate cannot be reached, did not answer in time, or is shutting down."""


class GateRefused(_Refusal):
    """The gate did not decide; ``reason`` says why."""

    @property
    def role(self) -> str:
        """The caller's role, such as ``agent``; empty unless the reason is ``ROLE_NOT_ALLOWED``."""
        return self.metadata.get("role", "")

    @property
    def needed(self) -> Sequence[str]:
        """What would have been let in.

        The roles that may, for ``ROLE_NOT_ALLOWED``; the kinds of credentials, for ``CREDENTIALS_MISSING``.
        """
        match self.reason:
            case ErrorReason.ROLE_NOT_ALLOWED:
                names = self.metadata.get("needed", "")
            case ErrorReason.CREDENTIALS_MISSING:
                names = self.metadata.get("accepted", "")
            case _:
                names = ""
        return tuple(name for name in names.split(",") if name)


class InvalidRequest(_Refusal, ValueError):
    """The request has a field with a value that it may not have; ``violations`` say which and why."""

    @property
    def violations(self) -> Sequence[FieldViolation]:
        """The fields that were not accepted."""
        return self.details.violations

    @classmethod
    def of_field(cls, field_path: str, description: str) -> InvalidRequest:
        """Refuse one field before anything is sent."""
        violation = FieldViolation(field_path, description)
        details = RefusalDetails(
            code="INVALID_ARGUMENT",
            reason=ErrorReason.INVALID_FIELD,
            reason_text=ErrorReason.INVALID_FIELD.value,
            violations=(violation,),
        )
        return cls(f"{field_path}: {description}", details)
