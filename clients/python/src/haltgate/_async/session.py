"""One session of an agent: deciding its calls.

Promises that a decision is asked for under one request_id until it is settled, and that only a complete APPROVE is
approved. Knows nothing of connections.
"""

from __future__ import annotations

import logging
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .. import v1 as pb
from .._methods import CLOSE_SESSION, GET_SESSION, UPDATE_SESSION
from .._read import seconds
from .._requests import building, named, new_id
from ..calls import Call, McpToolCall, RegisteredCall, ShellCall, ToolCall, write_call
from ..errors import GateError
from ..sessions import (
    OpenedSession,
    SessionDetails,
    SessionInfo,
    Tool,
    read_details,
    read_session,
    read_updated,
    write_tools,
)
from ..vocabulary import Rung, ShellDialect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import timedelta

    from typing_extensions import Self

    from ..decisions import Decision
    from ..ratings import Rated
    from .client import AsyncClient

log = logging.getLogger("haltgate")


class AsyncSession:
    """A session. In a ``with`` statement it is closed at the end; otherwise it stays open until somebody closes it."""

    def __init__(self, client: AsyncClient, session_id: str, opened: OpenedSession | None = None) -> None:
        """Name a session; nothing is sent."""
        self._client = client
        self.session_id = session_id
        self.opened = opened
        """What opening it gave; None when it was only named."""

    async def decide_shell(
        self,
        command: str,
        *,
        cwd: str = "",
        home: str = "",
        dialect: ShellDialect = ShellDialect.BASH,
        justification: str = "",
        run_id: str = "",
        request_id: str | None = None,
        wait: bool = True,
        max_wait: float | timedelta | None = None,
        dry_run: bool = False,
    ) -> Decision:
        """Decide a shell command, exactly as the model wrote it. See :meth:`decide`."""
        return await self.decide(
            ShellCall(command, cwd, home, dialect, justification),
            run_id=run_id,
            request_id=request_id,
            wait=wait,
            max_wait=max_wait,
            dry_run=dry_run,
        )

    async def decide_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        cwd: str = "",
        home: str = "",
        justification: str = "",
        run_id: str = "",
        request_id: str | None = None,
        wait: bool = True,
        max_wait: float | timedelta | None = None,
        dry_run: bool = False,
    ) -> Decision:
        """Decide a call of a tool of the agent itself. See :meth:`decide`."""
        return await self.decide(
            ToolCall(name, arguments, cwd, home, justification),
            run_id=run_id,
            request_id=request_id,
            wait=wait,
            max_wait=max_wait,
            dry_run=dry_run,
        )

    async def decide_mcp(
        self,
        server: str,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        cwd: str = "",
        home: str = "",
        justification: str = "",
        run_id: str = "",
        request_id: str | None = None,
        wait: bool = True,
        max_wait: float | timedelta | None = None,
        dry_run: bool = False,
    ) -> Decision:
        """Decide a call of an MCP server's tool. See :meth:`decide`."""
        return await self.decide(
            McpToolCall(server, name, arguments, cwd, home, justification),
            run_id=run_id,
            request_id=request_id,
            wait=wait,
            max_wait=max_wait,
            dry_run=dry_run,
        )

    async def decide_registered(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        cwd: str = "",
        home: str = "",
        justification: str = "",
        run_id: str = "",
        request_id: str | None = None,
        wait: bool = True,
        max_wait: float | timedelta | None = None,
        dry_run: bool = False,
    ) -> Decision:
        """Decide a call of a tool by its registered name, as in ``mcp__jira__create_issue``. See :meth:`decide`."""
        return await self.decide(
            RegisteredCall(name, arguments, cwd, home, justification),
            run_id=run_id,
            request_id=request_id,
            wait=wait,
            max_wait=max_wait,
            dry_run=dry_run,
        )

    async def decide(
        self,
        call: Call,
        *,
        run_id: str = "",
        request_id: str | None = None,
        wait: bool = True,
        max_wait: float | timedelta | None = None,
        dry_run: bool = False,
    ) -> Decision:
        """Decide whether a call may run.

        Args:
            call: what the agent wants to do.
            run_id: the uninterrupted execution that it belongs to. An attack halts the run, and only that.
            request_id: what makes a repetition safe: the same id with the same call is the same decision. Default: a
                new one.
            wait: whether to wait for a human who is asked.
            max_wait: seconds to wait at most. Default: until the human answers.
            dry_run: whether to explain only. Then nothing is recorded, asked or approved.

        Returns:
            The decision: APPROVE, REJECT, or ESCALATE when a human was asked and has not answered in time. A dry run
            returns whatever would be decided.

        Raises:
            AttackHalted: end the run now; the model gets nothing.
            Unattended: end the run; approval was needed and nobody can answer.
            GateError: something else went wrong; the call is not approved.
        """
        with building():
            limit = None if max_wait is None else seconds(max_wait, "max_wait")
            request = pb.DecideRequest(
                project=self._client.project,
                session_id=self.session_id,
                run_id=run_id,
                request_id=new_id() if request_id is None else request_id,
                call=write_call(call),
                wait=wait,
                dry_run=dry_run,
            )
        return await self._client._decide(request, limit)

    async def rate(self, call: Call, *, profile: str = "", fresh: bool = False) -> Rated:
        """Have a call rated as in this session. Nothing is decided."""
        return await self._client.rate(call, session_id=self.session_id, profile=profile, fresh=fresh)

    async def update(
        self,
        *,
        rung: Rung | None = None,
        interactive: bool | None = None,
        set_labels: Mapping[str, str] | None = None,
        remove_labels: Iterable[str] = (),
        cwd: str | None = None,
        home: str | None = None,
        tools: Iterable[Tool] | None = None,
        mcp_servers: Iterable[str] | None = None,
        user_messages: Iterable[str] = (),
        reset_thread: bool = False,
    ) -> OpenedSession:
        """Change the session. What is left out stays as it is; it governs the very next call.

        Args:
            rung: step of the approvals ladder.
            interactive: whether a human may be asked.
            set_labels: labels to set.
            remove_labels: labels to remove, by their keys.
            cwd: working folder of calls that name none; empty for none.
            home: home folder of calls that name none; empty for none.
            tools: every tool that the agent can call, in place of those before.
            mcp_servers: keys of the MCP servers that the agent is connected to, in place of those before.
            user_messages: what the user wrote since, oldest first.
            reset_thread: whether to clear the negotiation and the user's messages first.
        """
        with building():
            removed = list(remove_labels)
            labels = pb.LabelChanges(set=dict(set_labels or {}), remove=removed)
            request = pb.UpdateSessionRequest(
                project=self._client.project,
                session_id=self.session_id,
                rung=named(rung),
                labels=labels if set_labels or removed else None,
                cwd=cwd,
                home=home,
                tools=None if tools is None else write_tools(tools),
                mcp_servers=None if mcp_servers is None else pb.McpServers(keys=list(mcp_servers)),
                user_messages=list(user_messages),
                reset_thread=reset_thread,
            )
            if interactive is not None:
                request.interactive = interactive
        return read_updated(await self._client._call(UPDATE_SESSION, request, repeatable=False))

    async def details(self, *, include_tools: bool = False) -> SessionDetails:
        """Show the session with everything that it is judged by."""
        with building():
            request = pb.GetSessionRequest(
                project=self._client.project, session_id=self.session_id, include_tools=include_tools
            )
        return read_details(await self._client._call(GET_SESSION, request, repeatable=True))

    async def close(self) -> SessionInfo:
        """Close the session: what waits for a human in it is withdrawn, and it decides nothing any more."""
        with building():
            request = pb.CloseSessionRequest(project=self._client.project, session_id=self.session_id)
        closed = await self._client._call(CLOSE_SESSION, request, repeatable=False)
        return read_session(closed.session)

    async def __aenter__(self) -> Self:
        """Return the session."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the session. That it cannot be closed does not hide why the statement ended."""
        try:
            await self.close()
        except GateError as fault:
            if error is None:
                raise
            log.warning("session %s could not be closed: %s", self.session_id, fault)
