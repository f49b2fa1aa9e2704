// A server that plays a script, for what the real one cannot be made to do at will: a cursor that is too old, somebody
// who answers first, a run that was halted with nobody there, a token that is asked for. It serves the page of dist/.

import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "@haltgate/client/google/rpc/error_details";
import { ApprovalGate } from "@haltgate/client/haltgate/v1/approval_gate";
import {
  type AnswerRequest,
  type AttackHalt,
  AttackHaltSchema,
  AttackHaltState,
  type Escalation,
  EscalationSchema,
  EscalationState,
  StreamAttackHaltsResponseSchema,
  StreamEscalationsResponseSchema,
  Verdict,
} from "@haltgate/client/haltgate/v1/human";
import { Outcome } from "@haltgate/client/haltgate/v1/rating";
import type { DecisionRecord } from "@haltgate/client/haltgate/v1/records";
import { Rung, Scope, Stage } from "@haltgate/client/haltgate/v1/vocabulary";
import { built, FILES } from "./support.ts";

// Something told to everybody who listens, from the next turn on.
class Channel<T> {
  private readonly listeners = new Set<(event: T | null) => void>();

  tell(event: T): void {
    for (const listener of this.listeners) {
      listener(event);
    }
  }

  // Ends every feed, as a lost connection would.
  cut(): void {
    for (const listener of this.listeners) {
      listener(null);
    }
    this.listeners.clear();
  }

  async *listen(signal: AbortSignal): AsyncIterable<T> {
    const events: (T | null)[] = [];
    let wake = (): void => undefined;
    const listener = (event: T | null): void => {
      events.push(event);
      wake();
    };
    this.listeners.add(listener);
    signal.addEventListener("abort", () => listener(null));
    try {
      while (true) {
        const event = events.shift();
        if (event === null) {
          return;
        }
        if (event === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else {
          yield event;
        }
      }
    } finally {
      this.listeners.delete(listener);
    }
  }
}

export class StandIn {
  readonly answers: AnswerRequest[] = [];
  // What an answer is refused with.
  refusal: { readonly reason: string; readonly metadata: Readonly<Record<string, string>> } | null = null;
  // The token that callers must bring. Empty: none.
  token = "";
  // The cursors that feeds were opened with.
  readonly opened: string[] = [];
  tooOld = false;
  records: readonly DecisionRecord[] = [];
  private readonly escalations = new Map<string, Escalation>();
  private readonly halts = new Map<string, AttackHalt>();
  private readonly escalationEvents = new Channel<{
    kind: "raised" | "answered" | "withdrawn";
    item: Escalation;
  }>();
  private readonly haltEvents = new Channel<{
    kind: "raised" | "answered" | "withdrawn";
    item: AttackHalt;
  }>();
  private cursor = 0;

  private constructor(private readonly http: HttpServer) {}

