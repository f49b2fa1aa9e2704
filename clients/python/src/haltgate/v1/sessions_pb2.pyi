import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from haltgate.v1 import decision_pb2 as _decision_pb2
from haltgate.v1 import entry_pb2 as _entry_pb2
from haltgate.v1 import grants_pb2 as _grants_pb2
from haltgate.v1 import human_pb2 as _human_pb2
from haltgate.v1 import vocabulary_pb2 as _vocabulary_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SessionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SESSION_STATE_UNSPECIFIED: _ClassVar[SessionState]
    SESSION_STATE_OPEN: _ClassVar[SessionState]
    SESSION_STATE_CLOSED: _ClassVar[SessionState]

class GateScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GATE_SCOPE_UNSPECIFIED: _ClassVar[GateScope]
    GATE_SCOPE_RUNG: _ClassVar[GateScope]
    GATE_SCOPE_EVERY_CALL: _ClassVar[GateScope]
SESSION_STATE_UNSPECIFIED: SessionState
SESSION_STATE_OPEN: SessionState
SESSION_STATE_CLOSED: SessionState
GATE_SCOPE_UNSPECIFIED: GateScope
GATE_SCOPE_RUNG: GateScope
GATE_SCOPE_EVERY_CALL: GateScope

class ToolDeclaration(_message.Message):
    __slots__ = ("registered_name", "description", "annotations")
    REGISTERED_NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    registered_name: str
    description: str
    annotations: _entry_pb2.ToolAnnotations
    def __init__(self, registered_name: _Optional[str] = ..., description: _Optional[str] = ..., annotations: _Optional[_Union[_entry_pb2.ToolAnnotations, _Mapping]] = ...) -> None: ...

class ToolCatalogue(_message.Message):
    __slots__ = ("tools",)
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    tools: _containers.RepeatedCompositeFieldContainer[ToolDeclaration]
    def __init__(self, tools: _Optional[_Iterable[_Union[ToolDeclaration, _Mapping]]] = ...) -> None: ...

class McpServers(_message.Message):
    __slots__ = ("keys",)
    KEYS_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, keys: _Optional[_Iterable[str]] = ...) -> None: ...

class LabelChanges(_message.Message):
    __slots__ = ("set", "remove")
    class SetEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SET_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    set: _containers.ScalarMap[str, str]
    remove: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, set: _Optional[_Mapping[str, str]] = ..., remove: _Optional[_Iterable[str]] = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("session_id", "project", "state", "rung", "interactive", "command", "labels", "cwd", "home", "mcp_servers", "tool_count", "opened_at", "last_used_at", "closed_at", "policy_revision", "halted_runs", "open_escalations", "rater_profile", "owner")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    INTERACTIVE_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    MCP_SERVERS_FIELD_NUMBER: _ClassVar[int]
    TOOL_COUNT_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    CLOSED_AT_FIELD_NUMBER: _ClassVar[int]
    POLICY_REVISION_FIELD_NUMBER: _ClassVar[int]
    HALTED_RUNS_FIELD_NUMBER: _ClassVar[int]
    OPEN_ESCALATIONS_FIELD_NUMBER: _ClassVar[int]
    RATER_PROFILE_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    project: str
    state: SessionState
    rung: _vocabulary_pb2.Rung
    interactive: bool
    command: str
    labels: _containers.ScalarMap[str, str]
    cwd: str
    home: str
    mcp_servers: _containers.RepeatedScalarFieldContainer[str]
    tool_count: int
    opened_at: _timestamp_pb2.Timestamp
    last_used_at: _timestamp_pb2.Timestamp
    closed_at: _timestamp_pb2.Timestamp
    policy_revision: str
    halted_runs: _containers.RepeatedScalarFieldContainer[str]
    open_escalations: int
    rater_profile: str
    owner: str
    def __init__(self, session_id: _Optional[str] = ..., project: _Optional[str] = ..., state: _Optional[_Union[SessionState, str]] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., interactive: bool = ..., command: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., mcp_servers: _Optional[_Iterable[str]] = ..., tool_count: _Optional[int] = ..., opened_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., closed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., policy_revision: _Optional[str] = ..., halted_runs: _Optional[_Iterable[str]] = ..., open_escalations: _Optional[int] = ..., rater_profile: _Optional[str] = ..., owner: _Optional[str] = ...) -> None: ...

