import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from haltgate.v1 import call_pb2 as _call_pb2
from haltgate.v1 import entry_pb2 as _entry_pb2
from haltgate.v1 import human_pb2 as _human_pb2
from haltgate.v1 import rating_pb2 as _rating_pb2
from haltgate.v1 import vocabulary_pb2 as _vocabulary_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RuleList(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RULE_LIST_UNSPECIFIED: _ClassVar[RuleList]
    RULE_LIST_DENY: _ClassVar[RuleList]
    RULE_LIST_ESCALATE: _ClassVar[RuleList]
    RULE_LIST_ALLOW: _ClassVar[RuleList]

class RuleLayer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RULE_LAYER_UNSPECIFIED: _ClassVar[RuleLayer]
    RULE_LAYER_DECLARED: _ClassVar[RuleLayer]
    RULE_LAYER_SESSION_GRANT: _ClassVar[RuleLayer]
    RULE_LAYER_PERSISTED_GRANT: _ClassVar[RuleLayer]
    RULE_LAYER_DENIAL: _ClassVar[RuleLayer]

class NoticeLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTICE_LEVEL_UNSPECIFIED: _ClassVar[NoticeLevel]
    NOTICE_LEVEL_INFO: _ClassVar[NoticeLevel]
    NOTICE_LEVEL_WARNING: _ClassVar[NoticeLevel]

class NoticeCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTICE_CODE_UNSPECIFIED: _ClassVar[NoticeCode]
    NOTICE_CODE_GRANT_WITHDRAWN: _ClassVar[NoticeCode]
    NOTICE_CODE_RATING_TIMEOUT: _ClassVar[NoticeCode]
    NOTICE_CODE_RATING_FAILED: _ClassVar[NoticeCode]
    NOTICE_CODE_PATTERN_UNDECIDED: _ClassVar[NoticeCode]
    NOTICE_CODE_HARDLINE: _ClassVar[NoticeCode]
    NOTICE_CODE_INERT_ENTRIES: _ClassVar[NoticeCode]
    NOTICE_CODE_POSTURE: _ClassVar[NoticeCode]
    NOTICE_CODE_RATING_SKIPPED: _ClassVar[NoticeCode]
    NOTICE_CODE_MIGRATED: _ClassVar[NoticeCode]
    NOTICE_CODE_GRANT_SPENT: _ClassVar[NoticeCode]
    NOTICE_CODE_MCP_AMBIGUOUS: _ClassVar[NoticeCode]
    NOTICE_CODE_UNREAD: _ClassVar[NoticeCode]
    NOTICE_CODE_SESSION_DEFAULTS: _ClassVar[NoticeCode]
RULE_LIST_UNSPECIFIED: RuleList
RULE_LIST_DENY: RuleList
RULE_LIST_ESCALATE: RuleList
RULE_LIST_ALLOW: RuleList
RULE_LAYER_UNSPECIFIED: RuleLayer
RULE_LAYER_DECLARED: RuleLayer
RULE_LAYER_SESSION_GRANT: RuleLayer
RULE_LAYER_PERSISTED_GRANT: RuleLayer
RULE_LAYER_DENIAL: RuleLayer
NOTICE_LEVEL_UNSPECIFIED: NoticeLevel
NOTICE_LEVEL_INFO: NoticeLevel
NOTICE_LEVEL_WARNING: NoticeLevel
NOTICE_CODE_UNSPECIFIED: NoticeCode
NOTICE_CODE_GRANT_WITHDRAWN: NoticeCode
NOTICE_CODE_RATING_TIMEOUT: NoticeCode
NOTICE_CODE_RATING_FAILED: NoticeCode
NOTICE_CODE_PATTERN_UNDECIDED: NoticeCode
NOTICE_CODE_HARDLINE: NoticeCode
NOTICE_CODE_INERT_ENTRIES: NoticeCode
NOTICE_CODE_POSTURE: NoticeCode
NOTICE_CODE_RATING_SKIPPED: NoticeCode
NOTICE_CODE_MIGRATED: NoticeCode
NOTICE_CODE_GRANT_SPENT: NoticeCode
NOTICE_CODE_MCP_AMBIGUOUS: NoticeCode
NOTICE_CODE_UNREAD: NoticeCode
NOTICE_CODE_SESSION_DEFAULTS: NoticeCode

class DecideRequest(_message.Message):
    __slots__ = ("project", "session_id", "run_id", "request_id", "call", "wait", "max_wait", "dry_run")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    MAX_WAIT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    run_id: str
    request_id: str
    call: _call_pb2.Call
    wait: bool
    max_wait: _duration_pb2.Duration
    dry_run: bool
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., request_id: _Optional[str] = ..., call: _Optional[_Union[_call_pb2.Call, _Mapping]] = ..., wait: bool = ..., max_wait: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., dry_run: bool = ...) -> None: ...

