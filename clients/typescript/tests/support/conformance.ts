// Takes the steps of a conformance scenario, which tests/conformance/README.md of the project describes. Knows no scenario.

import assert from "node:assert/strict";
import { createServer, type Server as Listener, type Socket } from "node:net";
import {
  AttackHalted,
  type Call,
  type Client,
  connect,
  type Entry,
  type Feed,
  type FeedEvent,
  GateUnavailable,
  InvalidRequest,
  type Named,
  Refused,
  type Terms,
  type Tool,
  Unattended,
  UnexpectedAnswer,
} from "@haltgate/client";
import { Server } from "./server.js";
import * as shown from "./shown.js";

/** Guards against hanging. */
const LIMIT = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: what a scenario holds is for the gate to judge.
type Arguments = Record<string, any>;

interface Step {
  readonly do: string;
  readonly with?: Arguments;
  readonly expect?: unknown;
  readonly save?: Record<string, string>;
  readonly background?: string;
  readonly times?: number;
}

export interface Scenario {
  readonly name: string;
  readonly gate: unknown;
  readonly client?: { deadline_ms?: number; reconnect_for_ms?: number; project?: string };
  readonly rater?: boolean;
  readonly steps: readonly Step[];
}

export async function play(scenario: Scenario): Promise<void> {
  const rater = scenario.rater === true ? await SilentRater.open() : undefined;
  const gate = JSON.parse(JSON.stringify(scenario.gate).replaceAll("$rater", rater?.address ?? "$rater"));
  const server = await Server.start(gate);
  const { deadline_ms, reconnect_for_ms, project } = scenario.client ?? {};
  const client = connect({
    target: server.address,
    deadlineMs: deadline_ms,
    reconnectForMs: reconnect_for_ms,
    project,
  });
  const play = new Play(client, server, rater);
  try {
    for (const [index, step] of scenario.steps.entries()) {
      await within(`step ${index + 1}, ${step.do}`, play.take(step));
    }
  } finally {
    client.close();
    await rater?.hangUp();
    await server.remove();
  }
}

async function within(what: string, taken: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it is not done")), LIMIT);
  });
  try {
    await Promise.race([taken, late]);
  } catch (thrown) {
    throw new Error(`${what}: ${thrown instanceof Error ? thrown.message : thrown}`, { cause: thrown });
  } finally {
    clearTimeout(timer);
  }
}

class Play {
  private readonly saved = new Map<string, unknown>();
  private readonly begun = new Map<string, Promise<unknown>>();
  private readonly feeds = new Map<
    string,
    { feed: Feed<shown.Question>; events: AsyncIterator<FeedEvent<shown.Question>> }
  >();

  constructor(
    private readonly client: Client,
    private readonly server: Server,
    private readonly rater: SilentRater | undefined,
  ) {}

  async take(step: Step): Promise<void> {
    const given = this.resolved(step.with ?? {}) as Arguments;
    if (step.background !== undefined) {
      this.begun.set(step.background, this.result(step.do, given, 0));
      return;
    }
    for (let time = 0; time < (step.times ?? 1); time += 1) {
      const expected = this.resolved(step.expect);
      const wanted = Array.isArray(expected) ? expected.length : 0;
      const result = await this.result(step.do, given, wanted);
      const failed = typeof result === "object" && result !== null && "error" in result;
      if (expected === undefined) {
        assert.ok(!failed, JSON.stringify(result));
      } else {
        const mentions = typeof expected === "object" && expected !== null && "error" in expected;
        assert.ok(!failed || mentions, JSON.stringify(result));
        matches(result, expected, "result");
      }
      for (const [name, path] of Object.entries(step.save ?? {})) {
        this.saved.set(name, part(result, path));
      }
    }
  }