class OpenSessionRequest(_message.Message):
    __slots__ = ("project", "session_id", "rung", "interactive", "command", "labels", "cwd", "home", "tools", "mcp_servers", "user_messages")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    INTERACTIVE_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    MCP_SERVERS_FIELD_NUMBER: _ClassVar[int]
    USER_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    rung: _vocabulary_pb2.Rung
    interactive: bool
    command: str
    labels: _containers.ScalarMap[str, str]
    cwd: str
    home: str
    tools: ToolCatalogue
    mcp_servers: McpServers
    user_messages: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., interactive: bool = ..., command: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., tools: _Optional[_Union[ToolCatalogue, _Mapping]] = ..., mcp_servers: _Optional[_Union[McpServers, _Mapping]] = ..., user_messages: _Optional[_Iterable[str]] = ...) -> None: ...

class OpenSessionResponse(_message.Message):
    __slots__ = ("session", "reopened", "notices")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    REOPENED_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    session: Session
    reopened: bool
    notices: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Notice]
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., reopened: bool = ..., notices: _Optional[_Iterable[_Union[_decision_pb2.Notice, _Mapping]]] = ...) -> None: ...

class UpdateSessionRequest(_message.Message):
    __slots__ = ("project", "session_id", "rung", "interactive", "labels", "cwd", "home", "tools", "mcp_servers", "user_messages", "reset_thread")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    INTERACTIVE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    MCP_SERVERS_FIELD_NUMBER: _ClassVar[int]
    USER_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    RESET_THREAD_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    rung: _vocabulary_pb2.Rung
    interactive: bool
    labels: LabelChanges
    cwd: str
    home: str
    tools: ToolCatalogue
    mcp_servers: McpServers
    user_messages: _containers.RepeatedScalarFieldContainer[str]
    reset_thread: bool
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., interactive: bool = ..., labels: _Optional[_Union[LabelChanges, _Mapping]] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., tools: _Optional[_Union[ToolCatalogue, _Mapping]] = ..., mcp_servers: _Optional[_Union[McpServers, _Mapping]] = ..., user_messages: _Optional[_Iterable[str]] = ..., reset_thread: bool = ...) -> None: ...

class UpdateSessionResponse(_message.Message):
    __slots__ = ("session", "notices")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    session: Session
    notices: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Notice]
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[_decision_pb2.Notice, _Mapping]]] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("project", "session_id", "include_tools")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_TOOLS_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    include_tools: bool
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., include_tools: bool = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("session", "posture", "counts", "denylist", "budget", "negotiation", "trust", "tools", "rater_timeouts")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    POSTURE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    DENYLIST_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    NEGOTIATION_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    RATER_TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    session: Session
    posture: Posture
    counts: SessionCounts
    denylist: _containers.RepeatedScalarFieldContainer[str]
    budget: _decision_pb2.NegotiationBudget
    negotiation: _human_pb2.Negotiation
    trust: _grants_pb2.TrustView
    tools: ToolCatalogue
    rater_timeouts: int
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., posture: _Optional[_Union[Posture, _Mapping]] = ..., counts: _Optional[_Union[SessionCounts, _Mapping]] = ..., denylist: _Optional[_Iterable[str]] = ..., budget: _Optional[_Union[_decision_pb2.NegotiationBudget, _Mapping]] = ..., negotiation: _Optional[_Union[_human_pb2.Negotiation, _Mapping]] = ..., trust: _Optional[_Union[_grants_pb2.TrustView, _Mapping]] = ..., tools: _Optional[_Union[ToolCatalogue, _Mapping]] = ..., rater_timeouts: _Optional[int] = ...) -> None: ...

