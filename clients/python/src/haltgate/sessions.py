"""Sessions as the gate knows them.

Promises a view of a session at one moment. Knows nothing of decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from . import v1 as pb
from ._read import count, known, moment
from .decisions import Budget, Notice, read_budget, read_notices
from .entries import Annotations, read_annotations, write_annotations
from .grants import TrustView, read_trust_view
from .human import Negotiation, read_negotiation
from .vocabulary import Rung, SessionState

__all__ = ["OpenedSession", "SessionDetails", "SessionInfo", "Tool"]


@dataclass(frozen=True)
class Tool:
    """A tool as its provider describes it. Nothing in it is believed unless the policy says so."""

    registered_name: str
    """Name that the agent calls it by: ``mcp__<server>__<tool>`` for a tool of an MCP server."""

    description: str = ""
    """For people. It never reaches a rater."""

    annotations: Annotations | None = None
    """What the provider declares. Default: nothing."""


@dataclass(frozen=True)
class SessionInfo:
    """One conversation of one agent."""

    session_id: str
    project: str
    state: SessionState
    rung: Rung
    interactive: bool
    """Whether a human may be asked."""

    command: str
    labels: Mapping[str, str]
    cwd: str
    home: str
    mcp_servers: tuple[str, ...]
    tool_count: int
    opened_at: datetime | None
    last_used_at: datetime | None
    closed_at: datetime | None
    policy_revision: str
    halted_runs: tuple[str, ...]
    """The runs that are halted, the latest first, at most 100."""

    open_escalations: int
    rater_profile: str
    raw: pb.Session = field(repr=False, compare=False)


@dataclass(frozen=True)
class OpenedSession:
    """What opening or changing a session gave."""

    info: SessionInfo
    reopened: bool
    """Whether it existed before."""

    notices: tuple[Notice, ...]


@dataclass(frozen=True)
class SessionDetails:
    """One session with everything that it is judged by."""

    info: SessionInfo
    denylist: tuple[str, ...]
    """Every deny entry in force in one line, at most 1,000. Raw text."""

    budget: Budget
    negotiation: Negotiation | None
    trust: TrustView
    tools: tuple[Tool, ...] | None
    """None unless they were asked for."""

    session_grants: int
    """How many grants and declared allow entries hold in it."""

    always_grants: int | None
    """How many grants of the project hold; None when they were not needed yet."""

    denials: int
    rater_timeouts: int
    raw: pb.GetSessionResponse = field(repr=False, compare=False)
    """The gate's message itself, with the posture."""


def write_tools(tools: Iterable[Tool]) -> pb.ToolCatalogue:
    """Return tools as the contract has them."""
    return pb.ToolCatalogue(
        tools=[
            pb.ToolDeclaration(
                registered_name=tool.registered_name,
                description=tool.description,
                annotations=write_annotations(tool.annotations) if tool.annotations else None,
            )
            for tool in tools
        ]
    )


def read_session(message: pb.Session) -> SessionInfo:
    """Return a session that the gate tells of."""
    return SessionInfo(
        session_id=message.session_id,
        project=message.project,
        state=known(SessionState, message.state, "state"),
        rung=known(Rung, message.rung, "rung"),
        interactive=message.interactive,
        command=message.command,
        labels=dict(message.labels),
        cwd=message.cwd,
        home=message.home,
        mcp_servers=tuple(message.mcp_servers),
        tool_count=message.tool_count,
        opened_at=moment(message, "opened_at"),
        last_used_at=moment(message, "last_used_at"),
        closed_at=moment(message, "closed_at"),
        policy_revision=message.policy_revision,
        halted_runs=tuple(message.halted_runs),
        open_escalations=message.open_escalations,
        rater_profile=message.rater_profile,
        raw=message,
    )


def read_opened(message: pb.OpenSessionResponse) -> OpenedSession:
    """Return what opening a session gave."""
    return OpenedSession(read_session(message.session), message.reopened, read_notices(message.notices))


def read_updated(message: pb.UpdateSessionResponse) -> OpenedSession:
    """Return what changing a session gave."""
    return OpenedSession(read_session(message.session), True, read_notices(message.notices))


def read_details(message: pb.GetSessionResponse) -> SessionDetails:
    """Return a session with everything that it is judged by."""
    has = message.HasField
    tools = tuple(
        Tool(
            tool.registered_name,
            tool.description,
            read_annotations(tool.annotations) if tool.HasField("annotations") else None,
        )
        for tool in message.tools.tools
    )
    return SessionDetails(
        info=read_session(message.session),
        denylist=tuple(message.denylist),
        budget=read_budget(message.budget),
        negotiation=read_negotiation(message.negotiation) if has("negotiation") else None,
        trust=read_trust_view(message.trust),
        tools=tools if has("tools") else None,
        session_grants=message.counts.session,
        always_grants=count(message.counts, "always"),
        denials=message.counts.denials,
        rater_timeouts=message.rater_timeouts,
        raw=message,
    )
