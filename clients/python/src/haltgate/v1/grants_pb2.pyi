import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from haltgate.v1 import decision_pb2 as _decision_pb2
from haltgate.v1 import entry_pb2 as _entry_pb2
from haltgate.v1 import human_pb2 as _human_pb2
from haltgate.v1 import vocabulary_pb2 as _vocabulary_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Grant(_message.Message):
    __slots__ = ("project", "session_id", "scope", "entry", "annotations", "granted_at", "granted_by", "terms", "uses_left", "last_used_at")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    GRANTED_AT_FIELD_NUMBER: _ClassVar[int]
    GRANTED_BY_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    USES_LEFT_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    scope: _vocabulary_pb2.Scope
    entry: _entry_pb2.RenderedEntry
    annotations: _entry_pb2.ToolAnnotations
    granted_at: _timestamp_pb2.Timestamp
    granted_by: str
    terms: _human_pb2.GrantTerms
    uses_left: int
    last_used_at: _timestamp_pb2.Timestamp
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ..., entry: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ..., annotations: _Optional[_Union[_entry_pb2.ToolAnnotations, _Mapping]] = ..., granted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., granted_by: _Optional[str] = ..., terms: _Optional[_Union[_human_pb2.GrantTerms, _Mapping]] = ..., uses_left: _Optional[int] = ..., last_used_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Denial(_message.Message):
    __slots__ = ("project", "session_id", "entry", "denied_at", "denied_by", "note")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    DENIED_AT_FIELD_NUMBER: _ClassVar[int]
    DENIED_BY_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    entry: _entry_pb2.RenderedEntry
    denied_at: _timestamp_pb2.Timestamp
    denied_by: str
    note: str
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., entry: _Optional[_Union[_entry_pb2.RenderedEntry, _Mapping]] = ..., denied_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., denied_by: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class ManageGrantsRequest(_message.Message):
    __slots__ = ("project", "session_id", "request_id", "list", "grant", "deny", "revoke", "lift", "view_trust", "change_trust", "predict_trust", "import_file", "export_file")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    REVOKE_FIELD_NUMBER: _ClassVar[int]
    LIFT_FIELD_NUMBER: _ClassVar[int]
    VIEW_TRUST_FIELD_NUMBER: _ClassVar[int]
    CHANGE_TRUST_FIELD_NUMBER: _ClassVar[int]
    PREDICT_TRUST_FIELD_NUMBER: _ClassVar[int]
    IMPORT_FILE_FIELD_NUMBER: _ClassVar[int]
    EXPORT_FILE_FIELD_NUMBER: _ClassVar[int]
    project: str
    session_id: str
    request_id: str
    list: ListGrants
    grant: AddGrant
    deny: AddDenial
    revoke: RevokeGrant
    lift: LiftDenial
    view_trust: ViewTrust
    change_trust: TrustChange
    predict_trust: TrustChange
    import_file: ImportGrants
    export_file: ExportGrants
    def __init__(self, project: _Optional[str] = ..., session_id: _Optional[str] = ..., request_id: _Optional[str] = ..., list: _Optional[_Union[ListGrants, _Mapping]] = ..., grant: _Optional[_Union[AddGrant, _Mapping]] = ..., deny: _Optional[_Union[AddDenial, _Mapping]] = ..., revoke: _Optional[_Union[RevokeGrant, _Mapping]] = ..., lift: _Optional[_Union[LiftDenial, _Mapping]] = ..., view_trust: _Optional[_Union[ViewTrust, _Mapping]] = ..., change_trust: _Optional[_Union[TrustChange, _Mapping]] = ..., predict_trust: _Optional[_Union[TrustChange, _Mapping]] = ..., import_file: _Optional[_Union[ImportGrants, _Mapping]] = ..., export_file: _Optional[_Union[ExportGrants, _Mapping]] = ...) -> None: ...