class Posture(_message.Message):
    __slots__ = ("rung", "configured_rung", "gate_scope", "rater_profile", "rater_timeout", "deny", "escalate", "allow", "deny_total", "escalate_total", "allow_total")
    RUNG_FIELD_NUMBER: _ClassVar[int]
    CONFIGURED_RUNG_FIELD_NUMBER: _ClassVar[int]
    GATE_SCOPE_FIELD_NUMBER: _ClassVar[int]
    RATER_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RATER_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    ESCALATE_FIELD_NUMBER: _ClassVar[int]
    ALLOW_FIELD_NUMBER: _ClassVar[int]
    DENY_TOTAL_FIELD_NUMBER: _ClassVar[int]
    ESCALATE_TOTAL_FIELD_NUMBER: _ClassVar[int]
    ALLOW_TOTAL_FIELD_NUMBER: _ClassVar[int]
    rung: _vocabulary_pb2.Rung
    configured_rung: _vocabulary_pb2.Rung
    gate_scope: GateScope
    rater_profile: str
    rater_timeout: _duration_pb2.Duration
    deny: _containers.RepeatedCompositeFieldContainer[_entry_pb2.RenderedEntry]
    escalate: _containers.RepeatedCompositeFieldContainer[_entry_pb2.RenderedEntry]
    allow: _containers.RepeatedCompositeFieldContainer[_entry_pb2.RenderedEntry]
    deny_total: int
    escalate_total: int
    allow_total: int
    def __init__(self, rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., configured_rung: _Optional[_Union[_vocabulary_pb2.Rung, str]] = ..., gate_scope: _Optional[_Union[GateScope, str]] = ..., rater_profile: _Optional[str] = ..., rater_timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., deny: _Optional[_Iterable[_Union[_entry_pb2.RenderedEntry, _Mapping]]] = ..., escalate: _Optional[_Iterable[_Union[_entry_pb2.RenderedEntry, _Mapping]]] = ..., allow: _Optional[_Iterable[_Union[_entry_pb2.RenderedEntry, _Mapping]]] = ..., deny_total: _Optional[int] = ..., escalate_total: _Optional[int] = ..., allow_total: _Optional[int] = ...) -> None: ...

class SessionCounts(_message.Message):
    __slots__ = ("session", "always", "denials")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    ALWAYS_FIELD_NUMBER: _ClassVar[int]
    DENIALS_FIELD_NUMBER: _ClassVar[int]
    session: int
    always: int
    denials: int
    def __init__(self, session: _Optional[int] = ..., always: _Optional[int] = ..., denials: _Optional[int] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("project", "states", "labels", "page_size", "page_token")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    project: str
    states: _containers.RepeatedScalarFieldContainer[SessionState]
    labels: _containers.ScalarMap[str, str]
    page_size: int
    page_token: str
    def __init__(self, project: _Optional[str] = ..., states: _Optional[_Iterable[_Union[SessionState, str]]] = ..., labels: _Optional[_Mapping[str, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("sessions", "next_page_token")
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[Session]
    next_page_token: str
    def __init__(self, sessions: _Optional[_Iterable[_Union[Session, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CloseSessionRequest(_message.Message):
    __slots__ = ("project", "session_id")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class CloseSessionResponse(_message.Message):
    __slots__ = ("session", "withdrawn_escalations", "withdrawn_halts")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_ESCALATIONS_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_HALTS_FIELD_NUMBER: _ClassVar[int]
    session: Session
    withdrawn_escalations: int
    withdrawn_halts: int
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., withdrawn_escalations: _Optional[int] = ..., withdrawn_halts: _Optional[int] = ...) -> None: ...
