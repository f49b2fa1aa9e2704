import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  connect,
  type Escalation,
  Feed,
  GateUnavailable,
  InvalidRequest,
  UnexpectedAnswer,
  VERSION,
} from "@haltgate/client";
import { connect as connectFromPage } from "#dist/browser.js";
import { Relay } from "./support/relay.js";
import { Server } from "./support/server.js";

const manual = { approvals: "manual" };
const bypass = { approvals: "bypass" };

let shared: Server;

before(async () => {
  shared = await Server.start(bypass);
});

after(async () => {
  await shared.remove();
});

test("an encrypted connection is made to a certificate that is trusted, and carries the token and the client's name", async () => {
  const relay = await Relay.open(shared.address);
  const client = connect({ target: relay.target, tls: { ca: relay.ca }, token: "top-secret" });
  const stranger = connect({ target: relay.target });
  try {
    assert.equal((await client.session("s").decideShell("ls")).approved, true);
    assert.equal(relay.seen[0]?.authorization, "Bearer top-secret");
    assert.match(
      relay.seen[0]?.["user-agent"] ?? "",
      new RegExp(`^haltgate-typescript/${VERSION.replaceAll(".", "\\.")} `),
    );
    await assert.rejects(stranger.session("s").decideShell("ls"), GateUnavailable);
  } finally {
    client.close();
    stranger.close();
    await relay.close();
  }
});

