// A connection to a gate, for agents and for the people who watch them. Every request has a deadline; only what is safe
// to repeat is repeated.

import { createClient, type Interceptor, type Client as Stub, type Transport } from "@connectrpc/connect";
import type { Call } from "./call.js";
import { callMessage } from "./call.js";
import { type Rating, ratingOf } from "./decision.js";
import { UnexpectedAnswer } from "./errors.js";
import { Feed } from "./feed.js";
import { ApprovalGate } from "./gen/haltgate/v1/approval_gate_pb.js";
import { type AttackHalt, type Escalation, Verdict } from "./gen/haltgate/v1/human_pb.js";
import { type DecisionRecord, SortOrder } from "./gen/haltgate/v1/records_pb.js";
import type { GetServerInfoResponse } from "./gen/haltgate/v1/server_pb.js";
import type { Session as SessionMessage } from "./gen/haltgate/v1/sessions_pb.js";
import { Action, Scope, Stage } from "./gen/haltgate/v1/vocabulary_pb.js";
import { Grants, type Terms, termsMessage } from "./grants.js";
import { closedError, freshId, send } from "./retry.js";
import { type OpenSessionOptions, Session } from "./session.js";
import { type ActionName, type ScopeName, type StageName, valueNamed } from "./vocabulary.js";

/** What every connection takes. */
export interface ClientOptions {
  /** Sent as `authorization: Bearer …`. Never in the clear to another machine, unless `allowTokenInTheClear`. */
  readonly token?: string | undefined;
  /** Sends the token without encryption to another machine too, where everybody on the way can read it. Default: false. */
  readonly allowTokenInTheClear?: boolean | undefined;
  /** Milliseconds that each request may take. Waiting for a human comes on top. Default: 10,000. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds that a waiting decision looks for a gate that is gone. Default: 30,000. */
  readonly reconnectForMs?: number | undefined;
  /** The project of every request. Default: the server's, which is `default`. */
  readonly project?: string | undefined;
  /**
   * Called for each request; returns headers to send with it, such as the `traceparent` of the current span. With
   * OpenTelemetry: `() => { const headers = {}; propagation.inject(context.active(), headers); return headers; }`
   */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
}

/** What a feed may be narrowed to. */
export interface FeedOptions {
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  /** Goes on behind this cursor. Default: begins with everything that is open. */
  readonly after?: string | undefined;
  /** Closes the feed. */
  readonly signal?: AbortSignal | undefined;
}

/** What an answer takes. */
export interface AnswerOptions {
  /** Makes retries safe, over processes too. Default: one is made. */
  readonly requestId?: string | undefined;
  /** For the agent. After a rejection it is part of the message that the model gets. */
  readonly comment?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which records to list. All conditions must hold. */
export interface RecordFilter {
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly actions?: readonly ActionName[] | undefined;
  readonly stages?: readonly StageName[] | undefined;
  /** What the command, the tool's name, the arguments or the message must contain. */
  readonly text?: string | undefined;
  readonly oldestFirst?: boolean | undefined;
  readonly pageSize?: number | undefined;
  /** Begins behind an earlier page of the same conditions. */
  readonly pageToken?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A gate. Make one with `connect`. */
export class Client {
  /** The generated client, for what this one has no words for. */
  readonly stub: Stub<typeof ApprovalGate>;
  /** The project of every request. */
  readonly project: string;
  /** Milliseconds that each request may take. */
  readonly deadlineMs: number;
  /** Milliseconds that a waiting decision looks for a gate that is gone. */
  readonly reconnectForMs: number;
  readonly #closing = new AbortController();
  readonly #disconnect: () => void;

  /** @internal */
  constructor(transport: Transport, options: ClientOptions, disconnect: () => void) {
    this.stub = createClient(ApprovalGate, transport);
    this.project = options.project ?? "";
    this.deadlineMs = options.deadlineMs ?? 10_000;
    this.reconnectForMs = options.reconnectForMs ?? 30_000;
    this.#disconnect = disconnect;
  }

  /** The session of this id. It need not exist: the first decision opens it with the project's defaults. */
  session(id: string): Session {
    return new Session(this, id);
  }

  /** Opens a session, or sets it up anew. */
  async openSession(
    options: OpenSessionOptions = {},
  ): Promise<Session & { readonly opened: SessionMessage }> {
    const session = this.session(options.sessionId ?? freshId());
    const opened = await session.open(options);
    return Object.assign(session, { opened });
  }

  /** Rates a call. Nothing is decided or recorded. A rater that fails says DESTRUCTIVE, with a cause. */
  async rate(
    call: Call,
    options: { sessionId?: string; profile?: string; fresh?: boolean; signal?: AbortSignal } = {},
  ): Promise<Rating> {
    const request = {
      project: this.project,
      sessionId: options.sessionId ?? "",
      call: callMessage(call),
      profile: options.profile ?? "",
      fresh: options.fresh ?? false,
    };
    const { rating } = await send(this.deadlineMs, this.until(options.signal), "repeatable", (how) =>
      this.stub.rate(request, how),
    );
    if (rating === undefined) {
      throw new UnexpectedAnswer("it has no rating");
    }
    return ratingOf(rating);
  }

