import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Client, connect, type Escalation, Feed, GateUnavailable, Refused } from "@haltgate/client";
import {
  type StreamEscalationsResponse,
  StreamEscalationsResponseSchema,
} from "@haltgate/client/haltgate/v1/human";
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema, RetryInfoSchema } from "#dist/gen/google/rpc/error_details_pb.js";
import { type Repeat, send } from "#dist/retry.js";
import { Server } from "./support/server.js";

const manual = { approvals: "manual" };
const guarded = { ...manual, auth: { tokens_file: "tokens.json" } };

async function refusal(asking: Promise<unknown>): Promise<Refused> {
  try {
    await asking;
  } catch (thrown) {
    assert.ok(thrown instanceof Refused, String(thrown));
    assert.equal(thrown.approved, false);
    return thrown;
  }
  throw new Error("it was not refused");
}

async function raised(client: Client): Promise<Escalation> {
  for await (const event of client.watchEscalations()) {
    if (event.event === "raised") {
      return event.item;
    }
  }
  throw new Error("the feed ended");
}

test("an agent may decide, and only an operator may answer", async () => {
  const server = await Server.start(guarded, "agent", "operator");
  const [agent, operator] = [server.tokens.agent, server.tokens.operator].map((token) =>
    connect({ target: server.address, ...(token === undefined ? {} : { token }) }),
  ) as [Client, Client];
  try {
    const decided = agent.session("s").decideShell("mend docs");
    const { escalationId } = await raised(operator);
    const refused = await refusal(agent.answerEscalation(escalationId, "APPROVE"));
    assert.equal(refused.code, Code.PermissionDenied);
    assert.equal(refused.reason, "ROLE_NOT_ALLOWED");
    assert.deepEqual([refused.role, refused.needed], ["agent", ["operator", "admin"]]);
    const answered = await operator.answerEscalation(escalationId, "APPROVE");
    assert.equal(answered.answer?.answeredBy, "operator");
    assert.equal((await decided).approved, true);
  } finally {
    agent.close();
    operator.close();
    await server.remove();
  }
});

test("who shows no token is told what is needed, and who shows a wrong one is refused", async () => {
  const server = await Server.start(guarded, "agent");
  const [nobody, stranger] = [
    connect({ target: server.address }),
    connect({ target: server.address, token: "made-up" }),
  ];
  try {
    const missing = await refusal(nobody.session("s").decideShell("ls"));
    assert.equal(missing.code, Code.Unauthenticated);
    assert.equal(missing.reason, "CREDENTIALS_MISSING");
    assert.ok(missing.needed.includes("bearer"));
    const wrong = await refusal(stranger.session("s").decideShell("ls"));
    assert.equal(wrong.reason, "CREDENTIALS_INVALID");
    assert.deepEqual([wrong.role, wrong.needed], ["", []]);
  } finally {
    nobody.close();
    stranger.close();
    await server.remove();
  }
});

test("a feed ends with the reason when its token is taken back", async () => {
  const server = await Server.start(guarded, "operator");
  const client = connect({ target: server.address, token: server.tokens.operator ?? "" });
  try {
    const events = client.watchEscalations()[Symbol.asyncIterator]();
    assert.equal((await events.next()).value?.event, "snapshot_end");
    await server.token("revoke", "operator");
    assert.equal((await refusal(events.next())).reason, "CREDENTIALS_INVALID");
    assert.equal((await events.next()).done, true);
  } finally {
    client.close();
    await server.remove();
  }
});

test("a feed outlives the age of its connections, and tells nothing of it", async () => {
  const server = await Server.start({ ...manual, server: { max_connection_age: "1s" } });
  const client = connect({ target: server.address });
  let opened = 0;
  const feed = new Feed<Escalation>((after, signal) => {
    opened += 1;
    return client.stub.streamEscalations({ after }, { signal, timeoutMs: 0 });
  }, "");
  const ask = async () => {
    while (opened < 3) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await client.session("s").decideShell("mend docs", { requestId: "q", wait: false });
  };
  try {
    const told: string[] = [];
    let asked: Promise<void> | undefined;
    for await (const event of feed) {
      told.push(event.event === "raised" ? event.item.requestId : event.event);
      if (told.length > 1) {
        break;
      }
      asked = ask();
    }
    // The feed may tell of the question before its decision has come back.
    await asked;
    assert.deepEqual(told, ["snapshot_end", "q"]);
  } finally {
    client.close();
    await server.remove();
  }
});

test("a snapshot that was cut off is told anew, and that is said first", async () => {
  const message = (event: StreamEscalationsResponse["event"], cursor = "") =>
    create(StreamEscalationsResponseSchema, { event, cursor });
  const one = message({ case: "raised", value: { escalationId: "1" } as Escalation });
  let opened = 0;
  const feed = new Feed<Escalation>(async function* () {
    opened += 1;
    yield one;
    if (opened === 1) {
      throw new ConnectError("gone", Code.Unavailable);
    }
  }, "");
  const told: string[] = [];
  for await (const event of feed) {
    told.push(event.event);
    if (told.length === 3) {
      break;
    }
  }
  assert.deepEqual(told, ["raised", "restarted", "raised"]);
});

test("a gate that is asked too often is asked again when it says", async () => {
  const caller = { requests_per_second: 2, burst: 1 };
  const server = await Server.start({ approvals: "bypass", limits: { bound_local: true, caller } });
  const client = connect({ target: server.address });
  try {
    for (let asked = 0; asked < 4; asked += 1) {
      await client.serverInfo();
    }
    assert.equal((await client.session("s").decideShell("ls")).approved, true);
  } finally {
    client.close();
    await server.remove();
  }
});

test("only what is safe is sent again, and only while that may help", async () => {
  const full = (reason: string, domain: string, seconds: bigint) =>
    new ConnectError("full", Code.ResourceExhausted, undefined, [
      { desc: ErrorInfoSchema, value: { reason, domain } },
      { desc: RetryInfoSchema, value: { retryDelay: { seconds, nanos: 1_000_000 } } },
    ]);
  const ours = "haltgate.dev";
  const cases: [string, ConnectError, Repeat, number][] = [
    ["a gate that is gone", new ConnectError("gone", Code.Unavailable), "repeatable", 4],
    ["a gate that is gone, sent once", new ConnectError("gone", Code.Unavailable), "once", 1],
    ["too much to do", full("OVERLOADED", ours, 0n), "repeatable", 4],
    ["too much to do, sent once", full("OVERLOADED", ours, 0n), "once", 1],
    ["too much to do for too long", full("OVERLOADED", ours, 3600n), "repeatable", 1],
    ["too many open questions", full("TOO_MANY_OPEN", ours, 0n), "repeatable", 1],
    ["a limit of somebody else's", full("OVERLOADED", "proxy.example", 0n), "repeatable", 1],
    ["a limit that does not say when", new ConnectError("full", Code.ResourceExhausted), "repeatable", 1],
    ["no credentials", new ConnectError("who?", Code.Unauthenticated), "repeatable", 1],
    ["no permission", new ConnectError("no", Code.PermissionDenied), "repeatable", 1],
  ];
  for (const [name, thrown, repeat, expected] of cases) {
    let sent = 0;
    const asking = send(60_000, new AbortController().signal, repeat, () => {
      sent += 1;
      return Promise.reject(thrown);
    });
    const kind = thrown.code === Code.Unavailable ? GateUnavailable : Refused;
    await assert.rejects(asking, kind, name);
    assert.equal(sent, expected, name);
  }
});
