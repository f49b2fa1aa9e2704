from google.protobuf import duration_pb2 as _duration_pb2
from haltgate.v1 import call_pb2 as _call_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_SAFE: _ClassVar[Outcome]
    OUTCOME_DESTRUCTIVE: _ClassVar[Outcome]
    OUTCOME_CATASTROPHIC: _ClassVar[Outcome]
    OUTCOME_ATTACK: _ClassVar[Outcome]

class RatingSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATING_SOURCE_UNSPECIFIED: _ClassVar[RatingSource]
    RATING_SOURCE_BUILT_IN: _ClassVar[RatingSource]
    RATING_SOURCE_MODEL: _ClassVar[RatingSource]
    RATING_SOURCE_FLOOR: _ClassVar[RatingSource]

class RatingCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATING_CAUSE_UNSPECIFIED: _ClassVar[RatingCause]
    RATING_CAUSE_NOT_ASSESSED: _ClassVar[RatingCause]
    RATING_CAUSE_NO_MODEL: _ClassVar[RatingCause]
    RATING_CAUSE_TIMEOUT: _ClassVar[RatingCause]
    RATING_CAUSE_UNPARSEABLE: _ClassVar[RatingCause]
    RATING_CAUSE_TRANSPORT: _ClassVar[RatingCause]
    RATING_CAUSE_CIRCUIT_OPEN: _ClassVar[RatingCause]
    RATING_CAUSE_BUDGET_SPENT: _ClassVar[RatingCause]

class FloorKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FLOOR_KIND_UNSPECIFIED: _ClassVar[FloorKind]
    FLOOR_KIND_NETWORK_HOST: _ClassVar[FloorKind]
    FLOOR_KIND_ENVIRONMENT_LEAK: _ClassVar[FloorKind]
    FLOOR_KIND_OPEN_WORLD: _ClassVar[FloorKind]
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_SAFE: Outcome
OUTCOME_DESTRUCTIVE: Outcome
OUTCOME_CATASTROPHIC: Outcome
OUTCOME_ATTACK: Outcome
RATING_SOURCE_UNSPECIFIED: RatingSource
RATING_SOURCE_BUILT_IN: RatingSource
RATING_SOURCE_MODEL: RatingSource
RATING_SOURCE_FLOOR: RatingSource
RATING_CAUSE_UNSPECIFIED: RatingCause
RATING_CAUSE_NOT_ASSESSED: RatingCause
RATING_CAUSE_NO_MODEL: RatingCause
RATING_CAUSE_TIMEOUT: RatingCause
RATING_CAUSE_UNPARSEABLE: RatingCause
RATING_CAUSE_TRANSPORT: RatingCause
RATING_CAUSE_CIRCUIT_OPEN: RatingCause
RATING_CAUSE_BUDGET_SPENT: RatingCause
FLOOR_KIND_UNSPECIFIED: FloorKind
FLOOR_KIND_NETWORK_HOST: FloorKind
FLOOR_KIND_ENVIRONMENT_LEAK: FloorKind
FLOOR_KIND_OPEN_WORLD: FloorKind

class FloorFinding(_message.Message):
    __slots__ = ("kind", "reason", "raised")
    KIND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RAISED_FIELD_NUMBER: _ClassVar[int]
    kind: FloorKind
    reason: str
    raised: bool
    def __init__(self, kind: _Optional[_Union[FloorKind, str]] = ..., reason: _Optional[str] = ..., raised: bool = ...) -> None: ...

class Rating(_message.Message):
    __slots__ = ("outcome", "reason", "suggested_tool", "source", "floors", "cause", "profile", "model", "duration", "reused")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_TOOL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    FLOORS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    REUSED_FIELD_NUMBER: _ClassVar[int]
    outcome: Outcome
    reason: str
    suggested_tool: str
    source: RatingSource
    floors: _containers.RepeatedCompositeFieldContainer[FloorFinding]
    cause: RatingCause
    profile: str
    model: str
    duration: _duration_pb2.Duration
    reused: bool
    def __init__(self, outcome: _Optional[_Union[Outcome, str]] = ..., reason: _Optional[str] = ..., suggested_tool: _Optional[str] = ..., source: _Optional[_Union[RatingSource, str]] = ..., floors: _Optional[_Iterable[_Union[FloorFinding, _Mapping]]] = ..., cause: _Optional[_Union[RatingCause, str]] = ..., profile: _Optional[str] = ..., model: _Optional[str] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reused: bool = ...) -> None: ...

class RateRequest(_message.Message):
    __slots__ = ("project", "session_id", "call", "profile", "fresh")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    FRESH_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    call: _call_pb2.Call
    profile: str
    fresh: bool
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., call: _Optional[_Union[_call_pb2.Call, _Mapping]] = ..., profile: _Optional[str] = ..., fresh: bool = ...) -> None: ...

class RateResponse(_message.Message):
    __slots__ = ("rating", "subject", "policy_revision", "framed_lines")
    RATING_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    POLICY_REVISION_FIELD_NUMBER: _ClassVar[int]
    FRAMED_LINES_FIELD_NUMBER: _ClassVar[int]
    rating: Rating
    subject: _call_pb2.Subject
    policy_revision: str
    framed_lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, rating: _Optional[_Union[Rating, _Mapping]] = ..., subject: _Optional[_Union[_call_pb2.Subject, _Mapping]] = ..., policy_revision: _Optional[str] = ..., framed_lines: _Optional[_Iterable[str]] = ...) -> None: ...
