"""Entries of the rule lists, and the annotations of tools.

Promises that nothing in an entry is inferred. Knows nothing of who added it.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import v1 as pb
from ._read import flag
from .errors import InvalidRequest
from .vocabulary import EntryType, Matcher

__all__ = ["Annotations", "Entry", "RenderedEntry"]


@dataclass(frozen=True)
class Annotations:
    """The four hints of a tool. In a declaration or a pattern, None says nothing about a hint."""

    read_only: bool | None = None
    """The tool changes nothing."""

    destructive: bool | None = None
    """The tool may destroy what it changes."""

    idempotent: bool | None = None
    """Repeating a call changes nothing more."""

    open_world: bool | None = None
    """The tool reaches parties outside."""


@dataclass(frozen=True)
class Entry:
    """One entry of a rule list. What is left out imposes no condition."""

    type: EntryType
    """Kind of call that it speaks of."""

    matcher: Matcher
    """How the pattern is compared."""

    pattern: str | Annotations
    """What is compared: annotations with ``Matcher.HINT``, text with any other matcher."""

    server: str = ""
    """Key of the server, with ``EntryType.MCP_TOOL``; ``*`` is every server."""

    host: str = ""
    """Host that the arguments must name. Not with ``EntryType.SHELL``."""

    rate: bool | None = None
    """Whether what an allow entry matched is still rated. Default: only an exact shell entry is not."""


@dataclass(frozen=True)
class RenderedEntry:
    """An entry with the two texts that people know it by."""

    object_text: str
    """The entry as one would write it in a policy file. Raw text."""

    summary: str
    """The entry in one line: ``git push (glob)``. Raw text."""

    entry: Entry | None
    """The entry; None when it has a type or a matcher that this client does not know."""


def write_entry(entry: Entry) -> pb.Entry:
    """Return an entry as the contract has it."""
    message = pb.Entry(
        type=entry.type.contract_name,
        matcher=entry.matcher.contract_name,
        server=entry.server,
        host=entry.host,
    )
    if entry.rate is not None:
        message.rate = entry.rate
    if isinstance(entry.pattern, Annotations):
        message.hints.CopyFrom(write_annotations(entry.pattern))
    elif isinstance(entry.pattern, str):
        message.pattern = entry.pattern
    else:
        raise InvalidRequest.of_field("entry.pattern", "must be text or Annotations")
    return message


def read_rendered(message: pb.RenderedEntry) -> RenderedEntry:
    """Return an entry that the gate tells of."""
    raw = message.entry
    kind, matcher = EntryType.of_number(raw.type), Matcher.of_number(raw.matcher)
    entry = None
    if kind is not None and matcher is not None:
        pattern = read_annotations(raw.hints) if raw.HasField("hints") else raw.pattern
        entry = Entry(kind, matcher, pattern, raw.server, raw.host, flag(raw, "rate"))
    return RenderedEntry(message.object_text, message.summary, entry)


def write_annotations(annotations: Annotations) -> pb.ToolAnnotations:
    """Return annotations as the contract has them."""
    hints = {
        "read_only_hint": annotations.read_only,
        "destructive_hint": annotations.destructive,
        "idempotent_hint": annotations.idempotent,
        "open_world_hint": annotations.open_world,
    }
    return pb.ToolAnnotations(**{hint: value for hint, value in hints.items() if value is not None})


def read_annotations(message: pb.ToolAnnotations) -> Annotations:
    """Return annotations that the gate tells of."""
    return Annotations(
        flag(message, "read_only_hint"),
        flag(message, "destructive_hint"),
        flag(message, "idempotent_hint"),
        flag(message, "open_world_hint"),
    )
