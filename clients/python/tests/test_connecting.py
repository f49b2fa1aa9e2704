"""Where a gate may listen, and what is sent to it along with a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import haltgate
from conftest import Connect
from haltgate import _trace
from haltgate._target import Target
from support.gate import Gate
from support.policy import APPROVED, POLICY
from support.relay import Certificates, RecordingRelay, TlsRelay

TARGETS = [
    ("127.0.0.1:7557", "127.0.0.1:7557", False, True),
    ("http://gate.example:80/", "gate.example:80", False, False),
    ("https://gate.example:443", "gate.example:443", True, False),
    ("localhost:7557", "localhost:7557", False, True),
    ("[::1]:7557", "[::1]:7557", False, True),
    ("10.0.0.1:7557", "10.0.0.1:7557", False, False),
    ("unix:/run/gate.sock", "unix:/run/gate.sock", False, True),
    ("unix:///run/gate.sock", "unix:/run/gate.sock", False, True),
    ("unix:gate.sock", "unix:gate.sock", False, True),
]


@pytest.mark.parametrize(("text", "address", "encrypted", "local"), TARGETS)
def test_a_target_is_a_host_with_a_port_or_a_socket(text: str, address: str, encrypted: bool, local: bool) -> None:
    target = Target.parse(text)
    assert (target.address, target.encrypted, target.local) == (address, encrypted, local)


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1", "unix:", "ftp://a:1", "a:1/path", "a b:1", "a:b", "a:99999", ":7557", "http://", "u:p@a:1", "a:1?x"],
)
def test_any_other_target_is_an_error(text: str) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        haltgate.connect(text)
    assert [violation.field for violation in refused.value.violations] == ["target"]


def test_without_a_target_the_variable_counts_and_then_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HALTGATE_TARGET", raising=False)
    assert Target.parse(None).address == haltgate.DEFAULT_TARGET == "127.0.0.1:7557"
    monkeypatch.setenv("HALTGATE_TARGET", "unix:/run/gate.sock")
    assert Target.parse(None).address == "unix:/run/gate.sock"


def test_the_variable_leads_to_a_gate(connect: Connect, shared_gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALTGATE_TARGET", shared_gate.address)
    assert connect().session("variable").decide_shell(APPROVED).approved


def test_a_unix_socket_leads_to_a_gate(connect: Connect, tmp_path: Path) -> None:
    socket = tmp_path / "gate.sock"
    with Gate({**POLICY, "server": {"socket": str(socket)}}):
        assert connect(f"unix:{socket}").open_session().decide_shell(APPROVED).approved


def test_a_token_and_the_client_s_name_come_with_every_request(connect: Connect, shared_gate: Gate) -> None:
    with RecordingRelay(shared_gate.address) as relay:
        session = connect(relay.address, token="secret-token").open_session()
        assert session.decide_shell(APPROVED).approved
    assert [sent["authorization"] for sent in relay.metadata] == ["Bearer secret-token"] * 2
    assert relay.metadata[0]["user-agent"].startswith(f"haltgate-python/{haltgate.__version__} ")


def test_every_request_carries_the_trace_that_is_current_then(connect: Connect, shared_gate: Gate) -> None:
    spans = iter(["01", "02"])

    def current() -> dict[str, str]:
        return {"traceparent": f"00-4bf92f3577b34da6a3ce929d0e0e4736-00000000000000{next(spans)}-01"}

    with RecordingRelay(shared_gate.address) as relay:
        session = connect(relay.address, headers=current).open_session()
        assert session.decide_shell(APPROVED).approved
    carried = [sent["traceparent"][36:52] for sent in relay.metadata]
    assert carried == ["0000000000000001", "0000000000000002"]


def test_the_trace_of_opentelemetry_is_carried_and_nothing_else_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Propagator:
        @staticmethod
        def inject(carrier: dict[str, str]) -> None:
            carrier.update(traceparent="00-a-b-01", tracestate="a=1", baggage="user=canary")

    monkeypatch.setattr(_trace, "propagate", Propagator)
    assert _trace.current_trace() == {"traceparent": "00-a-b-01", "tracestate": "a=1"}
    monkeypatch.setattr(_trace, "propagate", None)
    assert _trace.current_trace() == {}


@pytest.mark.parametrize("target", ["gate.example:80", "http://10.0.0.1:7557"])
def test_a_token_never_leaves_the_machine_unencrypted_unless_that_is_said(target: str) -> None:
    with pytest.raises(haltgate.InvalidRequest, match="unencrypted"):
        haltgate.connect(target, token="secret-token")
    haltgate.connect(target, token="secret-token", token_in_clear=True).close()
    haltgate.connect("https://gate.example:443", token="secret-token").close()
    haltgate.connect("unix:/run/gate.sock", token="secret-token").close()


@pytest.mark.parametrize("token", ["", "a b", "a\nb", "ä"])
def test_a_token_that_no_header_can_hold_is_an_error(token: str) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        haltgate.connect(token=token)
    assert "secret" not in str(refused.value)


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return Certificates(tmp_path)


def test_tls_with_the_right_authority_works_and_so_does_a_token(
    connect: Connect, shared_gate: Gate, certificates: Certificates
) -> None:
    with TlsRelay(shared_gate.address, certificates) as relay:
        client = connect(f"https://{relay.address}", ca=certificates.ca, token="secret-token")
        assert client.open_session().decide_shell(APPROVED).approved
        client.close()


def test_tls_with_another_authority_is_no_connection(
    connect: Connect, shared_gate: Gate, certificates: Certificates, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with TlsRelay(shared_gate.address, certificates) as relay:
        client = connect(f"https://{relay.address}", ca=Certificates(other).ca)
        with pytest.raises(haltgate.GateUnavailable):
            client.server_info()
        client.close()


def test_a_client_shows_its_certificate(connect: Connect, shared_gate: Gate, certificates: Certificates) -> None:
    with TlsRelay(shared_gate.address, certificates, ask_client=True) as relay:
        target = f"https://{relay.address}"
        shown = {"certificate": certificates.client_certificate, "key": str(certificates.client_key)}
        client = connect(target, ca=certificates.ca, **shown)
        assert client.server_info().version
        client.close()
        without = connect(target, ca=certificates.ca)
        with pytest.raises(haltgate.GateUnavailable):
            without.server_info()
        without.close()


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"ca": b"pem"}, "target"),
        ({"target": "https://a:1", "certificate": b"pem"}, "certificate"),
        ({"target": "https://a:1", "ca": "/no/such/file"}, "ca"),
    ],
)
def test_certificates_that_cannot_be_used_are_an_error(options: dict[str, Any], field: str) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        haltgate.connect(**options)
    assert [violation.field for violation in refused.value.violations] == [field]


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "10", None, True])
@pytest.mark.parametrize("option", ["deadline", "reconnect_for"])
def test_a_time_that_is_none_is_an_error(option: str, value: Any) -> None:
    with pytest.raises(haltgate.InvalidRequest) as refused:
        haltgate.connect(**{option: value})
    assert [violation.field for violation in refused.value.violations] == [option]


def test_a_client_that_was_closed_decides_nothing(connect: Connect, shared_gate: Gate) -> None:
    client = connect(shared_gate.address)
    client.server_info()
    client.close()
    with pytest.raises(haltgate.GateUnavailable, match="closed"):
        client.session("s").decide_shell(APPROVED)