test("every request carries the headers that are current then, and none of them replaces the token", async () => {
  const relay = await Relay.open(shared.address);
  let span = 0;
  const headers = () => {
    span += 1;
    return {
      traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-000000000000000${span}-01`,
      authorization: "none",
    };
  };
  const client = connect({ target: relay.target, tls: { ca: relay.ca }, token: "top-secret", headers });
  try {
    const session = client.session("traced");
    assert.equal((await session.decideShell("ls")).approved, true);
    assert.equal((await session.decideShell("pwd")).approved, true);
    assert.deepEqual(
      relay.seen.map((sent) => String(sent.traceparent).slice(36, 52)),
      ["0000000000000001", "0000000000000002"],
    );
    assert.equal(relay.seen[1]?.authorization, "Bearer top-secret");
  } finally {
    client.close();
    await relay.close();
  }
});

test("a token is not sent in the clear to another machine unless that is asked for", () => {
  assert.throws(() => connect({ target: "gate.example:7557", token: "t" }), /in the clear/);
  assert.throws(() => connect({ target: "127.0.0.1:7557", token: "a\nb" }), /characters/);
  connect({ target: "gate.example:7557", token: "t", allowTokenInTheClear: true }).close();
  connect({ target: "127.0.0.1:7557", token: "t" }).close();
});

test("what a browser loads decides and watches over gRPC-Web", async () => {
  const server = await Server.start(manual);
  const client = connectFromPage({ target: `http://${server.address}` });
  try {
    const decided = client.session("s").decideShell("mend docs");
    for await (const event of client.watchEscalations()) {
      if (event.event === "raised") {
        await client.answerEscalation(event.item.escalationId, "APPROVE");
        break;
      }
    }
    assert.equal((await decided).approved, true);
    await assert.rejects(client.session("has a space").decideShell("ls"), InvalidRequest);
    assert.throws(() => connectFromPage({ target: "unix:/run/gate.sock" }), /cannot use a Unix socket/);
  } finally {
    client.close();
    await server.remove();
  }
});

test("a gate is reached over a Unix socket", async () => {
  const server = await Server.start({ ...bypass, server: { socket: "gate.sock" } });
  const client = connect({ target: `unix:${join(server.folder, "gate.sock")}` });
  try {
    assert.equal((await client.session("s").decideShell("ls")).approved, true);
  } finally {
    client.close();
    await server.remove();
  }
});

test("the target comes from the environment unless it is given", async () => {
  const before = process.env.HALTGATE_TARGET;
  process.env.HALTGATE_TARGET = shared.address;
  try {
    const client = connect();
    assert.equal((await client.serverInfo()).version, VERSION);
    client.close();
  } finally {
    if (before === undefined) {
      delete process.env.HALTGATE_TARGET;
    } else {
      process.env.HALTGATE_TARGET = before;
    }
  }
});

test("an answer that waits for a human is picked up from a gate that was killed meanwhile, and decided once", async () => {
  const server = await Server.start(manual);
  const client = connect({ target: server.address });
  try {
    const feed = client.watchEscalations();
    const events = feed[Symbol.asyncIterator]();
    const next = async () => {
      const { value, done } = await events.next();
      assert.ok(done !== true);
      return value;
    };
    assert.equal((await next()).event, "snapshot_end");
    const decided = client.session("s").decideShell("mend docs");
    const raised = await next();
    assert.ok(raised.event === "raised");
    await server.end("SIGKILL");
    await server.start();
    await client.answerEscalation(raised.item.escalationId, "APPROVE");
    const decision = await decided;
    assert.equal(decision.approved, true);
    assert.equal(decision.escalationId, raised.item.escalationId);
    assert.equal((await next()).event, "answered");
    feed.close();
    const records = [];
    for await (const record of client.decisions({ sessionId: "s" })) {
      records.push(record.decisionId);
    }
    assert.deepEqual([...new Set(records)], [decision.decisionId]);
  } finally {
    client.close();
    await server.remove();
  }
});

test("a gate that does not come back approves nothing", async () => {
  const server = await Server.start(manual);
  const client = connect({ target: server.address, reconnectForMs: 300 });
  try {
    const feed = client.watchEscalations();
    const decided = assert.rejects(client.session("s").decideShell("mend docs"), (thrown) => {
      assert.ok(thrown instanceof GateUnavailable && thrown.approved === false && thrown.cause !== undefined);
      return true;
    });
    for await (const event of feed) {
      if (event.event === "raised") {
        break;
      }
    }
    await server.end("SIGKILL");
    await decided;
  } finally {
    client.close();
    await server.remove();
  }
});

test("what is given up is rejected with the caller's own reason", async () => {
  const server = await Server.start(manual);
  const client = connect({ target: server.address });
  const giveUp = new AbortController();
  try {
    const decided = client.session("s").decideShell("mend docs", { signal: giveUp.signal });
    for await (const event of client.watchEscalations()) {
      if (event.event === "raised") {
        break;
      }
    }
    giveUp.abort(new Error("the user left"));
    await assert.rejects(decided, /the user left/);
  } finally {
    client.close();
    await server.remove();
  }
});

test("a closed client ends its feeds and approves nothing", async () => {
  const server = await Server.start(manual);
  const client = connect({ target: server.address, reconnectForMs: 300 });
  try {
    const seen: string[] = [];
    for await (const event of client.watchHalts()) {
      seen.push(event.event);
      client.close();
    }
    assert.deepEqual(seen, ["snapshot_end"]);
    await assert.rejects(client.session("s").decideShell("ls"), GateUnavailable);
  } finally {
    await server.remove();
  }
});

test("a feed on which nothing is heard is opened anew behind its cursor, and tells nothing twice", async () => {
  const server = await Server.start(manual);
  const client = connect({ target: server.address });
  const opened: string[] = [];
  const feed = new Feed<Escalation>(
    (after, signal) => {
      opened.push(after);
      return client.stub.streamEscalations({ after }, { signal, timeoutMs: 0 });
    },
    "",
    undefined,
    1_000,
  );
  // Silence, until the second connection is there.
  const ask = async () => {
    while (opened.length < 2) {
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
    assert.equal(opened[0], "");
    assert.ok(opened.slice(1).every((after) => after !== ""));
  } finally {
    client.close();
    await server.remove();
  }
});

test("a feed that nobody may open ends with the reason", async () => {
  const client = connect({ target: shared.address, project: "has a space" });
  try {
    const events = client.watchEscalations()[Symbol.asyncIterator]();
    await assert.rejects(events.next(), InvalidRequest);
  } finally {
    client.close();
  }
});

test("calls of every kind reach the gate with their arguments", async () => {
  const client = connect({ target: shared.address });
  const session = await client.openSession({ mcpServers: ["files"], labels: { team: "web" } });
  try {
    assert.equal(session.opened.labels.team, "web");
    await session.decideTool("write_file", { path: "a", lines: [1, 2] }, { runId: "r" });
    await session.decideMcp("files", "read", { path: "b" }, { runId: "r" });
    await session.decideRegistered("mcp__files__read", { path: "c" }, { runId: "r" });
    await session.decideShell("dir", { dialect: "CMD", cwd: "/work", justification: "to look", runId: "r" });
    const calls = [];
    for await (const record of client.decisions({ sessionId: session.id, oldestFirst: true, pageSize: 1 })) {
      calls.push(record.call?.kind);
    }
    assert.deepEqual(
      calls.map((kind) => kind?.case),
      ["tool", "mcpTool", "registered", "shell"],
    );
    assert.equal(calls[0]?.case === "tool" && calls[0].value.argumentsJson, '{"path":"a","lines":[1,2]}');
  } finally {
    client.close();
  }
});

test("the package has the version of the project, and the errors say what they are", () => {
  const own = JSON.parse(readFileSync("package.json", "utf8"));
  const project = /^version = "(.*)"$/m.exec(readFileSync("../../Cargo.toml", "utf8"))?.[1];
  assert.equal(own.version, VERSION);
  assert.equal(project, VERSION);
  assert.equal(new UnexpectedAnswer("x").name, "UnexpectedAnswer");
});
