// The two feeds of the contract as messages of the one feed machine.

import {
  type AttackHalt,
  AttackHaltState,
  type Escalation,
  ResumeReason,
  type StreamAttackHaltsResponse,
  type StreamEscalationsResponse,
} from "@haltgate/client/haltgate/v1/human";
import { Code } from "@connectrpc/connect";
import type { FeedMessage } from "./feed.ts";
import type { Ending } from "./follow.ts";
import { type Gate, problemOf } from "./gate.ts";

export async function* escalations(
  gate: Gate,
  project: string,
  after: string,
  signal: AbortSignal,
  accepted: () => void,
): AsyncIterable<FeedMessage<Escalation>> {
  const stream = gate.client.streamEscalations({ project, after }, { signal, onHeader: accepted });
  for await (const response of stream) {
    yield escalationMessage(response);
  }
}

export async function* attackHalts(
  gate: Gate,
  project: string,
  after: string,
  signal: AbortSignal,
  accepted: () => void,
): AsyncIterable<FeedMessage<AttackHalt>> {
  const stream = gate.client.streamAttackHalts({ project, after }, { signal, onHeader: accepted });
  for await (const response of stream) {
    yield haltMessage(response);
  }
}

export function escalationMessage({ cursor, event }: StreamEscalationsResponse): FeedMessage<Escalation> {
  switch (event.case) {
    case "raised":
      return { kind: "raised", cursor, id: event.value.escalationId, item: event.value, waits: true };
    case "answered":
    case "withdrawn":
    case "expired":
      return { kind: "settled", cursor, id: event.value.escalationId, item: event.value };
    case "snapshotEnd":
      return { kind: "snapshot-end", cursor };
    case "resumeHint":
      return { kind: "resume-hint", cursor, draining: event.value.reason === ResumeReason.DRAINING };
    case "heartbeat":
    case undefined:
      return { kind: "nothing", cursor };
  }
}

export function haltMessage({ cursor, event }: StreamAttackHaltsResponse): FeedMessage<AttackHalt> {
  switch (event.case) {
    case "raised": {
      const waits = event.value.state === AttackHaltState.OPEN;
      return { kind: "raised", cursor, id: event.value.haltId, item: event.value, waits };
    }
    case "answered":
    case "withdrawn":
    case "expired":
      return { kind: "settled", cursor, id: event.value.haltId, item: event.value };
    case "snapshotEnd":
      return { kind: "snapshot-end", cursor };
    case "resumeHint":
      return { kind: "resume-hint", cursor, draining: event.value.reason === ResumeReason.DRAINING };
    case "heartbeat":
    case undefined:
      return { kind: "nothing", cursor };
  }
}

// What the end of a feed's connection calls for.
export function endingOf(thrown: unknown): Ending {
  const problem = problemOf(thrown);
  if (problem.code === Code.Unauthenticated) {
    return { kind: "token-needed", problem: problem.text };
  }
  if (
    problem.reason === "CURSOR_TOO_OLD" ||
    problem.reason === "CURSOR_INVALID" ||
    problem.code === Code.OutOfRange
  ) {
    return { kind: "cursor-refused", problem: problem.text };
  }
  return { kind: "failed", problem: problem.text, after: problem.retryAfter };
}
