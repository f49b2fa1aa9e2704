from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Action(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_UNSPECIFIED: _ClassVar[Action]
    ACTION_APPROVE: _ClassVar[Action]
    ACTION_REJECT: _ClassVar[Action]
    ACTION_ESCALATE: _ClassVar[Action]
    ACTION_HALT: _ClassVar[Action]
    ACTION_UNATTENDED: _ClassVar[Action]

class Stage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_UNSPECIFIED: _ClassVar[Stage]
    STAGE_NOT_GATED: _ClassVar[Stage]
    STAGE_DENY_LIST: _ClassVar[Stage]
    STAGE_BYPASS: _ClassVar[Stage]
    STAGE_HARDLINE_FLOOR: _ClassVar[Stage]
    STAGE_ESCALATE_ENTRY: _ClassVar[Stage]
    STAGE_ALLOW_LIST: _ClassVar[Stage]
    STAGE_ALLOW_TRIPWIRE: _ClassVar[Stage]
    STAGE_RATER: _ClassVar[Stage]
    STAGE_TOOL_OPEN_WORLD_FLOOR: _ClassVar[Stage]
    STAGE_UNRATED_RUNG: _ClassVar[Stage]

class Scope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCOPE_UNSPECIFIED: _ClassVar[Scope]
    SCOPE_ONCE: _ClassVar[Scope]
    SCOPE_SESSION: _ClassVar[Scope]
    SCOPE_ALWAYS: _ClassVar[Scope]

class Rung(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUNG_UNSPECIFIED: _ClassVar[Rung]
    RUNG_MANUAL: _ClassVar[Rung]
    RUNG_WRITE: _ClassVar[Rung]
    RUNG_ASSISTED: _ClassVar[Rung]
    RUNG_AUTO: _ClassVar[Rung]
    RUNG_BYPASS: _ClassVar[Rung]
ACTION_UNSPECIFIED: Action
ACTION_APPROVE: Action
ACTION_REJECT: Action
ACTION_ESCALATE: Action
ACTION_HALT: Action
ACTION_UNATTENDED: Action
STAGE_UNSPECIFIED: Stage
STAGE_NOT_GATED: Stage
STAGE_DENY_LIST: Stage
STAGE_BYPASS: Stage
STAGE_HARDLINE_FLOOR: Stage
STAGE_ESCALATE_ENTRY: Stage
STAGE_ALLOW_LIST: Stage
STAGE_ALLOW_TRIPWIRE: Stage
STAGE_RATER: Stage
STAGE_TOOL_OPEN_WORLD_FLOOR: Stage
STAGE_UNRATED_RUNG: Stage
SCOPE_UNSPECIFIED: Scope
SCOPE_ONCE: Scope
SCOPE_SESSION: Scope
SCOPE_ALWAYS: Scope
RUNG_UNSPECIFIED: Rung
RUNG_MANUAL: Rung
RUNG_WRITE: Rung
RUNG_ASSISTED: Rung
RUNG_AUTO: Rung
RUNG_BYPASS: Rung