class DecideResponse(_message.Message):
    __slots__ = ("action", "stage", "scope", "message", "framed_lines", "decision_id", "request_id", "session_id", "run_id", "rung", "policy_revision", "subject", "matched_rule", "hardline", "rating", "notices", "escalation_id", "halt_id", "human", "run_halted", "replayed", "budget", "timing", "explanation")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FRAMED_LINES_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    POLICY_REVISION_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    MATCHED_RULE_FIELD_NUMBER: _ClassVar[int]
    HARDLINE_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    ESCALATION_ID_FIELD_NUMBER: _ClassVar[int]
    HALT_ID_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    RUN_HALTED_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    TIMING_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    action: _vocabulary_pb2.Action
    stage: _vocabulary_pb2.Stage
    scope: _vocabulary_pb2.Scope
    message: str
    framed_lines: _containers.RepeatedScalarFieldContainer[str]
    decision_id: str
    request_id: str
    session_id: str
    run_id: str
    rung: _vocabulary_pb2.Rung
    policy_revision: str
    subject: _call_pb2.Subject
    matched_rule: MatchedRule
    hardline: str
    rating: _rating_pb2.Rating
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    escalation_id: str
    halt_id: str
    human: _human_pb2.HumanAnswer
    run_halted: bool
    replayed: bool
    budget: NegotiationBudget
    timing: Timing
    explanation: Explanation
    def __init__(self, action: _Optional[_Union[_vocabulary_pb2.Action, str]] = ..., stage: _Optional[_Union[_vocabulary_pb2.Stage, str]] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ..., message: _Optional[str] = ..., framed_lines: _Optional[_Iterable[str]] = ..., decision_id: _Optional[str] = ..., request_id: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., policy_revision: _Optional[str] = ..., subject: _Optional[_Union[_call_pb2.Subject, _Mapping]] = ..., matched_rule: _Optional[_Union[MatchedRule, _Mapping]] = ..., hardline: _Optional[str] = ..., rating: _Optional[_Union[_rating_pb2.Rating, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., escalation_id: _Optional[str] = ..., halt_id: _Optional[str] = ..., human: _Optional[_Union[_human_pb2.HumanAnswer, _Mapping]] = ..., run_halted: bool = ..., replayed: bool = ..., budget: _Optional[_Union[NegotiationBudget, _Mapping]] = ..., timing: _Optional[_Union[Timing, _Mapping]] = ..., explanation: _Optional[_Union[Explanation, _Mapping]] = ...) -> None: ...

class MatchedRule(_message.Message):
    __slots__ = ("list", "layer", "entry", "undecided", "rated", "index")
    LIST_FIELD_NUMBER: _ClassVar[int]
    LAYER_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    UNDECIDED_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    list: RuleList
    layer: RuleLayer
    entry: _entry_pb2.RenderedEntry
    undecided: str
    rated: bool
    index: int
    def __init__(self, list: _Optional[_Union[RuleList, str]] = ..., layer: _Optional[_Union[RuleLayer, str]] = ..., entry: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ..., undecided: _Optional[str] = ..., rated: bool = ..., index: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("level", "code", "text")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    level: NoticeLevel
    code: NoticeCode
    text: str
    def __init__(self, level: _Optional[_Union[NoticeLevel, str]] = ..., code: _Optional[_Union[NoticeCode, str]] = ..., text: _Optional[str] = ...) -> None: ...

class NegotiationBudget(_message.Message):
    __slots__ = ("consecutive_rejections", "rejections_since_human", "max_consecutive_rejections", "max_rejections_since_human")
    CONSECUTIVE_REJECTIONS_FIELD_NUMBER: _ClassVar[int]
    REJECTIONS_SINCE_HUMAN_FIELD_NUMBER: _ClassVar[int]
    MAX_CONSECUTIVE_REJECTIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_REJECTIONS_SINCE_HUMAN_FIELD_NUMBER: _ClassVar[int]
    consecutive_rejections: int
    rejections_since_human: int
    max_consecutive_rejections: int
    max_rejections_since_human: int
    def __init__(self, consecutive_rejections: _Optional[int] = ..., rejections_since_human: _Optional[int] = ..., max_consecutive_rejections: _Optional[int] = ..., max_rejections_since_human: _Optional[int] = ...) -> None: ...

class Timing(_message.Message):
    __slots__ = ("arrived_at", "decided_at", "queued", "deciding", "rating", "human")
    ARRIVED_AT_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    DECIDING_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    arrived_at: _timestamp_pb2.Timestamp
    decided_at: _timestamp_pb2.Timestamp
    queued: _duration_pb2.Duration
    deciding: _duration_pb2.Duration
    rating: _duration_pb2.Duration
    human: _duration_pb2.Duration
    def __init__(self, arrived_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decided_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., queued: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., deciding: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., rating: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., human: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ExplainedStep(_message.Message):
    __slots__ = ("what", "found", "decided")
    WHAT_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    DECIDED_FIELD_NUMBER: _ClassVar[int]
    what: str
    found: str
    decided: bool
    def __init__(self, what: _Optional[str] = ..., found: _Optional[str] = ..., decided: bool = ...) -> None: ...

class ExplainedSegment(_message.Message):
    __slots__ = ("spelling", "start", "end", "reached", "opaque")
    SPELLING_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    REACHED_FIELD_NUMBER: _ClassVar[int]
    OPAQUE_FIELD_NUMBER: _ClassVar[int]
    spelling: str
    start: int
    end: int
    reached: _containers.RepeatedScalarFieldContainer[str]
    opaque: str
    def __init__(self, spelling: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., reached: _Optional[_Iterable[str]] = ..., opaque: _Optional[str] = ...) -> None: ...

class UnreadPart(_message.Message):
    __slots__ = ("position", "reason")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    position: int
    reason: str
    def __init__(self, position: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class Explanation(_message.Message):
    __slots__ = ("steps", "canonical", "segments", "unread", "unresolved", "rating_needed", "offer")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    UNREAD_FIELD_NUMBER: _ClassVar[int]
    UNRESOLVED_FIELD_NUMBER: _ClassVar[int]
    RATING_NEEDED_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[ExplainedStep]
    canonical: str
    segments: _containers.RepeatedCompositeFieldContainer[ExplainedSegment]
    unread: UnreadPart
    unresolved: _containers.RepeatedScalarFieldContainer[str]
    rating_needed: bool
    offer: _human_pb2.AnswerOffer
    def __init__(self, steps: _Optional[_Iterable[_Union[ExplainedStep, _Mapping]]] = ..., canonical: _Optional[str] = ..., segments: _Optional[_Iterable[_Union[ExplainedSegment, _Mapping]]] = ..., unread: _Optional[_Union[UnreadPart, _Mapping]] = ..., unresolved: _Optional[_Iterable[str]] = ..., rating_needed: bool = ..., offer: _Optional[_Union[_human_pb2.AnswerOffer, _Mapping]] = ...) -> None: ...
