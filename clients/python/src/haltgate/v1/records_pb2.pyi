import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from haltgate.v1 import call_pb2 as _call_pb2
from haltgate.v1 import decision_pb2 as _decision_pb2
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

class HumanInvolvement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HUMAN_INVOLVEMENT_UNSPECIFIED: _ClassVar[HumanInvolvement]
    HUMAN_INVOLVEMENT_WAITING: _ClassVar[HumanInvolvement]
    HUMAN_INVOLVEMENT_APPROVED: _ClassVar[HumanInvolvement]
    HUMAN_INVOLVEMENT_REJECTED: _ClassVar[HumanInvolvement]
    HUMAN_INVOLVEMENT_NOBODY: _ClassVar[HumanInvolvement]

class SortOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SORT_ORDER_UNSPECIFIED: _ClassVar[SortOrder]
    SORT_ORDER_NEWEST_FIRST: _ClassVar[SortOrder]
    SORT_ORDER_OLDEST_FIRST: _ClassVar[SortOrder]

class NotedHead(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTED_HEAD_UNSPECIFIED: _ClassVar[NotedHead]
    NOTED_HEAD_FOUND: _ClassVar[NotedHead]
    NOTED_HEAD_NO_LONGER_KEPT: _ClassVar[NotedHead]
    NOTED_HEAD_MISSING: _ClassVar[NotedHead]
HUMAN_INVOLVEMENT_UNSPECIFIED: HumanInvolvement
HUMAN_INVOLVEMENT_WAITING: HumanInvolvement
HUMAN_INVOLVEMENT_APPROVED: HumanInvolvement
HUMAN_INVOLVEMENT_REJECTED: HumanInvolvement
HUMAN_INVOLVEMENT_NOBODY: HumanInvolvement
SORT_ORDER_UNSPECIFIED: SortOrder
SORT_ORDER_NEWEST_FIRST: SortOrder
SORT_ORDER_OLDEST_FIRST: SortOrder
NOTED_HEAD_UNSPECIFIED: NotedHead
NOTED_HEAD_FOUND: NotedHead
NOTED_HEAD_NO_LONGER_KEPT: NotedHead
NOTED_HEAD_MISSING: NotedHead

class DecisionRecord(_message.Message):
    __slots__ = ("decision_id", "project", "session_id", "run_id", "request_id", "caller", "arrived_at", "settled_at", "call", "subject", "rung", "action", "stage", "scope", "message", "matched_rule", "hardline", "rating", "rating_attempt", "human_involvement", "human", "escalation_id", "halt_id", "budget", "unresolved", "hardline_check", "notices", "labels", "policy_revision", "timing", "error", "sequence", "hash", "record_id", "caller_role", "caller_via")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CALLER_FIELD_NUMBER: _ClassVar[int]
    ARRIVED_AT_FIELD_NUMBER: _ClassVar[int]
    SETTLED_AT_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    MATCHED_RULE_FIELD_NUMBER: _ClassVar[int]
    HARDLINE_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    RATING_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    HUMAN_INVOLVEMENT_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    ESCALATION_ID_FIELD_NUMBER: _ClassVar[int]
    HALT_ID_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    UNRESOLVED_FIELD_NUMBER: _ClassVar[int]
    HARDLINE_CHECK_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    POLICY_REVISION_FIELD_NUMBER: _ClassVar[int]
    TIMING_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    CALLER_ROLE_FIELD_NUMBER: _ClassVar[int]
    CALLER_VIA_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    project: str
    session_id: str
    run_id: str
    request_id: str
    caller: str
    arrived_at: _timestamp_pb2.Timestamp
    settled_at: _timestamp_pb2.Timestamp
    call: _call_pb2.Call
    subject: _call_pb2.Subject
    rung: _vocabulary_pb2.Rung
    action: _vocabulary_pb2.Action
    stage: _vocabulary_pb2.Stage
    scope: _vocabulary_pb2.Scope
    message: str
    matched_rule: _decision_pb2.MatchedRule
    hardline: str
    rating: _rating_pb2.Rating
    rating_attempt: RatingAttempt
    human_involvement: HumanInvolvement
    human: _human_pb2.HumanAnswer
    escalation_id: str
    halt_id: str
    budget: _decision_pb2.NegotiationBudget
    unresolved: _containers.RepeatedScalarFieldContainer[str]
    hardline_check: str
    notices: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Notice]
    labels: _containers.ScalarMap[str, str]
    policy_revision: str
    timing: _decision_pb2.Timing
    error: str
    sequence: int
    hash: str
    record_id: str
    caller_role: str
    caller_via: str
    def __init__(self, decision_id: _Optional[str] = ..., project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., request_id: _Optional[str] = ..., caller: _Optional[str] = ..., arrived_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., settled_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., call: _Optional[_Union[_call_pb2.Call, _Mapping]] = ..., subject: _Optional[_Union[_call_pb2.Subject, _Mapping]] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., action: _Optional[_Union[_vocabulary_pb2.Action, str]] = ..., stage: _Optional[_Union[_vocabulary_pb2.Stage, str]] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ..., message: _Optional[str] = ..., matched_rule: _Optional[_Union[_decision_pb2.MatchedRule, _Mapping]] = ..., hardline: _Optional[str] = ..., rating: _Optional[_Union[_rating_pb2.Rating, _Mapping]] = ..., rating_attempt: _Optional[_Union[RatingAttempt, _Mapping]] = ..., human_involvement: _Optional[_Union[HumanInvolvement, str]] = ..., human: _Optional[_Union[_human_pb2.HumanAnswer, _Mapping]] = ..., escalation_id: _Optional[str] = ..., halt_id: _Optional[str] = ..., budget: _Optional[_Union[_decision_pb2.NegotiationBudget, _Mapping]] = ..., unresolved: _Optional[_Iterable[str]] = ..., hardline_check: _Optional[str] = ..., notices: _Optional[_Iterable[_Union[_decision_pb2.Notice, _Mapping]]] = ..., labels: _Optional[_Mapping[str, str]] = ..., policy_revision: _Optional[str] = ..., timing: _Optional[_Union[_decision_pb2.Timing, _Mapping]] = ..., error: _Optional[str] = ..., sequence: _Optional[int] = ..., hash: _Optional[str] = ..., record_id: _Optional[str] = ..., caller_role: _Optional[str] = ..., caller_via: _Optional[str] = ...) -> None: ...