  /** Follows what waits for a human, over lost connections. */
  watchEscalations(options: FeedOptions = {}): Feed<Escalation> {
    const { sessionId = "", runId = "" } = options;
    const request = { project: this.project, sessionId, runId };
    const open = (after: string, signal: AbortSignal) =>
      this.stub.streamEscalations({ ...request, after }, { signal, timeoutMs: 0 });
    return new Feed<Escalation>(open, options.after ?? "", this.until(options.signal));
  }

  /**
   * Follows attack halts, over lost connections. Unless it is `observeOnly`, halts wait for an answer as long as this feed
   * is open.
   */
  watchHalts(options: FeedOptions & { readonly observeOnly?: boolean | undefined } = {}): Feed<AttackHalt> {
    const { sessionId = "", runId = "", observeOnly = false } = options;
    const request = { project: this.project, sessionId, runId, observeOnly };
    const open = (after: string, signal: AbortSignal) =>
      this.stub.streamAttackHalts({ ...request, after }, { signal, timeoutMs: 0 });
    return new Feed<AttackHalt>(open, options.after ?? "", this.until(options.signal));
  }

  /** Answers an escalation. The first answer wins; a later one is refused with `ALREADY_ANSWERED`. */
  async answerEscalation(
    escalationId: string,
    verdict: "APPROVE" | "REJECT",
    options: AnswerOptions & { scope?: ScopeName | undefined; terms?: Terms | undefined } = {},
  ): Promise<Escalation> {
    const settled = await this.#answer({ case: "escalationId", value: escalationId }, verdict, options);
    if (settled.case !== "escalation") {
      throw new UnexpectedAnswer("it settles no escalation");
    }
    return settled.value;
  }

  /** Answers an attack halt: its one command runs anyway, or the run stays halted. */
  async answerHalt(
    haltId: string,
    verdict: "RUN_ANYWAY" | "STOP",
    options: AnswerOptions & { scope?: ScopeName | undefined } = {},
  ): Promise<AttackHalt> {
    const settled = await this.#answer({ case: "haltId", value: haltId }, verdict, options);
    if (settled.case !== "halt") {
      throw new UnexpectedAnswer("it settles no halt");
    }
    return settled.value;
  }

  /** What humans granted and refused in the project; with a session, in that too. */
  grants(sessionId = ""): Grants {
    return new Grants(this, sessionId);
  }

  /** Every record of a decision that fits, page by page, the newest first. */
  async *decisions(filter: RecordFilter = {}): AsyncGenerator<DecisionRecord, void, undefined> {
    const request = {
      project: this.project,
      sessionId: filter.sessionId ?? "",
      runId: filter.runId ?? "",
      actions: (filter.actions ?? []).map((name) => valueNamed(Action, name)),
      stages: (filter.stages ?? []).map((name) => valueNamed(Stage, name)),
      text: filter.text ?? "",
      order: filter.oldestFirst === true ? SortOrder.OLDEST_FIRST : SortOrder.NEWEST_FIRST,
      pageSize: filter.pageSize ?? 0,
    };
    let pageToken = filter.pageToken ?? "";
    do {
      const page = await send(this.deadlineMs, this.until(filter.signal), "repeatable", (how) =>
        this.stub.listDecisions({ ...request, pageToken }, how),
      );
      yield* page.decisions;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Which server answers, and under which policy. */
  serverInfo(options: { signal?: AbortSignal } = {}): Promise<GetServerInfoResponse> {
    const request = { project: this.project };
    return send(this.deadlineMs, this.until(options.signal), "repeatable", (how) =>
      this.stub.getServerInfo(request, how),
    );
  }

  /** Closes every feed and the connection. Requests under way fail with {@link GateUnavailable}. */
  close(): void {
    this.#closing.abort(closedError());
    this.#disconnect();
  }

  async #answer(
    target: { case: "escalationId" | "haltId"; value: string },
    verdict: keyof typeof Verdict,
    options: AnswerOptions & { scope?: ScopeName | undefined; terms?: Terms | undefined },
  ) {
    const request = {
      project: this.project,
      target,
      verdict: Verdict[verdict],
      scope: valueNamed(Scope, options.scope),
      comment: options.comment ?? "",
      requestId: options.requestId ?? freshId(),
      ...termsMessage(options.terms),
    };
    const answer = await send(this.deadlineMs, this.until(options.signal), "repeatable", (how) =>
      this.stub.answer(request, how),
    );
    return answer.settled;
  }

  /** Aborted when this client is closed or the given signal is. @internal */
  until(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, signal]);
  }
}

/** Puts the token and the caller's headers into every request. Throws a `TypeError` when it would be sent in the clear to another machine. */
export function authorising(options: ClientOptions, open: boolean): Interceptor[] {
  const { token, headers } = options;
  const adding: Interceptor[] =
    headers === undefined
      ? []
      : [
          (next) => (request) => {
            for (const [name, value] of Object.entries(headers())) {
              request.header.set(name, value);
            }
            return next(request);
          },
        ];
  if (token === undefined) {
    return adding;
  }
  if (open && options.allowTokenInTheClear !== true) {
    throw new TypeError(
      "the token would be sent in the clear to another machine: use https:// or a Unix socket",
    );
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError("the token has characters that none has");
  }
  return [
    ...adding,
    (next) => (request) => {
      request.header.set("authorization", `Bearer ${token}`);
      return next(request);
    },
  ];
}