class ManageGrantsResponse(_message.Message):
    __slots__ = ("list", "grant", "deny", "revoke", "lift", "view_trust", "change_trust", "predict_trust", "import_file", "export_file", "notices")
    LIST_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    REVOKE_FIELD_NUMBER: _ClassVar[int]
    LIFT_FIELD_NUMBER: _ClassVar[int]
    VIEW_TRUST_FIELD_NUMBER: _ClassVar[int]
    CHANGE_TRUST_FIELD_NUMBER: _ClassVar[int]
    PREDICT_TRUST_FIELD_NUMBER: _ClassVar[int]
    IMPORT_FILE_FIELD_NUMBER: _ClassVar[int]
    EXPORT_FILE_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    list: GrantList
    grant: GrantAdded
    deny: DenialAdded
    revoke: GrantsRevoked
    lift: DenialLifted
    view_trust: TrustView
    change_trust: TrustChanged
    predict_trust: TrustChanged
    import_file: GrantsImported
    export_file: GrantsExported
    notices: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Notice]
    def __init__(self, list: _Optional[_Union[GrantList, _Mapping]] = ..., grant: _Optional[_Union[GrantAdded, _Mapping]] = ..., deny: _Optional[_Union[DenialAdded, _Mapping]] = ..., revoke: _Optional[_Union[GrantsRevoked, _Mapping]] = ..., lift: _Optional[_Union[DenialLifted, _Mapping]] = ..., view_trust: _Optional[_Union[TrustView, _Mapping]] = ..., change_trust: _Optional[_Union[TrustChanged, _Mapping]] = ..., predict_trust: _Optional[_Union[TrustChanged, _Mapping]] = ..., import_file: _Optional[_Union[GrantsImported, _Mapping]] = ..., export_file: _Optional[_Union[GrantsExported, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[_decision_pb2.Notice, _Mapping]]] = ...) -> None: ...

