import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from haltgate.v1 import call_pb2 as _call_pb2
from haltgate.v1 import entry_pb2 as _entry_pb2
from haltgate.v1 import rating_pb2 as _rating_pb2
from haltgate.v1 import vocabulary_pb2 as _vocabulary_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_APPROVE: _ClassVar[Verdict]
    VERDICT_REJECT: _ClassVar[Verdict]
    VERDICT_RUN_ANYWAY: _ClassVar[Verdict]
    VERDICT_STOP: _ClassVar[Verdict]

class EscalationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ESCALATION_STATE_UNSPECIFIED: _ClassVar[EscalationState]
    ESCALATION_STATE_OPEN: _ClassVar[EscalationState]
    ESCALATION_STATE_APPROVED: _ClassVar[EscalationState]
    ESCALATION_STATE_REJECTED: _ClassVar[EscalationState]
    ESCALATION_STATE_WITHDRAWN: _ClassVar[EscalationState]
    ESCALATION_STATE_EXPIRED: _ClassVar[EscalationState]

class AttackHaltState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ATTACK_HALT_STATE_UNSPECIFIED: _ClassVar[AttackHaltState]
    ATTACK_HALT_STATE_OPEN: _ClassVar[AttackHaltState]
    ATTACK_HALT_STATE_RAN_ANYWAY: _ClassVar[AttackHaltState]
    ATTACK_HALT_STATE_STOPPED: _ClassVar[AttackHaltState]
    ATTACK_HALT_STATE_UNATTENDED: _ClassVar[AttackHaltState]
    ATTACK_HALT_STATE_WITHDRAWN: _ClassVar[AttackHaltState]
    ATTACK_HALT_STATE_EXPIRED: _ClassVar[AttackHaltState]

class ResumeReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESUME_REASON_UNSPECIFIED: _ClassVar[ResumeReason]
    RESUME_REASON_DRAINING: _ClassVar[ResumeReason]
    RESUME_REASON_SLOW_READER: _ClassVar[ResumeReason]
VERDICT_UNSPECIFIED: Verdict
VERDICT_APPROVE: Verdict
VERDICT_REJECT: Verdict
VERDICT_RUN_ANYWAY: Verdict
VERDICT_STOP: Verdict
ESCALATION_STATE_UNSPECIFIED: EscalationState
ESCALATION_STATE_OPEN: EscalationState
ESCALATION_STATE_APPROVED: EscalationState
ESCALATION_STATE_REJECTED: EscalationState
ESCALATION_STATE_WITHDRAWN: EscalationState
ESCALATION_STATE_EXPIRED: EscalationState
ATTACK_HALT_STATE_UNSPECIFIED: AttackHaltState
ATTACK_HALT_STATE_OPEN: AttackHaltState
ATTACK_HALT_STATE_RAN_ANYWAY: AttackHaltState
ATTACK_HALT_STATE_STOPPED: AttackHaltState
ATTACK_HALT_STATE_UNATTENDED: AttackHaltState
ATTACK_HALT_STATE_WITHDRAWN: AttackHaltState
ATTACK_HALT_STATE_EXPIRED: AttackHaltState
RESUME_REASON_UNSPECIFIED: ResumeReason
RESUME_REASON_DRAINING: ResumeReason
RESUME_REASON_SLOW_READER: ResumeReason

