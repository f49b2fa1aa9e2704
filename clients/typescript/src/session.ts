// One conversation of one agent: its calls, and what changes how they are judged.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import type { Call, Circumstances } from "./call.js";
import { callMessage } from "./call.js";
import type { Client } from "./client.js";
import { type Decision, decisionOf } from "./decision.js";
import { AttackHalted, askedPause, errorOf, Unattended, UnexpectedAnswer } from "./errors.js";
import { type DecideRequest, DecideRequestSchema } from "./gen/haltgate/v1/decision_pb.js";
import type { ToolAnnotations, ToolAnnotationsSchema } from "./gen/haltgate/v1/entry_pb.js";
import type {
  GetSessionResponse,
  McpServersSchema,
  Session as SessionState,
  ToolCatalogueSchema,
} from "./gen/haltgate/v1/sessions_pb.js";
import { Rung } from "./gen/haltgate/v1/vocabulary_pb.js";
import { pauseAfter, sleep } from "./pause.js";
import { freshId, mayPass, RETRY, send } from "./retry.js";
import { type RungName, valueNamed } from "./vocabulary.js";

/** Milliseconds that one request is held for a human: short enough for the idle limits of proxies. */
const HELD = 60_000;

/** How one call is decided. */
export interface DecideOptions {
  /** The uninterrupted execution that the call belongs to. Default: none, which is a run of its own. */
  readonly runId?: string | undefined;
  /** Makes retries safe, over processes too. Default: one is made. */
  readonly requestId?: string | undefined;
  /** Wait for the human who may be asked? Default: true. */
  readonly wait?: boolean | undefined;
  /** Milliseconds to wait at most. What still waits then comes back as ESCALATE. Default: until there is an answer. */
  readonly maxWaitMs?: number | undefined;
  /** Only explain what would be decided: nothing is recorded, asked or halted, and nothing is approved. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Gives up waiting: the decision is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool as its provider describes it. */
export interface Tool {
  /** The name that the agent calls it by. */
  readonly registeredName: string;
  readonly description?: string | undefined;
  /** What its provider claims. Nothing of it is believed unless the policy says so. */
  readonly annotations?: Partial<Omit<ToolAnnotations, "$typeName" | "$unknown">> | undefined;
}

/** What a session may be opened with, and changed to. */
export interface SessionOptions {
  readonly rung?: RungName | undefined;
  /** May a human be asked? Default: true. */
  readonly interactive?: boolean | undefined;
  /** The working folder of calls that name none, an absolute path. */
  readonly cwd?: string | undefined;
  /** The home folder of calls that name none, an absolute path. */
  readonly home?: string | undefined;
  /** Every tool that the agent can call. */
  readonly tools?: readonly Tool[] | undefined;
  /** The keys of the MCP servers that the agent is connected to. */
  readonly mcpServers?: readonly string[] | undefined;
  /** What the user wrote, oldest first. */
  readonly userMessages?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a new session may be opened with. */
export interface OpenSessionOptions extends SessionOptions {
  /** Default: one is made. */
  readonly sessionId?: string | undefined;
  /** Selects `commands.<name>.approvals` of the policy. */
  readonly command?: string | undefined;
  /** For wording and filters; they never change a decision. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** What of a session may change. What is absent stays as it is. */
export interface UpdateSessionOptions extends SessionOptions {
  readonly setLabels?: Readonly<Record<string, string>> | undefined;
  readonly removeLabels?: readonly string[] | undefined;
  /** Clears the negotiation and the user's messages. */
  readonly resetThread?: boolean | undefined;
}

/** One conversation of one agent. It need not exist: the first decision opens it with the project's defaults. */
export class Session {
  /** @internal */
  constructor(
    private readonly client: Client,
    readonly id: string,
  ) {}

