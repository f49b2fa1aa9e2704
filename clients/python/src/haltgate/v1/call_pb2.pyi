from haltgate.v1 import entry_pb2 as _entry_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ShellDialect(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHELL_DIALECT_UNSPECIFIED: _ClassVar[ShellDialect]
    SHELL_DIALECT_BASH: _ClassVar[ShellDialect]
    SHELL_DIALECT_POWERSHELL: _ClassVar[ShellDialect]
    SHELL_DIALECT_CMD: _ClassVar[ShellDialect]
SHELL_DIALECT_UNSPECIFIED: ShellDialect
SHELL_DIALECT_BASH: ShellDialect
SHELL_DIALECT_POWERSHELL: ShellDialect
SHELL_DIALECT_CMD: ShellDialect

class Call(_message.Message):
    __slots__ = ("shell", "tool", "mcp_tool", "registered")
    SHELL_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    MCP_TOOL_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    shell: ShellCall
    tool: ToolCall
    mcp_tool: McpToolCall
    registered: RegisteredCall
    def __init__(self, shell: _Optional[_Union[ShellCall, _Mapping]] = ..., tool: _Optional[_Union[ToolCall, _Mapping]] = ..., mcp_tool: _Optional[_Union[McpToolCall, _Mapping]] = ..., registered: _Optional[_Union[RegisteredCall, _Mapping]] = ...) -> None: ...

class ShellCall(_message.Message):
    __slots__ = ("command", "cwd", "home", "dialect", "justification")
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    DIALECT_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    command: str
    cwd: str
    home: str
    dialect: ShellDialect
    justification: str
    def __init__(self, command: _Optional[str] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., dialect: _Optional[_Union[ShellDialect, str]] = ..., justification: _Optional[str] = ...) -> None: ...

class ToolCall(_message.Message):
    __slots__ = ("name", "arguments_json", "cwd", "home", "justification")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    arguments_json: str
    cwd: str
    home: str
    justification: str
    def __init__(self, name: _Optional[str] = ..., arguments_json: _Optional[str] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., justification: _Optional[str] = ...) -> None: ...

class McpToolCall(_message.Message):
    __slots__ = ("server", "name", "arguments_json", "cwd", "home", "justification")
    SERVER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    server: str
    name: str
    arguments_json: str
    cwd: str
    home: str
    justification: str
    def __init__(self, server: _Optional[str] = ..., name: _Optional[str] = ..., arguments_json: _Optional[str] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., justification: _Optional[str] = ...) -> None: ...

class RegisteredCall(_message.Message):
    __slots__ = ("name", "arguments_json", "cwd", "home", "justification")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    CWD_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    arguments_json: str
    cwd: str
    home: str
    justification: str
    def __init__(self, name: _Optional[str] = ..., arguments_json: _Optional[str] = ..., cwd: _Optional[str] = ..., home: _Optional[str] = ..., justification: _Optional[str] = ...) -> None: ...

class Subject(_message.Message):
    __slots__ = ("shell", "tool", "mcp_tool")
    SHELL_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    MCP_TOOL_FIELD_NUMBER: _ClassVar[int]
    shell: ShellSubject
    tool: ToolSubject
    mcp_tool: McpToolSubject
    def __init__(self, shell: _Optional[_Union[ShellSubject, _Mapping]] = ..., tool: _Optional[_Union[ToolSubject, _Mapping]] = ..., mcp_tool: _Optional[_Union[McpToolSubject, _Mapping]] = ...) -> None: ...

class ShellSubject(_message.Message):
    __slots__ = ("command", "canonical")
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_FIELD_NUMBER: _ClassVar[int]
    command: str
    canonical: str
    def __init__(self, command: _Optional[str] = ..., canonical: _Optional[str] = ...) -> None: ...

class ToolSubject(_message.Message):
    __slots__ = ("name", "hosts", "annotations")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    hosts: _containers.RepeatedScalarFieldContainer[str]
    annotations: _entry_pb2.ToolAnnotations
    def __init__(self, name: _Optional[str] = ..., hosts: _Optional[_Iterable[str]] = ..., annotations: _Optional[_Union[_entry_pb2.ToolAnnotations, _Mapping]] = ...) -> None: ...

class McpToolSubject(_message.Message):
    __slots__ = ("server", "name", "registered_name", "hosts", "annotations")
    SERVER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_NAME_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    server: str
    name: str
    registered_name: str
    hosts: _containers.RepeatedScalarFieldContainer[str]
    annotations: _entry_pb2.ToolAnnotations
    def __init__(self, server: _Optional[str] = ..., name: _Optional[str] = ..., registered_name: _Optional[str] = ..., hosts: _Optional[_Iterable[str]] = ..., annotations: _Optional[_Union[_entry_pb2.ToolAnnotations, _Mapping]] = ...) -> None: ...