class RatingAttempt(_message.Message):
    __slots__ = ("started_at", "duration", "timeout", "profile", "model", "negotiable", "system_prompt", "user_prompt", "raw_response", "round", "context_note", "model_outcome", "model_reason", "cause", "attempts", "prompt_tokens", "completion_tokens")
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    NEGOTIABLE_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    USER_PROMPT_FIELD_NUMBER: _ClassVar[int]
    RAW_RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_NOTE_FIELD_NUMBER: _ClassVar[int]
    MODEL_OUTCOME_FIELD_NUMBER: _ClassVar[int]
    MODEL_REASON_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    started_at: _timestamp_pb2.Timestamp
    duration: _duration_pb2.Duration
    timeout: _duration_pb2.Duration
    profile: str
    model: str
    negotiable: bool
    system_prompt: str
    user_prompt: str
    raw_response: str
    round: int
    context_note: str
    model_outcome: _rating_pb2.Outcome
    model_reason: str
    cause: _rating_pb2.RatingCause
    attempts: int
    prompt_tokens: int
    completion_tokens: int
    def __init__(self, started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., profile: _Optional[str] = ..., model: _Optional[str] = ..., negotiable: bool = ..., system_prompt: _Optional[str] = ..., user_prompt: _Optional[str] = ..., raw_response: _Optional[str] = ..., round: _Optional[int] = ..., context_note: _Optional[str] = ..., model_outcome: _Optional[_Union[_rating_pb2.Outcome, str]] = ..., model_reason: _Optional[str] = ..., cause: _Optional[_Union[_rating_pb2.RatingCause, str]] = ..., attempts: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ...) -> None: ...

