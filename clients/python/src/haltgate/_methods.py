"""The methods of the service, with their types. Knows nothing of what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.message import Message

from . import v1 as pb

Request = TypeVar("Request", bound=Message)
Answer = TypeVar("Answer", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Request, Answer]):
    """One method of the service."""

    name: str
    request: type[Request]
    answer: type[Answer]

    @property
    def path(self) -> str:
        """Path of the method, as gRPC has it."""
        return f"/haltgate.v1.ApprovalGate/{self.name}"


DECIDE = Method("Decide", pb.DecideRequest, pb.DecideResponse)
RATE = Method("Rate", pb.RateRequest, pb.RateResponse)
STREAM_ATTACK_HALTS = Method("StreamAttackHalts", pb.StreamAttackHaltsRequest, pb.StreamAttackHaltsResponse)
STREAM_ESCALATIONS = Method("StreamEscalations", pb.StreamEscalationsRequest, pb.StreamEscalationsResponse)
ANSWER = Method("Answer", pb.AnswerRequest, pb.AnswerResponse)
MANAGE_GRANTS = Method("ManageGrants", pb.ManageGrantsRequest, pb.ManageGrantsResponse)
OPEN_SESSION = Method("OpenSession", pb.OpenSessionRequest, pb.OpenSessionResponse)
UPDATE_SESSION = Method("UpdateSession", pb.UpdateSessionRequest, pb.UpdateSessionResponse)
GET_SESSION = Method("GetSession", pb.GetSessionRequest, pb.GetSessionResponse)
LIST_SESSIONS = Method("ListSessions", pb.ListSessionsRequest, pb.ListSessionsResponse)
CLOSE_SESSION = Method("CloseSession", pb.CloseSessionRequest, pb.CloseSessionResponse)
LIST_DECISIONS = Method("ListDecisions", pb.ListDecisionsRequest, pb.ListDecisionsResponse)
VERIFY_AUDIT = Method("VerifyAudit", pb.VerifyAuditRequest, pb.VerifyAuditResponse)
GET_SERVER_INFO = Method("GetServerInfo", pb.GetServerInfoRequest, pb.GetServerInfoResponse)
