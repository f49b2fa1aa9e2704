from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EntryType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENTRY_TYPE_UNSPECIFIED: _ClassVar[EntryType]
    ENTRY_TYPE_SHELL: _ClassVar[EntryType]
    ENTRY_TYPE_TOOL: _ClassVar[EntryType]
    ENTRY_TYPE_MCP_TOOL: _ClassVar[EntryType]

class Matcher(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCHER_UNSPECIFIED: _ClassVar[Matcher]
    MATCHER_EXACT: _ClassVar[Matcher]
    MATCHER_GLOB: _ClassVar[Matcher]
    MATCHER_REGEXP: _ClassVar[Matcher]
    MATCHER_HINT: _ClassVar[Matcher]

class Hint(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HINT_UNSPECIFIED: _ClassVar[Hint]
    HINT_READ_ONLY: _ClassVar[Hint]
    HINT_DESTRUCTIVE: _ClassVar[Hint]
    HINT_IDEMPOTENT: _ClassVar[Hint]
    HINT_OPEN_WORLD: _ClassVar[Hint]
ENTRY_TYPE_UNSPECIFIED: EntryType
ENTRY_TYPE_SHELL: EntryType
ENTRY_TYPE_TOOL: EntryType
ENTRY_TYPE_MCP_TOOL: EntryType
MATCHER_UNSPECIFIED: Matcher
MATCHER_EXACT: Matcher
MATCHER_GLOB: Matcher
MATCHER_REGEXP: Matcher
MATCHER_HINT: Matcher
HINT_UNSPECIFIED: Hint
HINT_READ_ONLY: Hint
HINT_DESTRUCTIVE: Hint
HINT_IDEMPOTENT: Hint
HINT_OPEN_WORLD: Hint

class ToolAnnotations(_message.Message):
    __slots__ = ("read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint")
    READ_ONLY_HINT_FIELD_NUMBER: _ClassVar[int]
    DESTRUCTIVE_HINT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENT_HINT_FIELD_NUMBER: _ClassVar[int]
    OPEN_WORLD_HINT_FIELD_NUMBER: _ClassVar[int]
    read_only_hint: bool
    destructive_hint: bool
    idempotent_hint: bool
    open_world_hint: bool
    def __init__(self, read_only_hint: bool = ..., destructive_hint: bool = ..., idempotent_hint: bool = ..., open_world_hint: bool = ...) -> None: ...

class Entry(_message.Message):
    __slots__ = ("type", "matcher", "pattern", "hints", "server", "host", "rate")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MATCHER_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    HINTS_FIELD_NUMBER: _ClassVar[int]
    SERVER_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    type: EntryType
    matcher: Matcher
    pattern: str
    hints: ToolAnnotations
    server: str
    host: str
    rate: bool
    def __init__(self, type: _Optional[_Union[EntryType, str]] = ..., matcher: _Optional[_Union[Matcher, str]] = ..., pattern: _Optional[str] = ..., hints: _Optional[_Union[ToolAnnotations, _Mapping]] = ..., server: _Optional[str] = ..., host: _Optional[str] = ..., rate: bool = ...) -> None: ...

class RenderedEntry(_message.Message):
    __slots__ = ("entry", "object_text", "summary")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    OBJECT_TEXT_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    entry: Entry
    object_text: str
    summary: str
    def __init__(self, entry: _Optional[_Union[Entry, _Mapping]] = ..., object_text: _Optional[str] = ..., summary: _Optional[str] = ...) -> None: ...