  /**
   * Asks whether a shell command may run, exactly as the model wrote it. Waits for the human who may be asked.
   *
   * @throws {AttackHalted} the run is halted: end it now, and give the model nothing.
   * @throws {Unattended} approval was needed and nobody could be asked: end the run with a non-zero exit.
   * @throws {HaltgateError} there is no decision. The call must not run.
   */
  decideShell(
    command: string,
    options: DecideOptions & Circumstances & { dialect?: "BASH" | "POWERSHELL" | "CMD" | undefined } = {},
  ): Promise<Decision> {
    return this.decide({ ...circumstances(options), shell: command, dialect: options.dialect }, options);
  }

  /** Asks whether a tool of the agent itself may be called. Throws as {@link decideShell} does. */
  decideTool(
    name: string,
    args: object = {},
    options: DecideOptions & Circumstances = {},
  ): Promise<Decision> {
    return this.decide({ ...circumstances(options), tool: name, arguments: args }, options);
  }

  /** Asks whether an MCP server's tool may be called. Throws as {@link decideShell} does. */
  decideMcp(
    server: string,
    name: string,
    args: object = {},
    options: DecideOptions & Circumstances = {},
  ): Promise<Decision> {
    return this.decide({ ...circumstances(options), server, mcpTool: name, arguments: args }, options);
  }

  /** Asks whether a tool may be called by the one name that the agent registered it under. Throws as {@link decideShell} does. */
  decideRegistered(
    name: string,
    args: object = {},
    options: DecideOptions & Circumstances = {},
  ): Promise<Decision> {
    return this.decide({ ...circumstances(options), registered: name, arguments: args }, options);
  }

  /** Asks whether a call may run. Throws as {@link decideShell} does. */
  async decide(call: Call, options: DecideOptions = {}): Promise<Decision> {
    const dryRun = options.dryRun ?? false;
    const wait = (options.wait ?? true) && !dryRun;
    const request = create(DecideRequestSchema, {
      project: this.client.project,
      sessionId: this.id,
      runId: options.runId ?? "",
      requestId: options.requestId ?? freshId(),
      call: callMessage(call),
      wait,
      dryRun,
    });
    const decision = wait ? await this.waited(request, options) : await this.once(request, options.signal);
    if (dryRun) {
      return decision;
    }
    switch (decision.action) {
      case "HALT":
        throw new AttackHalted(decision);
      case "UNATTENDED":
        throw new Unattended(decision);
      case "APPROVE":
      case "REJECT":
      case "ESCALATE":
        return decision;
    }
  }

  /** Opens the session, or sets it up anew. */
  async open(options: Omit<OpenSessionOptions, "sessionId"> = {}): Promise<SessionState> {
    const { stub, project, deadlineMs } = this.client;
    const request = {
      ...changes(options),
      project,
      sessionId: this.id,
      command: options.command ?? "",
      labels: { ...options.labels },
      cwd: options.cwd ?? "",
      home: options.home ?? "",
    };
    const answer = await send(deadlineMs, this.client.until(options.signal), "once", (call) =>
      stub.openSession(request, call),
    );
    return present(answer.session);
  }

  /** Changes the open session. It governs the very next call. */
  async update(options: UpdateSessionOptions): Promise<SessionState> {
    const { stub, project, deadlineMs } = this.client;
    const request = {
      ...changes(options),
      project,
      sessionId: this.id,
      labels: { set: { ...options.setLabels }, remove: [...(options.removeLabels ?? [])] },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.home === undefined ? {} : { home: options.home }),
      resetThread: options.resetThread ?? false,
    };
    const answer = await send(deadlineMs, this.client.until(options.signal), "once", (call) =>
      stub.updateSession(request, call),
    );
    return present(answer.session);
  }

  /** The session and the posture in force. */
  get(options: { includeTools?: boolean; signal?: AbortSignal } = {}): Promise<GetSessionResponse> {
    const { stub, project, deadlineMs } = this.client;
    const request = { project, sessionId: this.id, includeTools: options.includeTools ?? false };
    return send(deadlineMs, this.client.until(options.signal), "repeatable", (call) =>
      stub.getSession(request, call),
    );
  }

