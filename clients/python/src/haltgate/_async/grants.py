"""Grants, denials and trust: what humans allowed and refused.

Promises that a change that is sent twice is made once. Knows nothing of decisions.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from .. import v1 as pb
from .._methods import MANAGE_GRANTS
from .._read import timestamp
from .._requests import all_named, building, named, new_id
from ..entries import Entry, write_entry
from ..errors import UnexpectedAnswer
from ..grants import (
    Denial,
    DenialAdded,
    Grant,
    GrantAdded,
    GrantsExported,
    GrantsImported,
    TrustChanged,
    TrustView,
    read_denial,
    read_exported,
    read_grant,
    read_grants,
    read_imported,
    read_trust_changed,
    read_trust_view,
)
from ..human import Terms, write_terms
from ..vocabulary import Hint, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from .client import AsyncClient


class AsyncGrants:
    """Grants, denials and trust of a project. Where an entry is removed, its ``object_text`` will do, too."""

    def __init__(self, client: AsyncClient) -> None:
        """Use a client."""
        self._client = client

    async def list(
        self, *, session_id: str = "", scopes: Iterable[Scope] = (), text: str = "", page_size: int = 0
    ) -> AsyncIterator[Grant | Denial]:
        """List grants, then denials, each in the order added; page after page, as they are asked for."""
        with building():
            wanted = pb.ListGrants(scopes=all_named(scopes), text=text, page_size=page_size)
        while True:
            request = self._request(session_id)
            request.list.CopyFrom(wanted)
            page = (await self._ask(request, "list")).list
            for grant in page.grants:
                yield read_grant(grant)
            for denial in page.denials:
                yield read_denial(denial)
            if not page.next_page_token:
                return
            wanted.page_token = page.next_page_token

    async def grant(
        self,
        entry: Entry,
        scope: Scope,
        *,
        session_id: str = "",
        terms: Terms | None = None,
        request_id: str | None = None,
    ) -> GrantAdded:
        """Grant an entry for a session (``Scope.SESSION``) or for the project (``Scope.ALWAYS``)."""
        with building():
            request = self._change(session_id, request_id)
            bounds = None if terms is None else write_terms(terms)
            request.grant.CopyFrom(pb.AddGrant(entry=write_entry(entry), scope=named(scope), terms=bounds))
        added = (await self._ask(request, "grant")).grant
        return GrantAdded(read_grant(added.grant), added.already_granted)

    async def deny(
        self, session_id: str, entry: Entry, *, note: str = "", request_id: str | None = None
    ) -> DenialAdded:
        """Refuse an entry for a session."""
        with building():
            request = self._change(session_id, request_id)
            request.deny.CopyFrom(pb.AddDenial(entry=write_entry(entry), note=note))
        added = (await self._ask(request, "deny")).deny
        return DenialAdded(read_denial(added.denial), added.already_denied)

    async def revoke(
        self,
        entry: Entry | str,
        *,
        session_id: str = "",
        scope: Scope | None = None,
        request_id: str | None = None,
    ) -> tuple[Grant, ...]:
        """Remove a grant. Default scope: the session's grant and the project's, whichever there is."""
        with building():
            request = self._change(session_id, request_id)
            if isinstance(entry, str):
                request.revoke.CopyFrom(pb.RevokeGrant(object_text=entry, scope=named(scope)))
            else:
                request.revoke.CopyFrom(pb.RevokeGrant(entry=write_entry(entry), scope=named(scope)))
        return read_grants((await self._ask(request, "revoke")).revoke.revoked)

    async def lift(self, session_id: str, entry: Entry | str, *, request_id: str | None = None) -> Denial:
        """Remove a denial."""
        with building():
            request = self._change(session_id, request_id)
            if isinstance(entry, str):
                request.lift.CopyFrom(pb.LiftDenial(object_text=entry))
            else:
                request.lift.CopyFrom(pb.LiftDenial(entry=write_entry(entry)))
        return read_denial((await self._ask(request, "lift")).lift.lifted)

    async def trust(self, session_id: str) -> TrustView:
        """Show which hints of which MCP server are believed in a session."""
        request = self._request(session_id)
        request.view_trust.SetInParent()
        return read_trust_view((await self._ask(request, "view_trust")).view_trust)

    async def change_trust(
        self,
        session_id: str,
        server: str,
        *,
        believe: Iterable[Hint] = (),
        disbelieve: Iterable[Hint] = (),
        request_id: str | None = None,
    ) -> TrustChanged:
        """Believe or disbelieve hints of an MCP server, for a session."""
        with building():
            request = self._change(session_id, request_id)
            change = pb.TrustChange(server=server, believe=all_named(believe), disbelieve=all_named(disbelieve))
            request.change_trust.CopyFrom(change)
        return read_trust_changed((await self._ask(request, "change_trust")).change_trust)

    async def predict_trust(
        self,
        session_id: str,
        server: str,
        *,
        believe: Iterable[Hint] = (),
        disbelieve: Iterable[Hint] = (),
    ) -> TrustChanged:
        """Say what :meth:`change_trust` would do, and do nothing."""
        with building():
            request = self._request(session_id)
            change = pb.TrustChange(server=server, believe=all_named(believe), disbelieve=all_named(disbelieve))
            request.predict_trust.CopyFrom(change)
        return read_trust_changed((await self._ask(request, "predict_trust")).predict_trust)

    async def import_file(
        self,
        content: str,
        *,
        file_modified_at: datetime | None = None,
        dry_run: bool = False,
        request_id: str | None = None,
    ) -> GrantsImported:
        """Add the grants of a ``shell-allowlist.json``, given as its text, as grants of the project."""
        with building():
            request = self._change("", request_id)
            modified = None if file_modified_at is None else timestamp(file_modified_at)
            wanted = pb.ImportGrants(content=content, file_modified_at=modified, dry_run=dry_run)
            request.import_file.CopyFrom(wanted)
        return read_imported((await self._ask(request, "import_file")).import_file)

    async def export_file(self) -> GrantsExported:
        """Write the project's grants as a ``shell-allowlist.json``."""
        request = self._request("")
        request.export_file.SetInParent()
        return read_exported((await self._ask(request, "export_file")).export_file)

    def _request(self, session_id: str) -> pb.ManageGrantsRequest:
        with building():
            return pb.ManageGrantsRequest(project=self._client.project, session_id=session_id)

    def _change(self, session_id: str, request_id: str | None) -> pb.ManageGrantsRequest:
        request = self._request(session_id)
        request.request_id = new_id() if request_id is None else request_id
        return request

    async def _ask(self, request: pb.ManageGrantsRequest, result: str) -> pb.ManageGrantsResponse:
        response = await self._client._call(MANAGE_GRANTS, request, repeatable=True)
        if response.WhichOneof("result") != result:
            raise UnexpectedAnswer(f"the gate's answer has no {result}")
        return response
