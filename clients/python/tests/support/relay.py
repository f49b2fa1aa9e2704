"""What stands between a client and a gate: TLS that ends here, and a record of what a client sends along.

Promises to pass on every byte, or every call, unchanged. Knows nothing of the client.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

import grpc
import trustme
from typing_extensions import Self


class Certificates:
    """An authority of this test, with a certificate for the relay and one for the client."""

    def __init__(self, folder: Path) -> None:
        self.authority = trustme.CA()
        self.server = self.authority.issue_cert("127.0.0.1", "localhost")
        client = self.authority.issue_cert("agent@example.com")
        self.ca = self.authority.cert_pem.bytes()
        self.client_certificate = folder / "client.pem"
        self.client_certificate.write_bytes(b"".join(blob.bytes() for blob in client.cert_chain_pems))
        self.client_key = folder / "client.key"
        self.client_key.write_bytes(client.private_key_pem.bytes())


class TlsRelay:
    """Ends TLS in front of a gate."""

    def __init__(self, gate: str, certificates: Certificates, *, ask_client: bool = False) -> None:
        host, port = gate.rsplit(":", 1)
        self._gate = (host, int(port))
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificates.server.configure_cert(self._context)
        self._context.set_alpn_protocols(["h2"])
        if ask_client:
            certificates.authority.configure_trust(self._context)
            self._context.verify_mode = ssl.CERT_REQUIRED
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(plain,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        with plain:
            try:
                client = self._context.wrap_socket(plain, server_side=True)
            except OSError:
                return
            with client, socket.create_connection(self._gate) as gate:
                self._open += [client, gate]
                back = threading.Thread(target=_copy, args=(gate, client), daemon=True)
                back.start()
                _copy(client, gate)
                back.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # On Linux, closing a listener does not wake who accepts from it.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in self._open:
            _shut(end)
        for thread in self._threads:
            thread.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    _shut(source)
    _shut(target)


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It is gone already.
        return


class RecordingRelay(grpc.GenericRpcHandler):
    """Passes each call on to a gate, and keeps what came. It may first answer some calls itself, with a status."""

    def __init__(self, gate: str, first: Sequence[grpc.StatusCode] = ()) -> None:
        self.metadata: list[dict[str, str]] = []
        self.requests: list[bytes] = []
        self._first = list(first)
        self._channel = grpc.insecure_channel(gate)
        self._server = grpc.server(ThreadPoolExecutor(4))
        self._server.add_generic_rpc_handlers((self,))
        port = self._server.add_insecure_port("127.0.0.1:0")
        self.address = f"127.0.0.1:{port}"
        self._server.start()

    def service(self, details: Any) -> Any:
        self.metadata.append({key: value for key, value in details.invocation_metadata if isinstance(value, str)})
        forward: Any = self._channel.unary_unary(details.method)

        def answer(request: bytes, context: Any) -> bytes:
            self.requests.append(request)
            if self._first:
                context.abort(self._first.pop(0), "not now")
            answered: bytes = forward(request, timeout=60)
            return answered

        return grpc.unary_unary_rpc_method_handler(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop(None).wait()
        self._channel.close()
