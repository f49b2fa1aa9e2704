"""Decides, follows a feed and answers with the frozen messages, and prints what came of it as JSON.

Promises to use nothing but the frozen messages and gRPC. Run by test_contract.py.
"""

from __future__ import annotations

import json
import sys

import grpc

from haltgate.v1 import call_pb2, decision_pb2, human_pb2, vocabulary_pb2
from haltgate.v1.approval_gate_pb2_grpc import ApprovalGateStub


def decide(stub: ApprovalGateStub, command: str, request_id: str) -> decision_pb2.DecideResponse:
    call = call_pb2.Call(shell=call_pb2.ShellCall(command=command))
    request = decision_pb2.DecideRequest(session_id="old", request_id=request_id, call=call)
    return stub.Decide(request, timeout=30)


def said(decision: decision_pb2.DecideResponse) -> list[str]:
    return [vocabulary_pb2.Action.Name(decision.action), vocabulary_pb2.Stage.Name(decision.stage)]


def main(address: str) -> None:
    stub = ApprovalGateStub(grpc.insecure_channel(address))
    first = decide(stub, "git status", "one")
    asked = decide(stub, "deploy now", "two")
    feed = stub.StreamEscalations(human_pb2.StreamEscalationsRequest(session_id="old"), timeout=60)
    events = [next(feed).WhichOneof("event"), next(feed).WhichOneof("event")]
    answer = human_pb2.AnswerRequest(escalation_id=asked.escalation_id, verdict=human_pb2.VERDICT_APPROVE)
    settled = stub.Answer(answer, timeout=30).escalation
    events.append(next(feed).WhichOneof("event"))
    feed.cancel()
    result = {
        "messages": decision_pb2.__file__,
        "first": said(first),
        "asked": vocabulary_pb2.Action.Name(asked.action),
        "feed": events,
        "answered": human_pb2.EscalationState.Name(settled.state),
        "settled": said(decide(stub, "deploy now", "two")),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