class ListGrants(_message.Message):
    __slots__ = ("scopes", "text", "page_size", "page_token")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedScalarFieldContainer[_vocabulary_pb2.Scope]
    text: str
    page_size: int
    page_token: str
    def __init__(self, scopes: _Optional[_Iterable[_Union[_vocabulary_pb2.Scope, str]]] = ..., text: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GrantList(_message.Message):
    __slots__ = ("grants", "denials", "next_page_token")
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    DENIALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    grants: _containers.RepeatedCompositeFieldContainer[Grant]
    denials: _containers.RepeatedCompositeFieldContainer[Denial]
    next_page_token: str
    def __init__(self, grants: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ..., denials: _Optional[_Iterable[_Union[Denial, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AddGrant(_message.Message):
    __slots__ = ("entry", "scope", "terms")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    entry: _entry_pb2.Entry
    scope: _vocabulary_pb2.Scope
    terms: _human_pb2.GrantTerms
    def __init__(self, entry: _Optional[_Union[_entry_pb2.Entry, _Mapping]] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ..., terms: _Optional[_Union[_human_pb2.GrantTerms, _Mapping]] = ...) -> None: ...

class GrantAdded(_message.Message):
    __slots__ = ("grant", "already_granted")
    GRANT_FIELD_NUMBER: _ClassVar[int]
    ALREADY_GRANTED_FIELD_NUMBER: _ClassVar[int]
    grant: Grant
    already_granted: bool
    def __init__(self, grant: _Optional[_Union[Grant, _Mapping]] = ..., already_granted: bool = ...) -> None: ...

class AddDenial(_message.Message):
    __slots__ = ("entry", "note")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    entry: _entry_pb2.Entry
    note: str
    def __init__(self, entry: _Optional[_Union[_entry_pb2.Entry, _Mapping]] = ..., note: _Optional[str] = ...) -> None: ...

class DenialAdded(_message.Message):
    __slots__ = ("denial", "already_denied")
    DENIAL_FIELD_NUMBER: _ClassVar[int]
    ALREADY_DENIED_FIELD_NUMBER: _ClassVar[int]
    denial: Denial
    already_denied: bool
    def __init__(self, denial: _Optional[_Union[Denial, _Mapping]] = ..., already_denied: bool = ...) -> None: ...

class RevokeGrant(_message.Message):
    __slots__ = ("entry", "object_text", "scope")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    OBJECT_TEXT_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    entry: _entry_pb2.Entry
    object_text: str
    scope: _vocabulary_pb2.Scope
    def __init__(self, entry: _Optional[_Union[_entry_pb2.Entry, _Mapping]] = ..., object_text: _Optional[str] = ..., scope: _Optional[_Union[_vocabulary_pb2.Scope, str]] = ...) -> None: ...

class GrantsRevoked(_message.Message):
    __slots__ = ("revoked",)
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    revoked: _containers.RepeatedCompositeFieldContainer[Grant]
    def __init__(self, revoked: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ...) -> None: ...

class LiftDenial(_message.Message):
    __slots__ = ("entry", "object_text")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    OBJECT_TEXT_FIELD_NUMBER: _ClassVar[int]
    entry: _entry_pb2.Entry
    object_text: str
    def __init__(self, entry: _Optional[_Union[_entry_pb2.Entry, _Mapping]] = ..., object_text: _Optional[str] = ...) -> None: ...

class DenialLifted(_message.Message):
    __slots__ = ("lifted",)
    LIFTED_FIELD_NUMBER: _ClassVar[int]
    lifted: Denial
    def __init__(self, lifted: _Optional[_Union[Denial, _Mapping]] = ...) -> None: ...

class ViewTrust(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TrustView(_message.Message):
    __slots__ = ("defaults", "servers")
    DEFAULTS_FIELD_NUMBER: _ClassVar[int]
    SERVERS_FIELD_NUMBER: _ClassVar[int]
    defaults: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    servers: _containers.RepeatedCompositeFieldContainer[ServerTrust]
    def __init__(self, defaults: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., servers: _Optional[_Iterable[_Union[ServerTrust, _Mapping]]] = ...) -> None: ...

class ServerTrust(_message.Message):
    __slots__ = ("server", "trusted", "configured", "changed")
    SERVER_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_FIELD_NUMBER: _ClassVar[int]
    CONFIGURED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    server: str
    trusted: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    configured: bool
    changed: bool
    def __init__(self, server: _Optional[str] = ..., trusted: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., configured: bool = ..., changed: bool = ...) -> None: ...

class TrustChange(_message.Message):
    __slots__ = ("server", "believe", "disbelieve")
    SERVER_FIELD_NUMBER: _ClassVar[int]
    BELIEVE_FIELD_NUMBER: _ClassVar[int]
    DISBELIEVE_FIELD_NUMBER: _ClassVar[int]
    server: str
    believe: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    disbelieve: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    def __init__(self, server: _Optional[str] = ..., believe: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., disbelieve: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ...) -> None: ...

class TrustChanged(_message.Message):
    __slots__ = ("server", "configured", "trusted", "added", "removed", "weakening", "invalidates")
    SERVER_FIELD_NUMBER: _ClassVar[int]
    CONFIGURED_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    WEAKENING_FIELD_NUMBER: _ClassVar[int]
    INVALIDATES_FIELD_NUMBER: _ClassVar[int]
    server: str
    configured: bool
    trusted: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    added: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    removed: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    weakening: _containers.RepeatedScalarFieldContainer[_entry_pb2.Hint]
    invalidates: _containers.RepeatedCompositeFieldContainer[Grant]
    def __init__(self, server: _Optional[str] = ..., configured: bool = ..., trusted: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., added: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., removed: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., weakening: _Optional[_Iterable[_Union[_entry_pb2.Hint, str]]] = ..., invalidates: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ...) -> None: ...

class ImportGrants(_message.Message):
    __slots__ = ("content", "file_modified_at", "dry_run")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    FILE_MODIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    content: str
    file_modified_at: _timestamp_pb2.Timestamp
    dry_run: bool
    def __init__(self, content: _Optional[str] = ..., file_modified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., dry_run: bool = ...) -> None: ...

class GrantsImported(_message.Message):
    __slots__ = ("imported", "already_granted", "dropped", "file_version")
    IMPORTED_FIELD_NUMBER: _ClassVar[int]
    ALREADY_GRANTED_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    FILE_VERSION_FIELD_NUMBER: _ClassVar[int]
    imported: _containers.RepeatedCompositeFieldContainer[Grant]
    already_granted: int
    dropped: _containers.RepeatedCompositeFieldContainer[DroppedItem]
    file_version: int
    def __init__(self, imported: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ..., already_granted: _Optional[int] = ..., dropped: _Optional[_Iterable[_Union[DroppedItem, _Mapping]]] = ..., file_version: _Optional[int] = ...) -> None: ...

class DroppedItem(_message.Message):
    __slots__ = ("index", "reason")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    index: int
    reason: str
    def __init__(self, index: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class ExportGrants(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GrantsExported(_message.Message):
    __slots__ = ("content", "grants", "skipped")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    content: str
    grants: int
    skipped: int
    def __init__(self, content: _Optional[str] = ..., grants: _Optional[int] = ..., skipped: _Optional[int] = ...) -> None: ...