  static async start(): Promise<StandIn> {
    const http = createServer();
    const standIn = new StandIn(http);
    const rpc = connectNodeAdapter({ routes: (router) => standIn.routes(router) });
    http.on("request", (request, response) => {
      const file = FILES.find(([path]) => path === request.url);
      if (file === undefined) {
        rpc(request, response);
        return;
      }
      void built(file[1]).then((content) => response.setHeader("content-type", file[2]).end(content));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  end(): void {
    this.cut();
    this.http.closeAllConnections();
    this.http.close();
  }

  cut(): void {
    this.escalationEvents.cut();
    this.haltEvents.cut();
  }

  raiseEscalation(escalation: Exclude<MessageInitShape<typeof EscalationSchema>, Escalation>): Escalation {
    const item = create(EscalationSchema, {
      escalationId: `e${this.escalations.size + 1}`,
      project: "default",
      sessionId: "s",
      state: EscalationState.OPEN,
      raisedAt: timestampNow(),
      rung: Rung.ASSISTED,
      stage: Stage.RATER,
      offer: { approveScopes: [Scope.ONCE], rejectScopes: [Scope.ONCE] },
      ...escalation,
    });
    this.escalations.set(item.escalationId, item);
    this.escalationEvents.tell({ kind: "raised", item });
    return item;
  }

  raiseHalt(
    command: string,
    halt: Exclude<MessageInitShape<typeof AttackHaltSchema>, AttackHalt> = {},
  ): AttackHalt {
    const item = create(AttackHaltSchema, {
      haltId: `h${this.halts.size + 1}`,
      project: "default",
      sessionId: "s",
      runId: "run-7",
      state: AttackHaltState.OPEN,
      raisedAt: timestampNow(),
      rung: Rung.ASSISTED,
      stage: Stage.RATER,
      call: { kind: { case: "shell", value: { command } } },
      subject: { kind: { case: "shell", value: { command } } },
      rating: { outcome: Outcome.ATTACK, reason: "It reads a private key and sends it away." },
      prompt: {
        headline: "A run was halted: a command was rated an attack.",
        framedLines: [
          "RUN HALTED: this command was rated an attack.",
          "⛔ Auto-rater (attack): the way this command is built looks hostile.",
          "The command:",
          `  1 │ ${command}`,
          "The auto-rater's reason:",
          "  1 │ It reads a private key and sends it away.",
          "What it does may be impossible to take back.",
          "  `run anyway` lets this one command run.",
          "  Anything else stops the run.",
          "  Neither is remembered.",
        ],
      },
      ...halt,
    });
    this.halts.set(item.haltId, item);
    this.haltEvents.tell({ kind: "raised", item });
    return item;
  }

  // Somebody else answers, or the session is closed.
  settleEscalation(id: string, kind: "answered" | "withdrawn"): void {
    const item = this.escalations.get(id);
    if (item !== undefined) {
      item.state = kind === "answered" ? EscalationState.APPROVED : EscalationState.WITHDRAWN;
      this.escalationEvents.tell({ kind, item });
    }
  }

  settleHalt(id: string): void {
    const item = this.halts.get(id);
    if (item !== undefined) {
      item.state = AttackHaltState.STOPPED;
      this.haltEvents.tell({ kind: "answered", item });
    }
  }

  private routes(router: ConnectRouter): void {
    const next = (): string => {
      this.cursor += 1;
      return `c${this.cursor}`;
    };
    const admit = (header: Headers): void => {
      if (this.token !== "" && header.get("authorization") !== `Bearer ${this.token}`) {
        throw new ConnectError("who are you?", Code.Unauthenticated);
      }
    };
    const resume = (after: string): void => {
      this.opened.push(after);
      if (this.tooOld && after !== "") {
        throw refused("the cursor is too old", Code.OutOfRange, "CURSOR_TOO_OLD");
      }
    };
    const openOnes = <T extends { state: number }>(items: ReadonlyMap<string, T>): T[] =>
      [...items.values()].filter(({ state }) => state === 1);
    const standIn = this;
    router.service(ApprovalGate, {
      async *streamEscalations({ after }, { signal, requestHeader }) {
        admit(requestHeader);
        resume(after);
        const changes = standIn.escalationEvents.listen(signal);
        if (after === "") {
          const open = openOnes(standIn.escalations);
          for (const item of open) {
            yield create(StreamEscalationsResponseSchema, { event: { case: "raised", value: item } });
          }
          const event = { case: "snapshotEnd", value: { open: open.length } } as const;
          yield create(StreamEscalationsResponseSchema, { cursor: next(), event });
        }
        yield create(StreamEscalationsResponseSchema, {
          cursor: next(),
          event: { case: "heartbeat", value: {} },
        });
        for await (const { kind, item } of changes) {
          yield create(StreamEscalationsResponseSchema, {
            cursor: next(),
            event: { case: kind, value: item },
          });
        }
        throw new ConnectError("cut", Code.Unavailable);
      },
      async *streamAttackHalts({ after }, { signal, requestHeader }) {
        admit(requestHeader);
        resume(after);
        const changes = standIn.haltEvents.listen(signal);
        if (after === "") {
          for (const item of openOnes(standIn.halts)) {
            yield create(StreamAttackHaltsResponseSchema, { event: { case: "raised", value: item } });
          }
          yield create(StreamAttackHaltsResponseSchema, {
            cursor: next(),
            event: { case: "snapshotEnd", value: {} },
          });
        }
        yield create(StreamAttackHaltsResponseSchema, {
          cursor: next(),
          event: { case: "heartbeat", value: {} },
        });
        for await (const { kind, item } of changes) {
          yield create(StreamAttackHaltsResponseSchema, {
            cursor: next(),
            event: { case: kind, value: item },
          });
        }
        throw new ConnectError("cut", Code.Unavailable);
      },
      answer(request, { requestHeader }) {
        admit(requestHeader);
        standIn.answers.push(request);
        if (standIn.refusal !== null) {
          throw refused(
            "it was settled",
            Code.FailedPrecondition,
            standIn.refusal.reason,
            standIn.refusal.metadata,
          );
        }
        const { target, verdict, scope, comment } = request;
        const answer = { verdict, scope, comment, answeredBy: "local", answeredAt: timestampNow() };
        if (target.case === "haltId") {
          const item = standIn.halts.get(target.value);
          if (item === undefined) {
            throw new ConnectError("no such halt", Code.NotFound);
          }
          item.state = verdict === Verdict.RUN_ANYWAY ? AttackHaltState.RAN_ANYWAY : AttackHaltState.STOPPED;
          item.answer = create(AttackHaltSchema, { answer }).answer as NonNullable<AttackHalt["answer"]>;
          standIn.haltEvents.tell({ kind: "answered", item });
          return { settled: { case: "halt", value: item } };
        }
        const item = standIn.escalations.get(target.value ?? "");
        if (item === undefined) {
          throw new ConnectError("no such escalation", Code.NotFound);
        }
        item.state = verdict === Verdict.APPROVE ? EscalationState.APPROVED : EscalationState.REJECTED;
        item.answer = create(EscalationSchema, { answer }).answer as NonNullable<Escalation["answer"]>;
        standIn.escalationEvents.tell({ kind: "answered", item });
        return { settled: { case: "escalation", value: item } };
      },
      getServerInfo(_, { requestHeader }) {
        admit(requestHeader);
        return { version: "0.0.0", policyRevision: "stand-in" };
      },
      listSessions(_, { requestHeader }) {
        admit(requestHeader);
        return {};
      },
      listDecisions({ recordId, includeRatingAttempts }, { requestHeader }) {
        admit(requestHeader);
        const decisions = standIn.records
          .filter((record) => recordId === "" || record.recordId === recordId)
          .map((record) => {
            const { ratingAttempt, ...rest } = record;
            return includeRatingAttempts && ratingAttempt !== undefined ? { ...rest, ratingAttempt } : rest;
          });
        return { decisions };
      },
    });
  }
}

function refused(
  message: string,
  code: Code,
  reason: string,
  metadata: Readonly<Record<string, string>> = {},
): ConnectError {
  const info = {
    desc: ErrorInfoSchema,
    value: { reason, domain: "haltgate.dev", metadata: { ...metadata } },
  };
  return new ConnectError(message, code, undefined, [info]);
}
