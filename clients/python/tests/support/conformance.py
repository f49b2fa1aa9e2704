"""The interpreter of the conformance scenarios: tests/conformance/README.md defines what each step does.

Promises to know operations and never a scenario. Works with either client in the blocking one's form.
"""

from __future__ import annotations

import json
import queue
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from typing import Any

import haltgate
from haltgate import (
    Action,
    AttackHalt,
    Escalation,
    Grant,
    Hint,
    Rung,
    Scope,
    SessionInfo,
    ShellCall,
    ShellDialect,
    SortOrder,
    Stage,
    Verdict,
)
from support.gate import Gate
from support.waiting import PATIENCE, Background, in_background

Json = Any
ENTRY_TYPES = {
    "shell": haltgate.EntryType.SHELL,
    "tool": haltgate.EntryType.TOOL,
    "mcpTool": haltgate.EntryType.MCP_TOOL,
}


class SilentRater:
    """A listener that accepts connections and never answers."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.asked = threading.Event()
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            self.asked.set()

    def hang_up(self) -> None:
        if self._thread.is_alive():
            self._listener.shutdown(socket.SHUT_RDWR)
            self._thread.join()
        self._listener.close()
        for connection in self._open:
            connection.close()


class Watched:
    """A feed, read as it comes."""

    def __init__(self, feed: Any) -> None:
        self._feed = feed
        self._events: queue.Queue[Json] = queue.Queue()
        self._reading = in_background(self._read)

    def _read(self) -> None:
        try:
            while (event := next(self._feed, None)) is not None:
                self._events.put(tell_event(event))
        except haltgate.GateError as error:
            self._events.put({"event": "error", **tell_error(error)})

    def next(self, count: int) -> list[Json]:
        return [self._events.get(timeout=PATIENCE) for _ in range(count)]

    def close(self) -> str:
        self._feed.close()
        self._reading.result()
        cursor: str = self._feed.cursor
        return cursor


class Scenario:
    """One scenario, step by step."""

    def __init__(self, scenario: Json, connect: Callable[..., Any]) -> None:
        self._scenario = scenario
        self._connect = connect
        self._saved: dict[str, Json] = {}
        self._background: dict[str, Background] = {}
        self._feeds: dict[str, Watched] = {}

    def run(self) -> None:
        self._silent = SilentRater() if self._scenario.get("rater") else None
        config = replaced(self._scenario["gate"], {"$rater": self._silent.url} if self._silent else {})
        try:
            with Gate(config) as self._gate:
                options = self._scenario.get("client", {})
                self._client = self._connect(self._gate.address, **connection_options(options))
                try:
                    for position, step in enumerate(self._scenario["steps"], 1):
                        for _ in range(step.get("times", 1)):
                            in_background(partial(self._step, position, step)).result()
                finally:
                    self._client.close()
        finally:
            if self._silent is not None:
                self._silent.hang_up()

    def _step(self, position: int, step: Json) -> None:
        saved = {f"${name}": value for name, value in self._saved.items()}
        given = replaced(step.get("with", {}), saved)
        expected = replaced(step.get("expect"), saved)
        if "background" in step:
            self._background[step["background"]] = in_background(lambda: self._decide(given))
            return
        try:
            if step["do"] == "events":
                result = self._feeds[given["feed"]].next(len(expected))
            else:
                result = getattr(self, "_" + step["do"])(given)
        except haltgate.GateError as error:
            result = tell_error(error)
        where = f"step {position} ({step['do']})"
        mentions_error = isinstance(expected, Mapping) and "error" in expected
        assert mentions_error or not (isinstance(result, Mapping) and "error" in result), f"{where}: {result}"
        if expected is not None:
            difference = differs(expected, result)
            assert difference is None, f"{where}: {difference} in {json.dumps(result, ensure_ascii=False)}"
        for name, path in step.get("save", {}).items():
            self._saved[name] = part(result, path)

    # Operations

    def _open_session(self, given: Json) -> Json:
        options = session_options(given)
        opened = self._client.open_session(given["session"], labels=given.get("labels"), **options)
        return tell_session(opened.opened.info)

    def _update_session(self, given: Json) -> Json:
        labels = given.get("labels", {})
        changed = self._client.session(given["session"]).update(
            set_labels=labels.get("set"),
            remove_labels=labels.get("remove", ()),
            **session_options(given),
            **chosen(given, "reset_thread"),
        )
        return tell_session(changed.info)

    def _close_session(self, given: Json) -> Json:
        return tell_session(self._client.session(given["session"]).close())

    def _decide(self, given: Json) -> Json:
        options = chosen(given, "run_id", "request_id", "wait", "dry_run")
        if "max_wait_ms" in given:
            options["max_wait"] = given["max_wait_ms"] / 1000
        try:
            return tell_decision(self._client.session(given["session"]).decide(call_of(given), **options))
        except haltgate.GateError as error:
            return tell_error(error)

    def _join(self, given: Json) -> Json:
        return self._background[given["background"]].result()

    def _rate(self, given: Json) -> Json:
        options = chosen(given, "profile", "fresh")
        if "session" in given:
            options["session_id"] = given["session"]
        return tell_rating(self._client.rate(call_of(given), **options).rating)

    def _watch(self, given: Json) -> Json:
        options = chosen(given, "run_id", "after", "observe_only")
        if "session" in given:
            options["session_id"] = given["session"]
        watch = {"escalations": self._client.watch_escalations, "halts": self._client.watch_halts}[given["kind"]]
        self._feeds[given["feed"]] = Watched(watch(**options))
        return {}

    def _unwatch(self, given: Json) -> Json:
        return {"cursor": self._feeds.pop(given["feed"]).close()}

    def _answer(self, given: Json) -> Json:
        options = chosen(given, "escalation_id", "halt_id", "comment", "request_id")
        if "scope" in given:
            options["scope"] = Scope(given["scope"])
        if "terms" in given:
            options["terms"] = haltgate.Terms(**given["terms"])
        return tell_question(self._client.answer(Verdict(given["verdict"]), **options))

    def _list_grants(self, given: Json) -> Json:
        options = chosen(given, "text", "page_size")
        if "scopes" in given:
            options["scopes"] = [Scope(scope) for scope in given["scopes"]]
        listed = list(self._client.grants.list(session_id=given.get("session", ""), **options))
        return {
            "grants": [tell_grant(item) for item in listed if isinstance(item, Grant)],
            "denials": [tell_denial(item) for item in listed if not isinstance(item, Grant)],
        }

    def _grant(self, given: Json) -> Json:
        options = chosen(given, "request_id")
        if "terms" in given:
            options["terms"] = haltgate.Terms(**given["terms"])
        session_id = given.get("session", "")
        added = self._client.grants.grant(
            entry_of(given["entry"]), Scope(given["scope"]), session_id=session_id, **options
        )
        return {"grant": tell_grant(added.grant), "already_granted": added.already_granted}

    def _deny(self, given: Json) -> Json:
        options = chosen(given, "note", "request_id")
        added = self._client.grants.deny(given["session"], entry_of(given["entry"]), **options)
        return {"denial": tell_denial(added.denial), "already_denied": added.already_denied}

    def _revoke(self, given: Json) -> Json:
        scope = Scope(given["scope"]) if "scope" in given else None
        revoked = self._client.grants.revoke(target_of(given), session_id=given.get("session", ""), scope=scope)
        return {"revoked": [tell_grant(grant) for grant in revoked]}

    def _lift(self, given: Json) -> Json:
        return {"lifted": tell_denial(self._client.grants.lift(given["session"], target_of(given)))}

    def _view_trust(self, given: Json) -> Json:
        view = self._client.grants.trust(given["session"])
        return {"defaults": words(view.defaults), "servers": [tell(server) for server in view.servers]}

    def _change_trust(self, given: Json) -> Json:
        return tell_trust(self._client.grants.change_trust(given["session"], given["server"], **hints_of(given)))

    def _predict_trust(self, given: Json) -> Json:
        return tell_trust(self._client.grants.predict_trust(given["session"], given["server"], **hints_of(given)))

    def _import_grants(self, given: Json) -> Json:
        imported = self._client.grants.import_file(given["content"], **chosen(given, "dry_run"))
        return {
            "imported": [tell_grant(grant) for grant in imported.imported],
            "already_granted": imported.already_granted,
            "dropped": [tell(item) for item in imported.dropped],
            "file_version": imported.file_version,
        }

    def _export_grants(self, given: Json) -> Json:
        return tell(self._client.grants.export_file())

    def _list_decisions(self, given: Json) -> Json:
        options = chosen(given, "run_id", "text", "page_size", "page_token")
        if "session" in given:
            options["session_id"] = given["session"]
        options["actions"] = [Action(action) for action in given.get("actions", ())]
        options["stages"] = [Stage(stage) for stage in given.get("stages", ())]
        if "order" in given:
            options["order"] = SortOrder(given["order"])
        return {"decisions": [tell_record(record) for record in self._client.list_decisions(**options)]}

    def _server_info(self, given: Json) -> Json:
        return tell(self._client.server_info())

    def _server(self, given: Json) -> Json:
        {"kill": self._gate.kill, "stop": self._gate.stop, "start": self._gate.start}[given["action"]]()
        return {}

    def _rater(self, given: Json) -> Json:
        assert self._silent is not None
        if given["action"] == "asked":
            assert self._silent.asked.wait(PATIENCE)
        else:
            self._silent.hang_up()
        return {}


# What a scenario gives


def connection_options(options: Json) -> dict[str, Any]:
    seconds = {"deadline_ms": "deadline", "reconnect_for_ms": "reconnect_for"}
    made = {ours: options[theirs] / 1000 for theirs, ours in seconds.items() if theirs in options}
    return {**made, **chosen(options, "project")}


def session_options(given: Json) -> dict[str, Any]:
    options = chosen(given, "interactive", "command", "cwd", "home", "mcp_servers", "user_messages")
    if "rung" in given:
        options["rung"] = Rung(given["rung"])
    if "tools" in given:
        options["tools"] = [tool_of(tool) for tool in given["tools"]]
    return options


def tool_of(tool: Json) -> haltgate.Tool:
    annotations = None
    if "annotations" in tool:
        hints = {name.removesuffix("_hint"): value for name, value in tool["annotations"].items()}
        annotations = haltgate.Annotations(**hints)
    return haltgate.Tool(tool["registered_name"], tool.get("description", ""), annotations)


def call_of(given: Json) -> haltgate.Call:
    kinds: dict[str, Callable[..., haltgate.Call]] = {
        "shell": haltgate.ShellCall,
        "tool": haltgate.ToolCall,
        "mcp_tool": haltgate.McpToolCall,
        "registered": haltgate.RegisteredCall,
    }
    (kind,) = [kind for kind in kinds if kind in given]
    parts = dict(given[kind])
    if "dialect" in parts:
        parts["dialect"] = ShellDialect(parts["dialect"])
    return kinds[kind](**parts)


def entry_of(entry: Json) -> haltgate.Entry:
    pattern = entry["pattern"]
    if entry["matcher"] == "hint":
        names = {"readOnlyHint": "read_only", "destructiveHint": "destructive"}
        names |= {"idempotentHint": "idempotent", "openWorldHint": "open_world"}
        pattern = haltgate.Annotations(**{names[hint]: value for hint, value in pattern.items()})
    matcher = haltgate.Matcher(entry["matcher"].upper())
    return haltgate.Entry(ENTRY_TYPES[entry["type"]], matcher, pattern, **chosen(entry, "server", "host", "rate"))


def target_of(given: Json) -> haltgate.Entry | str:
    return given["object_text"] if "object_text" in given else entry_of(given["entry"])


def hints_of(given: Json) -> dict[str, list[Hint]]:
    return {change: [Hint(hint) for hint in given.get(change, ())] for change in ("believe", "disbelieve")}


def chosen(given: Json, *keys: str) -> dict[str, Any]:
    return {key: given[key] for key in keys if key in given}


def replaced(value: Json, names: Mapping[str, Json]) -> Json:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: replaced(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [replaced(item, names) for item in value]
    return value


# What the client says, in the form that scenarios expect


def tell(value: Any) -> Json:
    """Tell a plain object of the client by its own names."""
    return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__ if name != "raw"}


def plain(value: Any) -> Json:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def words(values: Iterable[Enum]) -> list[Json]:
    return [value.value for value in values]


def tell_entry(entry: haltgate.RenderedEntry | None) -> Json:
    return None if entry is None else json.loads(entry.object_text)


def tell_rating(rating: haltgate.Rating | None) -> Json:
    return None if rating is None else {key: plain(getattr(rating, key)) for key in RATING}


def tell_human(human: haltgate.HumanAnswer | None) -> Json:
    if human is None:
        return None
    return {**{key: plain(getattr(human, key)) for key in HUMAN}, "stored": tell_entry(human.stored)}


def tell_decision(decision: haltgate.Decision) -> Json:
    rule = decision.rule
    told = {key: plain(getattr(decision, key)) for key in DECISION}
    told["rating"] = tell_rating(decision.rating)
    told["human"] = tell_human(decision.human)
    told["notices"] = [plain(notice.code) for notice in decision.notices]
    told["budget"] = None if decision.budget is None else tell(decision.budget)
    if rule is not None:
        told["rule"] = {"list": plain(rule.list), "layer": plain(rule.layer), "entry": tell_entry(rule.entry)}
    if decision.explanation is not None:
        told["rating_needed"] = decision.explanation.rating_needed
    return told


def tell_error(error: haltgate.GateError) -> Json:
    told: dict[str, Json] = {"approved": error.approved}
    match error:
        case haltgate.AttackHalted():
            return {**tell_decision(error.decision), "error": "attack_halted", **told}
        case haltgate.Unattended():
            return {**tell_decision(error.decision), "error": "unattended", **told}
        case haltgate.GateUnavailable():
            return {"error": "gate_unavailable", **told}
        case haltgate.InvalidRequest():
            fields = [violation.field for violation in error.violations]
            refusal = {"reason": plain(error.reason), "metadata": dict(error.metadata), "fields": fields}
            return {"error": "invalid_request", **told, **refusal}
        case haltgate.GateRefused():
            refusal = {"reason": plain(error.reason), "metadata": dict(error.metadata)}
            refusal |= {"domain": error.details.domain, "retry_info": error.retry_after is not None}
            return {"error": "refused", **told, **refusal}
        case _:
            return {"error": "unexpected_answer", **told}


def tell_question(question: haltgate.Question) -> Json:
    told = {key: plain(getattr(question, key)) for key in QUESTION}
    told["command"] = question.call.command if isinstance(question.call, ShellCall) else None
    told["rating"] = tell_rating(question.rating)
    told["answer"] = tell_human(question.answer)
    if isinstance(question, AttackHalt):
        return {**told, "halt_id": question.halt_id}
    assert isinstance(question, Escalation)
    told["escalation_id"] = question.escalation_id
    told["rounds"] = None if question.negotiation is None else len(question.negotiation.rounds)
    if question.offer is not None:
        told["offer"] = {
            "approve_scopes": words(question.offer.approve_scopes),
            "reject_scopes": words(question.offer.reject_scopes),
            "grant": tell_entry(question.offer.grant),
            "denial": tell_entry(question.offer.denial),
        }
    return told


def tell_event(event: Any) -> Json:
    match event:
        case haltgate.Restarted():
            return {"event": "restarted"}
        case haltgate.SnapshotEnd(open=count):
            return {"event": "snapshot_end", "open": count}
        case _:
            return {"event": type(event).__name__.lower(), **tell_question(event.item)}


def tell_session(info: SessionInfo) -> Json:
    return {key: plain(getattr(info, key)) for key in SESSION}


def tell_grant(grant: Grant) -> Json:
    told = {key: plain(getattr(grant, key)) for key in ("session_id", "scope", "granted_by", "uses_left")}
    terms = grant.terms or haltgate.Terms()
    told |= {"entry": tell_entry(grant.entry), "object_text": grant.entry.object_text}
    return {**told, "max_uses": terms.max_uses, "note": terms.note}


def tell_denial(denial: haltgate.Denial) -> Json:
    told = {key: plain(getattr(denial, key)) for key in ("session_id", "denied_by", "note")}
    return {**told, "entry": tell_entry(denial.entry), "object_text": denial.entry.object_text}


def tell_trust(changed: haltgate.TrustChanged) -> Json:
    return {**tell(changed), "invalidates": [tell_grant(grant) for grant in changed.invalidates]}


def tell_record(record: haltgate.DecisionRecord) -> Json:
    told = {key: plain(getattr(record, key)) for key in RECORD}
    told["command"] = record.call.command if isinstance(record.call, ShellCall) else None
    return {**told, "human": tell_human(record.human), "rating": tell_rating(record.rating)}


RATING = ("outcome", "source", "cause", "reason")
HUMAN = ("verdict", "scope", "comment", "answered_by")
DECISION = (
    *("approved", "action", "stage", "scope", "message", "decision_id", "request_id", "escalation_id", "halt_id"),
    *("run_halted", "replayed", "rung", "policy_revision"),
)
QUESTION = ("decision_id", "session_id", "run_id", "request_id", "state", "rung", "stage")
SESSION = (
    *("session_id", "state", "rung", "interactive", "command", "labels", "cwd", "home", "mcp_servers", "tool_count"),
    *("halted_runs", "open_escalations"),
)
RECORD = (
    *("decision_id", "record_id", "session_id", "run_id", "request_id", "action", "stage", "scope"),
    *("human_involvement", "escalation_id", "halt_id"),
)


# Matching


def differs(expected: Json, found: Json, path: str = "result") -> str | None:
    """Say where something does not match; None where it does."""
    if expected is None:
        return None if found is None or found == "" else f"{path} is present"
    if expected == "$present":
        return f"{path} is absent" if found is None or found == "" else None
    if isinstance(expected, Mapping) and "$contains" in expected:
        contains = isinstance(found, str | list) and expected["$contains"] in found
        return None if contains else f"{path} does not contain {expected['$contains']!r}"
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            return f"{path} is no object"
        pairs = [(expected[key], found.get(key), f"{path}.{key}") for key in expected]
        return next((said for pair in pairs if (said := differs(*pair)) is not None), None)
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return f"{path} is no list of {len(expected)}"
        items = [
            (want, have, f"{path}.{position}")
            for position, (want, have) in enumerate(zip(expected, found, strict=True))
        ]
        return next((said for item in items if (said := differs(*item)) is not None), None)
    same = expected == found and isinstance(expected, bool) == isinstance(found, bool)
    return None if same else f"{path} is {found!r} and not {expected!r}"


def part(result: Json, path: str) -> Json:
    for key in path.split("."):
        result = result[int(key)] if isinstance(result, list) else result[key]
    assert result is not None
    assert result != ""
    return result
