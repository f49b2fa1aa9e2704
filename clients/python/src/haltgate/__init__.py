"""Client for haltgate, the approval gate for AI agents.

    import haltgate

    with haltgate.connect() as gate:
        session = gate.open_session()
        decision = session.decide_shell("git status")
        print(decision.action, decision.message)

Promises that nothing but a complete APPROVE is ever ``approved``: everything else is another action, or a GateError.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from ._async.client import AsyncClient
from ._async.feed import AsyncFeed
from ._async.grants import AsyncGrants
from ._async.session import AsyncSession
from ._read import seconds
from ._sync.client import Client
from ._sync.feed import Feed
from ._sync.grants import Grants
from ._sync.session import Session
from ._target import DEFAULT_TARGET, Connection
from ._trace import Headers
from ._version import VERSION
from .calls import Call, McpToolCall, RegisteredCall, ShellCall, ToolCall
from .decisions import (
    Budget,
    Decision,
    ExplainedSegment,
    ExplainedStep,
    Explanation,
    MatchedRule,
    Notice,
    Timing,
)
from .entries import Annotations, Entry, RenderedEntry
from .errors import (
    AttackHalted,
    FieldViolation,
    GateError,
    GateRefused,
    GateUnavailable,
    InvalidRequest,
    RefusalDetails,
    Unattended,
    UnexpectedAnswer,
)
from .feeds import Answered, Expired, FeedEvent, Raised, Restarted, SnapshotEnd, Withdrawn
from .grants import (
    Denial,
    DenialAdded,
    DroppedItem,
    Grant,
    GrantAdded,
    GrantsExported,
    GrantsImported,
    ServerTrust,
    TrustChanged,
    TrustView,
)
from .human import (
    AttackHalt,
    Escalation,
    HumanAnswer,
    Negotiation,
    NegotiationRound,
    Offer,
    Prompt,
    Question,
    Terms,
)
from .ratings import FloorFinding, Rated, Rating
from .records import AuditReport, BrokenLink, DecisionRecord, ServerInfo
from .sessions import OpenedSession, SessionDetails, SessionInfo, Tool
from .vocabulary import (
    Action,
    AttackHaltState,
    EntryType,
    ErrorReason,
    EscalationState,
    FloorKind,
    Hint,
    HumanInvolvement,
    Matcher,
    NotedHead,
    NoticeCode,
    NoticeLevel,
    Outcome,
    RatingCause,
    RatingSource,
    RuleLayer,
    RuleList,
    Rung,
    Scope,
    SessionState,
    ShellDialect,
    SortOrder,
    Stage,
    Verdict,
)

__version__ = VERSION

__all__ = [
    "DEFAULT_TARGET",
    "Action",
    "Annotations",
    "Answered",
    "AsyncClient",
    "AsyncFeed",
    "AsyncGrants",
    "AsyncSession",
    "AttackHalt",
    "AttackHaltState",
    "AttackHalted",
    "AuditReport",
    "BrokenLink",
    "Budget",
    "Call",
    "Client",
    "Decision",
    "DecisionRecord",
    "Denial",
    "DenialAdded",
    "DroppedItem",
    "Entry",
    "EntryType",
    "ErrorReason",
    "Escalation",
    "EscalationState",
    "Expired",
    "ExplainedSegment",
    "ExplainedStep",
    "Explanation",
    "Feed",
    "FeedEvent",
    "FieldViolation",
    "FloorFinding",
    "FloorKind",
    "GateError",
    "GateRefused",
    "GateUnavailable",
    "Grant",
    "GrantAdded",
    "Grants",
    "GrantsExported",
    "GrantsImported",
    "Hint",
    "HumanAnswer",
    "HumanInvolvement",
    "InvalidRequest",
    "MatchedRule",
    "Matcher",
    "McpToolCall",
    "Negotiation",
    "NegotiationRound",
    "NotedHead",
    "Notice",
    "NoticeCode",
    "NoticeLevel",
    "Offer",
    "OpenedSession",
    "Outcome",
    "Prompt",
    "Question",
    "Raised",
    "Rated",
    "Rating",
    "RatingCause",
    "RatingSource",
    "RefusalDetails",
    "RegisteredCall",
    "RenderedEntry",
    "Restarted",
    "RuleLayer",
    "RuleList",
    "Rung",
    "Scope",
    "ServerInfo",
    "ServerTrust",
    "Session",
    "SessionDetails",
    "SessionInfo",
    "SessionState",
    "ShellCall",
    "ShellDialect",
    "SnapshotEnd",
    "SortOrder",
    "Stage",
    "Terms",
    "Timing",
    "Tool",
    "ToolCall",
    "TrustChanged",
    "TrustView",
    "Unattended",
    "UnexpectedAnswer",
    "Verdict",
    "Withdrawn",
    "__version__",
    "connect",
    "connect_async",
]


def connect(
    target: str | None = None,
    *,
    token: str | None = None,
    token_in_clear: bool = False,
    ca: str | Path | bytes | None = None,
    certificate: str | Path | bytes | None = None,
    key: str | Path | bytes | None = None,
    deadline: float | timedelta = 10.0,
    reconnect_for: float | timedelta = 30.0,
    project: str = "default",
    headers: Headers | None = None,
) -> Client:
    """Connect to a gate. Nothing is sent until something is asked.

    Args:
        target: ``HOST:PORT`` or ``http://HOST:PORT`` without encryption, ``https://HOST:PORT`` with it, or
            ``unix:/PATH``. Default: the variable HALTGATE_TARGET, else 127.0.0.1:7557.
        token: bearer token, sent with every request. Refused where it would leave the machine unencrypted, unless
        token_in_clear: says that this is meant, as behind a proxy that encrypts.
        ca: authorities that the gate's certificate may come from, as PEM or as the path of a file. Default: those that
            gRPC knows.
        certificate: the client's own certificate, likewise.
        key: the key of that certificate, likewise.
        deadline: seconds that one request may take, with its repetitions. Waiting for a human comes on top.
        reconnect_for: seconds that a decision which waits for a human looks for a gate that is gone.
        project: project of every request.
        headers: called for each request, returns headers to send with it. Default: the trace that is current, where
            OpenTelemetry is installed.

    Raises:
        InvalidRequest: the target, the token or a certificate cannot be used.
    """
    return Client(
        Connection.plan(
            target,
            token=token,
            token_in_clear=token_in_clear,
            ca=ca,
            certificate=certificate,
            key=key,
            headers=headers,
        ),
        deadline=seconds(deadline, "deadline"),
        reconnect_for=seconds(reconnect_for, "reconnect_for"),
        project=project,
    )


def connect_async(
    target: str | None = None,
    *,
    token: str | None = None,
    token_in_clear: bool = False,
    ca: str | Path | bytes | None = None,
    certificate: str | Path | bytes | None = None,
    key: str | Path | bytes | None = None,
    deadline: float | timedelta = 10.0,
    reconnect_for: float | timedelta = 30.0,
    project: str = "default",
    headers: Headers | None = None,
) -> AsyncClient:
    """Connect to a gate for asyncio: like :func:`connect`, and not awaited, since nothing is sent yet."""
    return AsyncClient(
        Connection.plan(
            target,
            token=token,
            token_in_clear=token_in_clear,
            ca=ca,
            certificate=certificate,
            key=key,
            headers=headers,
        ),
        deadline=seconds(deadline, "deadline"),
        reconnect_for=seconds(reconnect_for, "reconnect_for"),
        project=project,
    )