class ListDecisionsRequest(_message.Message):
    __slots__ = ("project", "session_id", "run_id", "actions", "stages", "text", "arrived_from", "arrived_before", "record_id", "order", "include_rating_attempts", "page_size", "page_token")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ARRIVED_FROM_FIELD_NUMBER: _ClassVar[int]
    ARRIVED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_RATING_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    run_id: str
    actions: _containers.RepeatedScalarFieldContainer[_vocabulary_pb2.Action]
    stages: _containers.RepeatedScalarFieldContainer[_vocabulary_pb2.Stage]
    text: str
    arrived_from: _timestamp_pb2.Timestamp
    arrived_before: _timestamp_pb2.Timestamp
    record_id: str
    order: SortOrder
    include_rating_attempts: bool
    page_size: int
    page_token: str
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[_vocabulary_pb2.Action, str]]] = ..., stages: _Optional[_Iterable[_Union[_vocabulary_pb2.Stage, str]]] = ..., text: _Optional[str] = ..., arrived_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., arrived_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., record_id: _Optional[str] = ..., order: _Optional[_Union[SortOrder, str]] = ..., include_rating_attempts: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[DecisionRecord]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[DecisionRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class VerifyAuditRequest(_message.Message):
    __slots__ = ("project", "noted_sequence", "noted_hash")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    NOTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    NOTED_HASH_FIELD_NUMBER: _ClassVar[int]
    project: str
    noted_sequence: int
    noted_hash: str
    def __init__(self, project: _Optional[str] = ..., noted_sequence: _Optional[int] = ..., noted_hash: _Optional[str] = ...) -> None: ...

class VerifyAuditResponse(_message.Message):
    __slots__ = ("intact", "records_checked", "first_sequence", "head_sequence", "head_hash", "broken", "noted_head")
    INTACT_FIELD_NUMBER: _ClassVar[int]
    RECORDS_CHECKED_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HEAD_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HEAD_HASH_FIELD_NUMBER: _ClassVar[int]
    BROKEN_FIELD_NUMBER: _ClassVar[int]
    NOTED_HEAD_FIELD_NUMBER: _ClassVar[int]
    intact: bool
    records_checked: int
    first_sequence: int
    head_sequence: int
    head_hash: str
    broken: BrokenLink
    noted_head: NotedHead
    def __init__(self, intact: bool = ..., records_checked: _Optional[int] = ..., first_sequence: _Optional[int] = ..., head_sequence: _Optional[int] = ..., head_hash: _Optional[str] = ..., broken: _Optional[_Union[BrokenLink, _Mapping]] = ..., noted_head: _Optional[_Union[NotedHead, str]] = ...) -> None: ...

class BrokenLink(_message.Message):
    __slots__ = ("sequence", "record_id", "expected_hash", "actual_hash", "reason")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_HASH_FIELD_NUMBER: _ClassVar[int]
    ACTUAL_HASH_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    record_id: str
    expected_hash: str
    actual_hash: str
    reason: str
    def __init__(self, sequence: _Optional[int] = ..., record_id: _Optional[str] = ..., expected_hash: _Optional[str] = ..., actual_hash: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ExportAuditRequest(_message.Message):
    __slots__ = ("project", "after_sequence", "recorded_from", "recorded_before")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FROM_FIELD_NUMBER: _ClassVar[int]
    RECORDED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    project: str
    after_sequence: int
    recorded_from: _timestamp_pb2.Timestamp
    recorded_before: _timestamp_pb2.Timestamp
    def __init__(self, project: _Optional[str] = ..., after_sequence: _Optional[int] = ..., recorded_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., recorded_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ExportAuditResponse(_message.Message):
    __slots__ = ("records", "last_sequence", "head_sequence", "head_hash")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HEAD_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HEAD_HASH_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[AuditRecord]
    last_sequence: int
    head_sequence: int
    head_hash: str
    def __init__(self, records: _Optional[_Iterable[_Union[AuditRecord, _Mapping]]] = ..., last_sequence: _Optional[int] = ..., head_sequence: _Optional[int] = ..., head_hash: _Optional[str] = ...) -> None: ...

class AuditRecord(_message.Message):
    __slots__ = ("project", "sequence", "record_id", "recorded_at", "kind", "session_id", "run_id", "action", "stage", "text", "body_json", "previous_hash", "hash")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BODY_JSON_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_HASH_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    project: str
    sequence: int
    record_id: str
    recorded_at: _timestamp_pb2.Timestamp
    kind: str
    session_id: str
    run_id: str
    action: str
    stage: str
    text: str
    body_json: str
    previous_hash: str
    hash: str
    def __init__(self, project: _Optional[str] = ..., sequence: _Optional[int] = ..., record_id: _Optional[str] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., action: _Optional[str] = ..., stage: _Optional[str] = ..., text: _Optional[str] = ..., body_json: _Optional[str] = ..., previous_hash: _Optional[str] = ..., hash: _Optional[str] = ...) -> None: ...
