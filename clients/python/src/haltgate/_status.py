"""From a gRPC status to a typed error.

Promises that every status is an error of this package, with all that the gate said. Decides nothing about retries.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from .errors import FieldViolation, GateError, GateRefused, GateUnavailable, InvalidRequest, RefusalDetails
from .vocabulary import ErrorReason

DETAILS = "grpc-status-details-bin"
DOMAIN = "haltgate.dev"

# What gRPC for Python reports, beside UNAVAILABLE, for a connection that broke under a call.
BROKEN = ("Stream removed", "RST_STREAM", "Socket closed", "Connection reset")

# What it reports where there is no connection.
NOT_CONNECTED = "failed to connect to all addresses"

M = TypeVar("M", bound=Message)


def read_status(error: grpc.RpcError) -> GateError:
    """Return the error that a status stands for."""
    code = error.code() if isinstance(error, grpc.Call) else _of_aio(error)
    message = error.details() if hasattr(error, "details") else str(error)
    text = message or code.name.lower().replace("_", " ")
    status = _status(error)
    info = _detail(status, error_details_pb2.ErrorInfo)
    retry = _detail(status, error_details_pb2.RetryInfo)
    invalid = _detail(status, error_details_pb2.BadRequest)
    reason_text = info.reason if info is not None and info.domain == DOMAIN else ""
    details = RefusalDetails(
        code=code.name,
        reason=next((reason for reason in ErrorReason if reason.value == reason_text), None),
        reason_text=info.reason if info is not None else "",
        domain=info.domain if info is not None else "",
        metadata=MappingProxyType(dict(info.metadata) if info is not None else {}),
        retry_after=_seconds(retry),
        violations=tuple(
            FieldViolation(violation.field, violation.description)
            for violation in (invalid.field_violations if invalid is not None else ())
        ),
    )
    if code is grpc.StatusCode.INVALID_ARGUMENT:
        return InvalidRequest(text, details)
    unreachable = (
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
    )
    if code in unreachable or (info is None and any(sign in text for sign in BROKEN)):
        return GateUnavailable(text, details)
    return GateRefused(text, details)


def may_pass(fault: GateError) -> bool:
    """Whether the same request may succeed when it is sent again: the connection broke, or the gate says when."""
    if isinstance(fault, GateRefused):
        # Too much to do: it was not begun. Other limits wait for a human, or for somebody else.
        return fault.reason is ErrorReason.OVERLOADED and fault.retry_after is not None
    if not isinstance(fault, GateUnavailable):
        return False
    # A deadline that passed, or a call that somebody cancelled, is not tried again.
    timed_out = fault.details.code in ("DEADLINE_EXCEEDED", "CANCELLED")
    return not timed_out or any(sign in str(fault) for sign in BROKEN)


def was_never_sent(fault: GateError) -> bool:
    """Whether there was no connection to send the request on, so that nothing can have come of it."""
    return isinstance(fault, GateUnavailable) and NOT_CONNECTED in str(fault)


def _of_aio(error: grpc.RpcError) -> grpc.StatusCode:
    code = error.code() if hasattr(error, "code") else None
    return code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.UNKNOWN


def _status(error: grpc.RpcError) -> status_pb2.Status | None:
    trailing: Any = error.trailing_metadata() if hasattr(error, "trailing_metadata") else None
    for key, value in trailing or ():
        if key == DETAILS and isinstance(value, bytes):
            try:
                return status_pb2.Status.FromString(value)
            except DecodeError:
                return None
    return None


def _detail(status: status_pb2.Status | None, kind: type[M]) -> M | None:
    for packed in status.details if status is not None else ():
        detail = kind()
        try:
            if packed.Unpack(detail):
                return detail
        except DecodeError:
            continue
    return None


def _seconds(retry: error_details_pb2.RetryInfo | None) -> float | None:
    if retry is None or not retry.HasField("retry_delay"):
        return None
    return max(0.0, float(retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9))
