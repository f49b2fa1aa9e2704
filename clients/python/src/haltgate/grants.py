"""What humans granted and refused, and which hints of which MCP server are believed.

Promises what is stored, as it is stored. Knows nothing of how it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from . import v1 as pb
from ._read import count, known, known_all, moment
from .entries import Annotations, RenderedEntry, read_annotations, read_rendered
from .human import Terms
from .vocabulary import Hint, Scope

__all__ = [
    "Denial",
    "DenialAdded",
    "DroppedItem",
    "Grant",
    "GrantAdded",
    "GrantsExported",
    "GrantsImported",
    "ServerTrust",
    "TrustChanged",
    "TrustView",
]


@dataclass(frozen=True)
class Grant:
    """What a human allowed."""

    entry: RenderedEntry
    scope: Scope
    project: str
    session_id: str
    """Session that it holds in. Empty with ALWAYS."""

    annotations: Annotations | None
    granted_at: datetime | None
    granted_by: str
    terms: Terms | None
    uses_left: int | None
    last_used_at: datetime | None
    raw: pb.Grant = field(repr=False, compare=False)


@dataclass(frozen=True)
class Denial:
    """What a human refused for a session."""

    entry: RenderedEntry
    project: str
    session_id: str
    denied_at: datetime | None
    denied_by: str
    note: str
    raw: pb.Denial = field(repr=False, compare=False)


@dataclass(frozen=True)
class GrantAdded:
    """A grant in force."""

    grant: Grant
    already_granted: bool
    """Whether it was granted before; then it stays as it was."""


@dataclass(frozen=True)
class DenialAdded:
    """A denial in force."""

    denial: Denial
    already_denied: bool
    """Whether it was refused before; then it stays as it was."""


@dataclass(frozen=True)
class ServerTrust:
    """The trust in one MCP server."""

    server: str
    trusted: tuple[Hint, ...]
    configured: bool
    """Whether the session has a server of this key."""

    changed: bool
    """Whether the trust was changed in this session."""


@dataclass(frozen=True)
class TrustView:
    """The trust in force for a session."""

    defaults: tuple[Hint, ...]
    """The hints believed of a server that is not named."""

    servers: tuple[ServerTrust, ...]


@dataclass(frozen=True)
class TrustChanged:
    """What a change of trust does."""

    server: str
    configured: bool
    trusted: tuple[Hint, ...]
    added: tuple[Hint, ...]
    removed: tuple[Hint, ...]
    weakening: tuple[Hint, ...]
    invalidates: tuple[Grant, ...]
    """Grants that are lost at their tool's next call, if it describes itself as it does now."""


@dataclass(frozen=True)
class DroppedItem:
    """An item of an imported file that is no grant."""

    index: int
    reason: str


@dataclass(frozen=True)
class GrantsImported:
    """What was taken over from a file."""

    imported: tuple[Grant, ...]
    already_granted: int
    dropped: tuple[DroppedItem, ...]
    file_version: int


@dataclass(frozen=True)
class GrantsExported:
    """The project's grants as a file."""

    content: str
    grants: int
    skipped: int
    """How many were left out, since the file cannot say their bounds."""


def read_grant(message: pb.Grant) -> Grant:
    """Return a grant that the gate tells of."""
    has = message.HasField
    return Grant(
        entry=read_rendered(message.entry),
        scope=known(Scope, message.scope, "scope"),
        project=message.project,
        session_id=message.session_id,
        annotations=read_annotations(message.annotations) if has("annotations") else None,
        granted_at=moment(message, "granted_at"),
        granted_by=message.granted_by,
        terms=_terms(message.terms) if has("terms") else None,
        uses_left=count(message, "uses_left"),
        last_used_at=moment(message, "last_used_at"),
        raw=message,
    )


def read_grants(messages: Iterable[pb.Grant]) -> tuple[Grant, ...]:
    """Return grants that the gate tells of."""
    return tuple(read_grant(message) for message in messages)


def read_denial(message: pb.Denial) -> Denial:
    """Return a denial that the gate tells of."""
    return Denial(
        entry=read_rendered(message.entry),
        project=message.project,
        session_id=message.session_id,
        denied_at=moment(message, "denied_at"),
        denied_by=message.denied_by,
        note=message.note,
        raw=message,
    )


def read_trust_view(message: pb.TrustView) -> TrustView:
    """Return the trust in force."""
    servers = tuple(
        ServerTrust(server.server, known_all(Hint, server.trusted), server.configured, server.changed)
        for server in message.servers
    )
    return TrustView(known_all(Hint, message.defaults), servers)


def read_trust_changed(message: pb.TrustChanged) -> TrustChanged:
    """Return what a change of trust does."""
    return TrustChanged(
        server=message.server,
        configured=message.configured,
        trusted=known_all(Hint, message.trusted),
        added=known_all(Hint, message.added),
        removed=known_all(Hint, message.removed),
        weakening=known_all(Hint, message.weakening),
        invalidates=read_grants(message.invalidates),
    )


def read_imported(message: pb.GrantsImported) -> GrantsImported:
    """Return what was taken over from a file."""
    return GrantsImported(
        imported=read_grants(message.imported),
        already_granted=message.already_granted,
        dropped=tuple(DroppedItem(item.index, item.reason) for item in message.dropped),
        file_version=message.file_version,
    )


def read_exported(message: pb.GrantsExported) -> GrantsExported:
    """Return the project's grants as a file."""
    return GrantsExported(message.content, message.grants, message.skipped)


def _terms(message: pb.GrantTerms) -> Terms:
    return Terms(moment(message, "expires_at"), count(message, "max_uses"), message.note)