class NegotiationRound(_message.Message):
    __slots__ = ("command", "justification", "outcome", "reason")
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    command: str
    justification: str
    outcome: _rating_pb2.Outcome
    reason: str
    def __init__(self, command: _Optional[str] = ..., justification: _Optional[str] = ..., outcome: _Optional[_Union[_rating_pb2.Outcome, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class Negotiation(_message.Message):
    __slots__ = ("rounds", "attempts", "includes_pending_call", "framed_lines")
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    INCLUDES_PENDING_CALL_FIELD_NUMBER: _ClassVar[int]
    FRAMED_LINES_FIELD_NUMBER: _ClassVar[int]
    rounds: _containers.RepeatedCompositeFieldContainer[NegotiationRound]
    attempts: int
    includes_pending_call: bool
    framed_lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, rounds: _Optional[_Iterable[_Union[NegotiationRound, _Mapping]]] = ..., attempts: _Optional[int] = ..., includes_pending_call: bool = ..., framed_lines: _Optional[_Iterable[str]] = ...) -> None: ...

class AnswerOffer(_message.Message):
    __slots__ = ("approve_scopes", "reject_scopes", "grant", "denial")
    APPROVE_SCOPES_FIELD_NUMBER: _ClassVar[int]
    REJECT_SCOPES_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    DENIAL_FIELD_NUMBER: _ClassVar[int]
    approve_scopes: _containers.RepeatedScalarFieldContainer[_vocabulary_pb2.Scope]
    reject_scopes: _containers.RepeatedScalarFieldContainer[_vocabulary_pb2.Scope]
    grant: _entry_pb2.RenderedEntry
    denial: _entry_pb2.RenderedEntry
    def __init__(self, approve_scopes: _Optional[_Iterable[_Union[_vocabulary_pb2.Scope, str]]] = ..., reject_scopes: _Optional[_Iterable[_Union[_vocabulary_pb2.Scope, str]]] = ..., grant: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ..., denial: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("headline", "framed_lines")
    HEADLINE_FIELD_NUMBER: _ClassVar[int]
    FRAMED_LINES_FIELD_NUMBER: _ClassVar[int]
    headline: str
    framed_lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, headline: _Optional[str] = ..., framed_lines: _Optional[_Iterable[str]] = ...) -> None: ...

class GrantTerms(_message.Message):
    __slots__ = ("expires_at", "max_uses", "note")
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    MAX_USES_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    expires_at: _timestamp_pb2.Timestamp
    max_uses: int
    note: str
    def __init__(self, expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., max_uses: _Optional[int] = ..., note: _Optional[str] = ...) -> None: ...

class HumanAnswer(_message.Message):
    __slots__ = ("verdict", "scope", "comment", "answered_by", "answered_at", "stored", "answered_role", "answered_via")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_BY_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_AT_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_ROLE_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_VIA_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    scope: _vocabulary_pb2.Scope
    comment: str
    answered_by: str
    answered_at: _timestamp_pb2.Timestamp
    stored: _entry_pb2.RenderedEntry
    answered_role: str
    answered_via: str
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ..., comment: _Optional[str] = ..., answered_by: _Optional[str] = ..., answered_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., stored: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ..., answered_role: _Optional[str] = ..., answered_via: _Optional[str] = ...) -> None: ...

class Escalation(_message.Message):
    __slots__ = ("escalation_id", "decision_id", "project", "session_id", "run_id", "request_id", "state", "raised_at", "expires_at", "rung", "stage", "call", "subject", "rating", "escalated_by", "negotiation", "offer", "prompt", "labels", "policy_revision", "answer")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ESCALATION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RAISED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    ESCALATED_BY_FIELD_NUMBER: _ClassVar[int]
    NEGOTIATION_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    POLICY_REVISION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    escalation_id: str
    decision_id: str
    project: str
    session_id: str
    run_id: str
    request_id: str
    state: EscalationState
    raised_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    rung: _vocabulary_pb2.Rung
    stage: _vocabulary_pb2.Stage
    call: _call_pb2.Call
    subject: _call_pb2.Subject
    rating: _rating_pb2.Rating
    escalated_by: _entry_pb2.RenderedEntry
    negotiation: Negotiation
    offer: AnswerOffer
    prompt: Prompt
    labels: _containers.ScalarMap[str, str]
    policy_revision: str
    answer: HumanAnswer
    def __init__(self, escalation_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., request_id: _Optional[str] = ..., state: _Optional[_Union[EscalationState, str]] = ..., raised_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., stage: _Optional[_Union[_vocabulary_pb2.Stage, str]] = ..., call: _Optional[_Union[_call_pb2.Call, _Mapping]] = ..., subject: _Optional[_Union[_call_pb2.Subject, _Mapping]] = ..., rating: _Optional[_Union[_rating_pb2.Rating, _Mapping]] = ..., escalated_by: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ..., negotiation: _Optional[_Union[Negotiation, _Mapping]] = ..., offer: _Optional[_Union[AnswerOffer, _Mapping]] = ..., prompt: _Optional[_Union[Prompt, _Mapping]] = ..., labels: _Optional[_Mapping[str, str]] = ..., policy_revision: _Optional[str] = ..., answer: _Optional[_Union[HumanAnswer, _Mapping]] = ...) -> None: ...

class AttackHalt(_message.Message):
    __slots__ = ("halt_id", "decision_id", "project", "session_id", "run_id", "request_id", "state", "raised_at", "expires_at", "rung", "stage", "call", "subject", "rating", "prompt", "labels", "policy_revision", "answer")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    HALT_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RAISED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    POLICY_REVISION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    halt_id: str
    decision_id: str
    project: str
    session_id: str
    run_id: str
    request_id: str
    state: AttackHaltState
    raised_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    rung: _vocabulary_pb2.Rung
    stage: _vocabulary_pb2.Stage
    call: _call_pb2.Call
    subject: _call_pb2.Subject
    rating: _rating_pb2.Rating
    prompt: Prompt
    labels: _containers.ScalarMap[str, str]
    policy_revision: str
    answer: HumanAnswer
    def __init__(self, halt_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., request_id: _Optional[str] = ..., state: _Optional[_Union[AttackHaltState, str]] = ..., raised_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., stage: _Optional[_Union[_vocabulary_pb2.Stage, str]] = ..., call: _Optional[_Union[_call_pb2.Call, _Mapping]] = ..., subject: _Optional[_Union[_call_pb2.Subject, _Mapping]] = ..., rating: _Optional[_Union[_rating_pb2.Rating, _Mapping]] = ..., prompt: _Optional[_Union[Prompt, _Mapping]] = ..., labels: _Optional[_Mapping[str, str]] = ..., policy_revision: _Optional[str] = ..., answer: _Optional[_Union[HumanAnswer, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("sent_at",)
    SENT_AT_FIELD_NUMBER: _ClassVar[int]
    sent_at: _timestamp_pb2.Timestamp
    def __init__(self, sent_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SnapshotEnd(_message.Message):
    __slots__ = ("open",)
    OPEN_FIELD_NUMBER: _ClassVar[int]
    open: int
    def __init__(self, open: _Optional[int] = ...) -> None: ...

class ResumeHint(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: ResumeReason
    def __init__(self, reason: _Optional[_Union[ResumeReason, str]] = ...) -> None: ...

class StreamEscalationsRequest(_message.Message):
    __slots__ = ("project", "session_id", "run_id", "after")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    run_id: str
    after: str
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class StreamEscalationsResponse(_message.Message):
    __slots__ = ("cursor", "raised", "answered", "withdrawn", "expired", "snapshot_end", "heartbeat", "resume_hint")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    RAISED_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_END_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESUME_HINT_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    raised: Escalation
    answered: Escalation
    withdrawn: Escalation
    expired: Escalation
    snapshot_end: SnapshotEnd
    heartbeat: Heartbeat
    resume_hint: ResumeHint
    def __init__(self, cursor: _Optional[str] = ..., raised: _Optional[_Union[Escalation, _Mapping]] = ..., answered: _Optional[_Union[Escalation, _Mapping]] = ..., withdrawn: _Optional[_Union[Escalation, _Mapping]] = ..., expired: _Optional[_Union[Escalation, _Mapping]] = ..., snapshot_end: _Optional[_Union[SnapshotEnd, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., resume_hint: _Optional[_Union[ResumeHint, _Mapping]] = ...) -> None: ...

class StreamAttackHaltsRequest(_message.Message):
    __slots__ = ("project", "session_id", "run_id", "after", "observe_only")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    OBSERVE_ONLY_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    run_id: str
    after: str
    observe_only: bool
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., after: _Optional[str] = ..., observe_only: bool = ...) -> None: ...

class StreamAttackHaltsResponse(_message.Message):
    __slots__ = ("cursor", "raised", "answered", "withdrawn", "expired", "snapshot_end", "heartbeat", "resume_hint")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    RAISED_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_END_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESUME_HINT_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    raised: AttackHalt
    answered: AttackHalt
    withdrawn: AttackHalt
    expired: AttackHalt
    snapshot_end: SnapshotEnd
    heartbeat: Heartbeat
    resume_hint: ResumeHint
    def __init__(self, cursor: _Optional[str] = ..., raised: _Optional[_Union[AttackHalt, _Mapping]] = ..., answered: _Optional[_Union[AttackHalt, _Mapping]] = ..., withdrawn: _Optional[_Union[AttackHalt, _Mapping]] = ..., expired: _Optional[_Union[AttackHalt, _Mapping]] = ..., snapshot_end: _Optional[_Union[SnapshotEnd, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., resume_hint: _Optional[_Union[ResumeHint, _Mapping]] = ...) -> None: ...

class AnswerRequest(_message.Message):
    __slots__ = ("project", "escalation_id", "halt_id", "verdict", "scope", "comment", "terms", "request_id")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ESCALATION_ID_FIELD_NUMBER: _ClassVar[int]
    HALT_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    project: str
    escalation_id: str
    halt_id: str
    verdict: Verdict
    scope: _vocabulary_pb2.Scope
    comment: str
    terms: GrantTerms
    request_id: str
    def __init__(self, project: _Optional[str] = ..., escalation_id: _Optional[str] = ..., halt_id: _Optional[str] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ..., comment: _Optional[str] = ..., terms: _Optional[_Union[GrantTerms, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class AnswerResponse(_message.Message):
    __slots__ = ("escalation", "halt")
    ESCALATION_FIELD_NUMBER: _ClassVar[int]
    HALT_FIELD_NUMBER: _ClassVar[int]
    escalation: Escalation
    halt: AttackHalt
    def __init__(self, escalation: _Optional[_Union[Escalation, _Mapping]] = ..., halt: _Optional[_Union[AttackHalt, _Mapping]] = ...) -> None: ...