  /** Closes it: it decides nothing until it is opened again, and what waits for a human is withdrawn. */
  async close(options: { signal?: AbortSignal } = {}): Promise<SessionState> {
    const { stub, project, deadlineMs } = this.client;
    const request = { project, sessionId: this.id };
    const answer = await send(deadlineMs, this.client.until(options.signal), "once", (call) =>
      stub.closeSession(request, call),
    );
    return present(answer.session);
  }

  private async once(request: DecideRequest, signal: AbortSignal | undefined): Promise<Decision> {
    const { stub, deadlineMs } = this.client;
    return decisionOf(
      request,
      await send(deadlineMs, this.client.until(signal), "repeatable", (call) => stub.decide(request, call)),
    );
  }

  // Asks again, under the same id, until there is an answer. A gate that is gone meanwhile is looked for.
  private async waited(request: DecideRequest, { maxWaitMs, ...options }: DecideOptions): Promise<Decision> {
    const signal = this.client.until(options.signal);
    const { stub, deadlineMs, reconnectForMs } = this.client;
    const started = performance.now();
    const left = (): number => (maxWaitMs ?? Number.POSITIVE_INFINITY) - (performance.now() - started);
    let goneSince: number | undefined;
    let failures = 0;
    for (;;) {
      const held = Math.min(HELD, Math.max(0, Math.round(left())));
      const asked = performance.now();
      request.maxWait = create(DurationSchema, {
        seconds: BigInt(Math.floor(held / 1000)),
        nanos: (held % 1000) * 1_000_000,
      });
      try {
        const answer = await stub.decide(request, { timeoutMs: deadlineMs + held, signal });
        const decision = decisionOf(request, answer);
        if (decision.action !== "ESCALATE" || left() <= 0) {
          return decision;
        }
        goneSince = undefined;
        failures = 0;
        // A gate that shuts down answers at once; it is asked again when it had time to.
        await sleep(Math.min(pauseAfter(1, RETRY, 0), Math.max(0, left())), signal);
      } catch (thrown) {
        if (signal.aborted || !mayPass(thrown)) {
          throw errorOf(thrown, signal);
        }
        goneSince ??= asked;
        failures += 1;
        const pause = pauseAfter(failures, RETRY, askedPause(thrown));
        if (left() <= 0 || performance.now() - goneSince + pause >= reconnectForMs) {
          throw errorOf(thrown);
        }
        await sleep(pause, signal);
      }
    }
  }
}

function circumstances({ cwd, home, justification }: Circumstances): Circumstances {
  return { cwd, home, justification };
}

// What both opening and updating take.
function changes(options: SessionOptions): {
  rung: Rung;
  interactive?: boolean;
  tools?: MessageInitShape<typeof ToolCatalogueSchema>;
  mcpServers?: MessageInitShape<typeof McpServersSchema>;
  userMessages: string[];
} {
  const { interactive, tools, mcpServers, userMessages = [] } = options;
  return {
    rung: valueNamed(Rung, options.rung),
    ...(interactive === undefined ? {} : { interactive }),
    ...(tools === undefined ? {} : { tools: { tools: tools.map(toolMessage) } }),
    ...(mcpServers === undefined ? {} : { mcpServers: { keys: [...mcpServers] } }),
    userMessages: [...userMessages],
  };
}

function toolMessage({ registeredName, description = "", annotations }: Tool) {
  const declared: MessageInitShape<typeof ToolAnnotationsSchema> | undefined = annotations && {
    ...annotations,
  };
  return { registeredName, description, ...(declared === undefined ? {} : { annotations: declared }) };
}

function present(session: SessionState | undefined): SessionState {
  if (session === undefined) {
    throw new UnexpectedAnswer("it describes no session");
  }
  return session;
}
