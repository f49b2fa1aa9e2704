"""The connection to a gate.

Promises a deadline on every request, that only what is safe is sent again, and that no fault is ever an approval. Knows
nothing of how decisions come about.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import grpc

from .. import v1 as pb
from .._follow import Following, read_feed_escalation, read_feed_halt
from .._methods import (
    ANSWER,
    DECIDE,
    GET_SERVER_INFO,
    LIST_DECISIONS,
    LIST_SESSIONS,
    OPEN_SESSION,
    RATE,
    STREAM_ATTACK_HALTS,
    STREAM_ESCALATIONS,
    VERIFY_AUDIT,
    Answer,
    Method,
    Request,
)
from .._read import duration, timestamp
from .._requests import all_named, building, named, new_id
from .._retry import Attempts, Waiting
from .._status import read_status
from ..calls import Call, write_call
from ..decisions import Decision, read_decision
from ..errors import AttackHalted, InvalidRequest, Unattended, UnexpectedAnswer
from ..human import AttackHalt, Escalation, Question, Terms, read_escalation, read_halt, write_terms
from ..ratings import Rated, read_rated
from ..records import (
    AuditReport,
    DecisionRecord,
    ServerInfo,
    read_audit,
    read_record,
    read_server,
)
from ..sessions import SessionInfo, Tool, read_opened, read_session, write_tools
from ..vocabulary import Action, Rung, Scope, SessionState, SortOrder, Stage, Verdict
from .feed import AsyncFeed
from .grants import AsyncGrants
from .session import AsyncSession
from .transport import AsyncStream, AsyncTransport, async_sleep

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from typing_extensions import Self

    from .._target import Connection


class AsyncClient:
    """A connection to a gate. It is opened when it is first needed; close it, or use it in a ``with`` statement."""

    def __init__(self, connection: Connection, *, deadline: float, reconnect_for: float, project: str) -> None:
        """Plan a connection; :func:`haltgate.connect` and :func:`haltgate.connect_async` are the way to call this."""
        self._transport = AsyncTransport(connection)
        self._feeds: weakref.WeakSet[AsyncFeed[Any]] = weakref.WeakSet()
        self.deadline = deadline
        self.reconnect_for = reconnect_for
        self.project = project
        self.grants = AsyncGrants(self)
        """Grants, denials and trust."""

    async def close(self) -> None:
        """End every feed and close the connection."""
        for feed in list(self._feeds):
            await feed.close()
        await self._transport.close()

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self.close()

    # Sessions

    async def open_session(
        self,
        session_id: str = "",
        *,
        rung: Rung | None = None,
        interactive: bool | None = None,
        command: str = "",
        labels: Mapping[str, str] | None = None,
        cwd: str = "",
        home: str = "",
        tools: Iterable[Tool] | None = None,
        mcp_servers: Iterable[str] | None = None,
        user_messages: Iterable[str] = (),
    ) -> AsyncSession:
        """Open a session, or open it again: its grants and denials stay.

        Args:
            session_id: id of the conversation. Default: the gate makes one.
            rung: step of the approvals ladder to begin at. Default: the policy's.
            interactive: whether a human may be asked. Default: yes.
            command: selects ``commands.<name>.approvals`` of the policy.
            labels: for wording and filters; they never change a decision.
            cwd: working folder of calls that name none, absolute.
            home: home folder of calls that name none, absolute.
            tools: every tool that the agent can call.
            mcp_servers: keys of the MCP servers that the agent is connected to. Default: the policy's.
            user_messages: what the user wrote so far, oldest first.
        """
        with building():
            request = pb.OpenSessionRequest(
                project=self.project,
                session_id=session_id,
                rung=named(rung),
                command=command,
                labels=dict(labels or {}),
                cwd=cwd,
                home=home,
                tools=None if tools is None else write_tools(tools),
                mcp_servers=None if mcp_servers is None else pb.McpServers(keys=list(mcp_servers)),
                user_messages=list(user_messages),
            )
            if interactive is not None:
                request.interactive = interactive
        opened = read_opened(await self._call(OPEN_SESSION, request, repeatable=False))
        if session_id and opened.info.session_id != session_id:
            raise UnexpectedAnswer(f"the gate opened session {opened.info.session_id!r}, not {session_id!r}")
        return AsyncSession(self, opened.info.session_id, opened)

    def session(self, session_id: str) -> AsyncSession:
        """Name a session; nothing is sent. One that nobody opened is opened by its first call, as the policy says."""
        return AsyncSession(self, session_id)

    async def list_sessions(
        self,
        *,
        states: Iterable[SessionState] = (),
        labels: Mapping[str, str] | None = None,
        page_size: int = 0,
    ) -> AsyncIterator[SessionInfo]:
        """List sessions, the one opened last first; page after page, as they are asked for. Default: open ones."""
        with building():
            request = pb.ListSessionsRequest(
                project=self.project,
                states=all_named(states),
                labels=dict(labels or {}),
                page_size=page_size,
            )
        while True:
            page = await self._call(LIST_SESSIONS, request, repeatable=True)
            for session in page.sessions:
                yield read_session(session)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    # Ratings

    async def rate(self, call: Call, *, session_id: str = "", profile: str = "", fresh: bool = False) -> Rated:
        """Have a call rated. Nothing is decided, and a rater that fails is a rating with a cause.

        Args:
            call: what is to be rated.
            session_id: session whose folders, tools and rater count. Default: the project's defaults.
            profile: rater to ask. Default: the policy's.
            fresh: whether to ask again where an earlier rating could be taken over.
        """
        with building():
            request = pb.RateRequest(
                project=self.project,
                session_id=session_id,
                call=write_call(call),
                profile=profile,
                fresh=fresh,
            )
        return read_rated(await self._call(RATE, request, repeatable=True))

    # Feeds and answers

    def watch_escalations(self, *, session_id: str = "", run_id: str = "", after: str = "") -> AsyncFeed[Escalation]:
        """Follow what waits for a human, until the feed is closed.

        Args:
            session_id: only this session. Default: every one of the project.
            run_id: only this run. Default: every one.
            after: a feed's ``cursor``: go on behind it. Default: begin with everything that is open.
        """

        def open_stream(cursor: str) -> AsyncStream[pb.StreamEscalationsResponse]:
            with building():
                request = pb.StreamEscalationsRequest(
                    project=self.project, session_id=session_id, run_id=run_id, after=cursor
                )
            return self._transport.stream(STREAM_ESCALATIONS, request)

        feed = AsyncFeed(open_stream, self._transport.reconnect, Following(after, read_feed_escalation))
        self._feeds.add(feed)
        return feed

    def watch_halts(
        self,
        *,
        session_id: str = "",
        run_id: str = "",
        after: str = "",
        observe_only: bool = False,
    ) -> AsyncFeed[AttackHalt]:
        """Follow runs that were halted by an attack, until the feed is closed.

        Args:
            session_id: only this session. Default: every one of the project.
            run_id: only this run. Default: every one.
            after: a feed's ``cursor``: go on behind it. Default: begin with everything that is open.
            observe_only: nobody here will answer: a halt does not wait for this feed.
        """

        def open_stream(cursor: str) -> AsyncStream[pb.StreamAttackHaltsResponse]:
            with building():
                request = pb.StreamAttackHaltsRequest(
                    project=self.project,
                    session_id=session_id,
                    run_id=run_id,
                    after=cursor,
                    observe_only=observe_only,
                )
            return self._transport.stream(STREAM_ATTACK_HALTS, request)

        feed = AsyncFeed(open_stream, self._transport.reconnect, Following(after, read_feed_halt))
        self._feeds.add(feed)
        return feed

    async def approve(
        self,
        escalation_id: str,
        *,
        scope: Scope = Scope.ONCE,
        comment: str = "",
        terms: Terms | None = None,
        request_id: str | None = None,
    ) -> Escalation:
        """Let an escalated call run: once, or for a scope that its ``offer`` has."""
        settled = await self.answer(
            Verdict.APPROVE,
            escalation_id=escalation_id,
            scope=scope,
            comment=comment,
            terms=terms,
            request_id=request_id,
        )
        return _escalation(settled)

    async def reject(
        self,
        escalation_id: str,
        *,
        scope: Scope = Scope.ONCE,
        comment: str = "",
        request_id: str | None = None,
    ) -> Escalation:
        """Refuse an escalated call. The comment is part of what the model is told."""
        settled = await self.answer(
            Verdict.REJECT, escalation_id=escalation_id, scope=scope, comment=comment, request_id=request_id
        )
        return _escalation(settled)

    async def run_anyway(self, halt_id: str, *, comment: str = "", request_id: str | None = None) -> AttackHalt:
        """Let the one halted command run, and its run go on. Nothing is remembered."""
        settled = await self.answer(Verdict.RUN_ANYWAY, halt_id=halt_id, comment=comment, request_id=request_id)
        return _halt(settled)

    async def stop(self, halt_id: str, *, comment: str = "", request_id: str | None = None) -> AttackHalt:
        """Leave a run halted."""
        settled = await self.answer(Verdict.STOP, halt_id=halt_id, comment=comment, request_id=request_id)
        return _halt(settled)

    async def answer(
        self,
        verdict: Verdict,
        *,
        escalation_id: str = "",
        halt_id: str = "",
        scope: Scope | None = None,
        comment: str = "",
        terms: Terms | None = None,
        request_id: str | None = None,
    ) -> Question:
        """Settle one escalation or one attack halt. The first answer wins; a second is refused with the first.

        Args:
            verdict: APPROVE or REJECT for an escalation, RUN_ANYWAY or STOP for an attack halt.
            escalation_id: the escalation that is answered, or
            halt_id: the attack halt that is answered.
            scope: how far it reaches. Default: this one call.
            comment: for the agent.
            terms: bounds of the grant that is stored.
            request_id: makes a repetition safe. Default: a new one.
        """
        if bool(escalation_id) == bool(halt_id):
            raise InvalidRequest.of_field("target", "must be either an escalation_id or a halt_id")
        with building():
            request = pb.AnswerRequest(
                project=self.project,
                escalation_id=escalation_id or None,
                halt_id=halt_id or None,
                verdict=named(verdict),
                scope=named(scope),
                comment=comment,
                terms=None if terms is None else write_terms(terms),
                request_id=new_id() if request_id is None else request_id,
            )
        response = await self._call(ANSWER, request, repeatable=True)
        match response.WhichOneof("settled"):
            case "escalation" if response.escalation.escalation_id == escalation_id:
                return read_escalation(response.escalation)
            case "halt" if response.halt.halt_id == halt_id:
                return read_halt(response.halt)
            case _:
                raise UnexpectedAnswer("the gate's answer does not say what was settled")

    # Records

    async def list_decisions(
        self,
        *,
        session_id: str = "",
        run_id: str = "",
        actions: Iterable[Action] = (),
        stages: Iterable[Stage] = (),
        text: str = "",
        arrived_from: datetime | None = None,
        arrived_before: datetime | None = None,
        record_id: str = "",
        order: SortOrder | None = None,
        include_rating_attempts: bool = False,
        page_size: int = 0,
        page_token: str = "",
    ) -> AsyncIterator[DecisionRecord]:
        """List records of decisions; page after page, as they are asked for. All conditions must hold.

        Args:
            session_id: session that they belong to.
            run_id: run that they belong to.
            actions: actions, one of which they have.
            stages: stages, one of which they have.
            text: what the command, the tool's name, the arguments or the message contains.
            arrived_from: earliest time of the call.
            arrived_before: the first time that is too late.
            record_id: the one record that is asked for.
            order: Default: the newest first.
            include_rating_attempts: whether ``raw`` holds prompts and answers of model ratings.
            page_size: records in one request. Default: 50; the most is 500.
            page_token: where to go on. Default: the beginning.
        """
        with building():
            request = pb.ListDecisionsRequest(
                project=self.project,
                session_id=session_id,
                run_id=run_id,
                actions=all_named(actions),
                stages=all_named(stages),
                text=text,
                arrived_from=None if arrived_from is None else timestamp(arrived_from),
                arrived_before=None if arrived_before is None else timestamp(arrived_before),
                record_id=record_id,
                order=named(order),
                include_rating_attempts=include_rating_attempts,
                page_size=page_size,
                page_token=page_token,
            )
        while True:
            page = await self._call(LIST_DECISIONS, request, repeatable=True)
            for record in page.decisions:
                yield read_record(record)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def verify_audit(
        self, *, noted_sequence: int = 0, noted_hash: str = "", deadline: float | None = None
    ) -> AuditReport:
        """Check the chain of the project's records.

        Args:
            noted_sequence: sequence of a head that was noted down earlier.
            noted_hash: hash of that head.
            deadline: seconds that it may take. Default: the client's; a long chain may need more.
        """
        with building():
            request = pb.VerifyAuditRequest(project=self.project, noted_sequence=noted_sequence, noted_hash=noted_hash)
        return read_audit(await self._call(VERIFY_AUDIT, request, repeatable=True, deadline=deadline))

    async def server_info(self) -> ServerInfo:
        """Say which server answers, and under which policy."""
        with building():
            request = pb.GetServerInfoRequest(project=self.project)
        return read_server(await self._call(GET_SERVER_INFO, request, repeatable=True))

    # What all of it goes through

    async def _call(
        self,
        method: Method[Request, Answer],
        request: Request,
        *,
        repeatable: bool,
        deadline: float | None = None,
    ) -> Answer:
        limit = self.deadline if deadline is None else deadline
        attempts = Attempts(limit, repeatable=repeatable, clock=time.monotonic)
        while True:
            try:
                return await self._transport.unary(method, request, attempts.remaining())
            except grpc.RpcError as error:
                fault = read_status(error)
                pause = attempts.pause_after(fault)
                if pause is None:
                    raise fault from error
            await async_sleep(pause)
            await self._transport.reconnect(attempts.patience(fault))

    async def _decide(self, request: pb.DecideRequest, max_wait: float | None) -> Decision:
        if not request.wait:
            decision = read_decision(request, await self._call(DECIDE, request, repeatable=True))
        else:
            decision = await self._decide_and_wait(request, max_wait)
        if not decision.dry_run:
            if decision.action is Action.HALT:
                raise AttackHalted(decision)
            if decision.action is Action.UNATTENDED:
                raise Unattended(decision)
        return decision

    async def _decide_and_wait(self, request: pb.DecideRequest, max_wait: float | None) -> Decision:
        waiting = Waiting(max_wait=max_wait, reconnect_for=self.reconnect_for, clock=time.monotonic)
        while True:
            held = waiting.hold()
            request.max_wait.CopyFrom(duration(held))
            pause: float | None
            patience = 0.0
            try:
                response = await self._transport.unary(DECIDE, request, self.deadline + held)
            except grpc.RpcError as error:
                fault = read_status(error)
                pause = waiting.pause_after_fault(fault)
                if pause is None:
                    raise fault from error
                patience = waiting.patience(fault)
            else:
                decision = read_decision(request, response)
                if decision.action is not Action.ESCALATE:
                    return decision
                pause = waiting.pause_after_escalation(decision)
                if pause is None:
                    return decision
            await async_sleep(pause)
            await self._transport.reconnect(patience)


def _escalation(settled: Question) -> Escalation:
    if isinstance(settled, Escalation):
        return settled
    raise UnexpectedAnswer("the gate settled no escalation")


def _halt(settled: Question) -> AttackHalt:
    if isinstance(settled, AttackHalt):
        return settled
    raise UnexpectedAnswer("the gate settled no attack halt")