  private resolved(value: unknown): unknown {
    if (typeof value === "string" && value.startsWith("$") && this.saved.has(value.slice(1))) {
      return this.saved.get(value.slice(1));
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.resolved(item));
    }
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.resolved(item)]));
    }
    return value;
  }

  private async result(operation: string, given: Arguments, wanted: number): Promise<unknown> {
    try {
      return await this.done(operation, given, wanted);
    } catch (thrown) {
      return errorResult(thrown);
    }
  }

  private async done(operation: string, given: Arguments, wanted: number): Promise<unknown> {
    const { client } = this;
    const grants = client.grants(given.session);
    const requestId = given.request_id;
    switch (operation) {
      case "open_session": {
        const options = { ...sessionOptions(given), command: given.command, labels: given.labels };
        return shown.session(await client.session(given.session).open(options));
      }
      case "update_session": {
        const { set, remove } = given.labels ?? {};
        const options = { ...sessionOptions(given), setLabels: set, removeLabels: remove };
        return shown.session(
          await client.session(given.session).update({ ...options, resetThread: given.reset_thread }),
        );
      }
      case "close_session":
        return shown.session(await client.session(given.session).close());
      case "decide":
        return shown.decision(
          await client.session(given.session).decide(callOf(given), {
            runId: given.run_id,
            requestId,
            wait: given.wait,
            maxWaitMs: given.max_wait_ms,
            dryRun: given.dry_run,
          }),
        );
      case "join":
        return await this.begun.get(given.background);
      case "rate":
        return shown.rating(
          await client.rate(callOf(given), {
            sessionId: given.session,
            profile: given.profile,
            fresh: given.fresh,
          }),
        );
      case "watch": {
        const options = {
          sessionId: given.session,
          runId: given.run_id,
          after: given.after,
          observeOnly: given.observe_only,
        };
        const feed: Feed<shown.Question> =
          given.kind === "halts" ? client.watchHalts(options) : client.watchEscalations(options);
        this.feeds.set(given.feed, { feed, events: feed[Symbol.asyncIterator]() });
        return undefined;
      }
      case "events":
        return this.events(given.feed, wanted);
      case "unwatch": {
        const watched = this.watched(given.feed);
        watched.feed.close();
        return { cursor: watched.feed.cursor };
      }
      case "answer": {
        const options = {
          requestId,
          comment: given.comment,
          scope: given.scope,
          terms: termsOf(given.terms),
        };
        return shown.question(
          given.halt_id === undefined
            ? await client.answerEscalation(given.escalation_id, given.verdict, options)
            : await client.answerHalt(given.halt_id, given.verdict, options),
        );
      }
      case "list_grants": {
        const lists: { grants: unknown[]; denials: unknown[] } = { grants: [], denials: [] };
        const options = { scopes: given.scopes, text: given.text, pageSize: given.page_size };
        for await (const item of grants.list(options)) {
          if (item.kind === "grant") {
            lists.grants.push(shown.grant(item.grant));
          } else {
            lists.denials.push(shown.denial(item.denial));
          }
        }
        return lists;
      }
      case "grant": {
        const added = await grants.grant(given.entry, given.scope, {
          requestId,
          terms: termsOf(given.terms),
        });
        return { grant: shown.grant(added.grant), already_granted: added.alreadyGranted };
      }
      case "deny": {
        const added = await grants.deny(given.entry, { requestId, note: given.note });
        return { denial: shown.denial(added.denial), already_denied: added.alreadyDenied };
      }
      case "revoke":
        return {
          revoked: (await grants.revoke(namedOf(given), { scope: given.scope })).map(shown.grant),
        };
      case "lift":
        return { lifted: shown.denial(await grants.lift(namedOf(given))) };
      case "view_trust":
        return shown.trustView(await grants.viewTrust());
      case "change_trust":
        return shown.trustChanged(await grants.changeTrust(given.server, given));
      case "predict_trust":
        return shown.trustChanged(await grants.predictTrust(given.server, given));
      case "import_grants":
        return shown.imported(await grants.importFile(given.content, { dryRun: given.dry_run }));
      case "export_grants": {
        const { content, grants: count, skipped } = await grants.exportFile();
        return { content, grants: count, skipped };
      }
      case "list_decisions": {
        const decisions: unknown[] = [];
        const filter = {
          sessionId: given.session,
          runId: given.run_id,
          actions: given.actions,
          stages: given.stages,
          text: given.text,
          oldestFirst: given.order === "OLDEST_FIRST",
          pageSize: given.page_size,
          pageToken: given.page_token,
        };
        for await (const record of client.decisions(filter)) {
          decisions.push(shown.record(record));
        }
        return { decisions };
      }
      case "server_info": {
        const info = await client.serverInfo();
        return {
          version: info.version,
          contract_version: info.contractVersion,
          policy_revision: info.policyRevision,
          ephemeral: info.ephemeral,
        };
      }
      case "server":
        if (given.action === "start") {
          await this.server.start();
        } else {
          await this.server.end(given.action === "kill" ? "SIGKILL" : "SIGTERM");
        }
        return undefined;
      case "rater":
        if (given.action === "asked") {
          await this.rater?.asked;
        } else {
          await this.rater?.hangUp();
        }
        return undefined;
      default:
        throw new Error(`there is no operation ${operation}`);
    }
  }

  private watched(name: string) {
    const watched = this.feeds.get(name);
    assert.ok(watched, `there is no feed ${name}`);
    return watched;
  }

  private async events(name: string, wanted: number): Promise<unknown[]> {
    const { events } = this.watched(name);
    const happened: unknown[] = [];
    while (happened.length < wanted) {
      try {
        const next = await events.next();
        assert.ok(next.done !== true, "the feed is over");
        const { value } = next;
        happened.push("item" in value ? { ...shown.question(value.item), event: value.event } : value);
      } catch (thrown) {
        happened.push({ ...errorResult(thrown), event: "error" });
      }
    }
    return happened;
  }
}

