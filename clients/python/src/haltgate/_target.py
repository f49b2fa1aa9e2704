"""Where the gate listens, and how a connection to it is set up.

Promises that a token never leaves the machine unencrypted unless that was asked for. Opens nothing.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import grpc

from ._trace import current_trace
from ._version import VERSION
from .errors import InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._trace import Headers

DEFAULT_TARGET = "127.0.0.1:7557"
"""Where a gate listens unless told otherwise."""

MAX_MESSAGE_BYTES = 64 << 20
"""The largest answer that is accepted: a page of records holds many commands of up to 1 MiB."""

HOW_TO_WRITE = "must be HOST:PORT, http://HOST:PORT, https://HOST:PORT or unix:/PATH"


@dataclass(frozen=True)
class Target:
    """Where a gate listens."""

    address: str
    """The address as gRPC has it."""

    encrypted: bool
    local: bool
    """Whether nothing leaves the machine on the way."""

    socket: bool = False

    @classmethod
    def parse(cls, text: str | None) -> Target:
        """Read a target; without one it is HALTGATE_TARGET, or the server's default address."""
        text = text or os.environ.get("HALTGATE_TARGET") or DEFAULT_TARGET
        if text.startswith("unix:"):
            path = text.removeprefix("unix:")
            path = path.removeprefix("//")
            if not path:
                raise InvalidRequest.of_field("target", HOW_TO_WRITE)
            return cls(f"unix:{path}", encrypted=False, local=True, socket=True)
        scheme, separator, authority = text.rpartition("://")
        if not separator:
            scheme = "http"
        authority = authority.removesuffix("/")
        if scheme not in ("http", "https") or re.search(r"[\s/@?#]", authority):
            raise InvalidRequest.of_field("target", HOW_TO_WRITE)
        try:
            parts = urlsplit(f"//{authority}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise InvalidRequest.of_field("target", HOW_TO_WRITE) from error
        if not host or port is None:
            raise InvalidRequest.of_field("target", HOW_TO_WRITE)
        return cls(authority, encrypted=scheme == "https", local=_is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True)
class Connection:
    """Everything that opening a channel needs."""

    target: Target
    credentials: grpc.ChannelCredentials | None
    """None where the connection is not encrypted."""

    fixed: Sequence[tuple[str, str]]
    """Sent with every call."""

    headers: Headers
    """What each call is sent with, asked anew each time."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What the next call is sent with."""
        return (*self.fixed, *((name.lower(), value) for name, value in self.headers().items()))

    @classmethod
    def plan(
        cls,
        target: str | None,
        *,
        token: str | None,
        token_in_clear: bool,
        ca: str | Path | bytes | None,
        certificate: str | Path | bytes | None,
        key: str | Path | bytes | None,
        headers: Headers | None,
    ) -> Connection:
        """Read what connecting was given."""
        where = Target.parse(target)
        metadata: list[tuple[str, str]] = []
        if token is not None:
            if not re.fullmatch(r"[\x21-\x7e]+", token):
                raise InvalidRequest.of_field("token", "must be printable ASCII without spaces")
            if not (where.encrypted or where.local or token_in_clear):
                description = (
                    f"would be sent to {where.address} unencrypted: use https://, "
                    "or say token_in_clear=True where the network itself encrypts"
                )
                raise InvalidRequest.of_field("token", description)
            metadata.append(("authorization", f"Bearer {token}"))
        if not where.encrypted:
            if ca is not None or certificate is not None or key is not None:
                raise InvalidRequest.of_field("target", "must be https://HOST:PORT where certificates are given")
            return cls(where, None, metadata, headers or current_trace)
        if (certificate is None) != (key is None):
            raise InvalidRequest.of_field("certificate", "must be given together with its key")
        credentials = grpc.ssl_channel_credentials(
            root_certificates=_pem(ca, "ca"),
            private_key=_pem(key, "key"),
            certificate_chain=_pem(certificate, "certificate"),
        )
        return cls(where, credentials, metadata, headers or current_trace)

    def options(self) -> list[tuple[str, int | str]]:
        """Return how the channel is set up."""
        options: list[tuple[str, int | str]] = [
            ("grpc.primary_user_agent", f"haltgate-python/{VERSION}"),
            ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
            ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
            # A quiet connection is checked while a human is waited for.
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.http2.max_pings_without_data", 0),
            # A gate that comes back is found within half a second and a little, not after minutes.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 5_000),
            ("grpc.max_reconnect_backoff_ms", 500),
            # What is tried again is decided here, and by nobody's DNS.
            ("grpc.enable_retries", 0),
            ("grpc.service_config_disable_resolution", 1),
        ]
        if self.target.local:
            options.append(("grpc.enable_http_proxy", 0))
        if self.target.socket:
            # Otherwise gRPC sends the path as the authority, which is none.
            options.append(("grpc.default_authority", "localhost"))
        return options


def _pem(given: str | Path | bytes | None, field: str) -> bytes | None:
    """Return certificates or a key: PEM itself as bytes, or the path of a file that holds it."""
    if given is None or isinstance(given, bytes):
        return given
    try:
        return Path(given).read_bytes()
    except OSError as error:
        raise InvalidRequest.of_field(field, f"cannot be read: {error}") from error