function sessionOptions(given: Arguments) {
  const tools = (given.tools as Arguments[] | undefined)?.map((tool): Tool => {
    const { read_only_hint, destructive_hint, idempotent_hint, open_world_hint } = tool.annotations ?? {};
    const annotations = {
      ...(read_only_hint === undefined ? {} : { readOnlyHint: read_only_hint }),
      ...(destructive_hint === undefined ? {} : { destructiveHint: destructive_hint }),
      ...(idempotent_hint === undefined ? {} : { idempotentHint: idempotent_hint }),
      ...(open_world_hint === undefined ? {} : { openWorldHint: open_world_hint }),
    };
    return {
      registeredName: tool.registered_name,
      description: tool.description,
      annotations: tool.annotations && annotations,
    };
  });
  const { rung, interactive, cwd, home, mcp_servers, user_messages } = given;
  return { rung, interactive, cwd, home, tools, mcpServers: mcp_servers, userMessages: user_messages };
}

function callOf({ shell, tool, mcp_tool, registered }: Arguments): Call {
  if (shell !== undefined) {
    return { ...shell, shell: shell.command };
  }
  if (tool !== undefined) {
    return { ...tool, tool: tool.name };
  }
  return mcp_tool === undefined
    ? { ...registered, registered: registered.name }
    : { ...mcp_tool, mcpTool: mcp_tool.name };
}

function namedOf({ entry, object_text }: Arguments): Named {
  return object_text === undefined ? (entry as Entry) : { objectText: object_text };
}

function termsOf(terms: Arguments | undefined): Terms | undefined {
  return terms && { maxUses: terms.max_uses, note: terms.note };
}

function errorResult(thrown: unknown): Arguments {
  const result = { approved: false };
  if (thrown instanceof AttackHalted) {
    return { ...shown.decision(thrown.decision), ...result, error: "attack_halted" };
  }
  if (thrown instanceof Unattended) {
    return { ...shown.decision(thrown.decision), ...result, error: "unattended" };
  }
  if (thrown instanceof GateUnavailable) {
    return { ...result, error: "gate_unavailable" };
  }
  if (thrown instanceof UnexpectedAnswer) {
    return { ...result, error: "unexpected_answer" };
  }
  if (thrown instanceof InvalidRequest) {
    const { reason, metadata } = thrown;
    const fields = thrown.violations.map(({ field }) => field);
    return { ...result, error: "invalid_request", reason, metadata, fields };
  }
  if (thrown instanceof Refused) {
    const { reason, domain, metadata, retryAfterMs } = thrown;
    return { ...result, error: "refused", reason, domain, metadata, retry_info: retryAfterMs !== undefined };
  }
  throw thrown;
}

/** Absent are: what is not set, and an empty text. */
function absent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function matches(actual: unknown, expected: unknown, path: string): void {
  if (expected === null) {
    assert.ok(absent(actual), `${path} should be absent, and is ${JSON.stringify(actual)}`);
  } else if (expected === "$present") {
    assert.ok(!absent(actual), `${path} is absent`);
  } else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path} is no list`);
    assert.equal(actual.length, expected.length, `${path}: ${JSON.stringify(actual)}`);
    for (const [index, item] of expected.entries()) {
      matches(actual[index], item, `${path}.${index}`);
    }
  } else if (typeof expected === "object" && expected !== null && "$contains" in expected) {
    const held = Array.isArray(actual) || typeof actual === "string" ? actual : [];
    assert.ok(held.includes(expected.$contains as never), `${path}: ${JSON.stringify(actual)}`);
  } else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      matches((actual as Arguments | undefined)?.[key], value, `${path}.${key}`);
    }
  } else {
    assert.deepEqual(actual, expected, path);
  }
}

function part(result: unknown, path: string): unknown {
  const found = path.split(".").reduce((value, key) => (value as Arguments | undefined)?.[key], result);
  assert.ok(!absent(found), `there is nothing at ${path} of ${JSON.stringify(result)}`);
  return found;
}

/** Accepts connections and never answers. */
class SilentRater {
  readonly asked: Promise<void>;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly listener: Listener) {
    this.asked = new Promise((resolve) => {
      listener.on("connection", (socket) => {
        this.sockets.add(socket);
        socket.on("error", () => {});
        resolve();
      });
    });
  }

  static async open(): Promise<SilentRater> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    return new SilentRater(listener);
  }

  get address(): string {
    const address = this.listener.address();
    assert.ok(address !== null && typeof address === "object");
    return `http://127.0.0.1:${address.port}`;
  }

  async hangUp(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.listener.close(resolve));
  }
}
