// The official client and the server that does everything the protocol knows, with the gate between them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { Gate, policy, server, text } from "./gate.js";

const everything = [server("server-everything"), "stdio"];
let gate;

before(async () => {
  const allowed = ["echo", "trigger-sampling-request", "trigger-elicitation-request", "get-roots-list"];
  const deny = [{ type: "mcpTool", server: "k", matcher: "exact", pattern: "get-env" }];
  gate = await Gate.start(policy([...allowed, "trigger-long-running-operation"], { deny }));
});

after(() => gate.stop());

/** Closes the client whatever happens. */
const using = async (client, work) => {
  try {
    await work(client);
  } finally {
    await client.close();
  }
};

test("what the server lists, reads and completes is what it lists without the gate", async () => {
  const direct = new Client({ name: "tests", version: "1.0.0" });
  await direct.connect(new StdioClientTransport({ command: process.execPath, args: everything, stderr: "ignore" }));
  await using(direct, async () => {
    await using(await gate.connect("same", everything), async (client) => {
      assert.deepEqual(client.getServerVersion(), direct.getServerVersion());
      assert.deepEqual(client.getServerCapabilities(), direct.getServerCapabilities());
      assert.deepEqual(await client.listTools(), await direct.listTools());
      assert.deepEqual(await client.listPrompts(), await direct.listPrompts());
      assert.deepEqual(await client.listResourceTemplates(), await direct.listResourceTemplates());
      const { resources } = await client.listResources();
      const uri = resources[0].uri;
      assert.deepEqual(await client.readResource({ uri }), await direct.readResource({ uri }));
      await client.ping();
    });
  });
});

test("approved calls run, rejected ones are results that say why", async () => {
  await using(await gate.connect("calls", everything), async (client) => {
    const { tools } = await client.listTools();
    assert.ok(tools.length > 5);
    const echoed = await client.callTool({ name: "echo", arguments: { message: "é 😀 \u2028" } });
    assert.equal(text(echoed), "Echo: é 😀 \u2028");
    const refused = await client.callTool({ name: "get-env", arguments: {} });
    assert.equal(refused.isError, true);
    assert.match(text(refused), /get-env/);
    const shown = JSON.parse(await gate.run("sessions", "show", "calls", "--json"));
    const registered = shown.tools.tools.map((tool) => tool.registeredName).sort();
    assert.deepEqual(registered, tools.map((tool) => `mcp__k__${tool.name}`).sort());
    const echo = shown.tools.tools.find((tool) => tool.registeredName === "mcp__k__echo");
    assert.equal(echo.annotations.readOnlyHint, true);
  });
});

test("a human is waited for, with progress, and what was rejected never runs", async () => {
  await using(await gate.connect("human", everything), async (client) => {
    const call = { name: "get-sum", arguments: { a: 1, b: 2 } };
    let waiting;
    const heard = await new Promise((resolve) => {
      waiting = client.callTool(call, undefined, { onprogress: resolve });
    });
    const first = await gate.answer("human", "approve");
    assert.match(text(await waiting), /sum of 1 and 2 is 3/);
    assert.ok(heard.progress < 0, JSON.stringify(heard));

    const again = client.callTool(call);
    const second = await gate.escalation("human", [first]);
    await gate.run("answer", second, "reject", "--comment", "use a calculator");
    const rejected = await again;
    assert.equal(rejected.isError, true);
    assert.match(text(rejected), /use a calculator/);
  });
});

test("the client hears again and again that a human is asked, and each time of progress", async () => {
  await using(await gate.connect("patience", everything), async (client) => {
    const heard = [];
    const call = { name: "get-sum", arguments: { a: 2, b: 2 } };
    let waiting;
    await new Promise((resolve) => {
      const onprogress = ({ progress }) => heard.push(progress) === 3 && resolve();
      waiting = client.callTool(call, undefined, { onprogress });
    });
    await gate.answer("patience", "approve");
    assert.match(text(await waiting), /is 4/);
    assert.ok(heard.every((progress, index) => index === 0 || progress > heard[index - 1]), `${heard}`);
  });
});

test("a call that the client gives up is over though a human approves it", async () => {
  await using(await gate.connect("cancel", everything), async (client) => {
    const abort = new AbortController();
    const call = { name: "get-sum", arguments: { a: 3, b: 3 } };
    const waiting = client.callTool(call, undefined, { signal: abort.signal });
    waiting.catch(() => {});
    const id = await gate.escalation("cancel");
    abort.abort("changed my mind");
    await assert.rejects(waiting, /changed my mind/);
    await gate.run("answer", id, "approve");
    const echoed = await client.callTool({ name: "echo", arguments: { message: "still here" } });
    assert.equal(text(echoed), "Echo: still here");
  });
});

test("the server asks the client: sampling, elicitation and roots", async () => {
  const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
  const asked = [];
  const prepare = (client) => {
    client.setRequestHandler(CreateMessageRequestSchema, (request) => {
      asked.push(request.method);
      return { model: "none", role: "assistant", content: { type: "text", text: "sampled words" } };
    });
    client.setRequestHandler(ElicitRequestSchema, (request) => {
      asked.push(request.method);
      return { action: "decline" };
    });
    client.setRequestHandler(ListRootsRequestSchema, (request) => {
      asked.push(request.method);
      return { roots: [{ uri: "file:///work", name: "work" }] };
    });
  };
  await using(await gate.connect("asks", everything, capabilities, prepare), async (client) => {
    const sampled = await client.callTool({ name: "trigger-sampling-request", arguments: { prompt: "p", maxTokens: 5 } });
    assert.match(text(sampled), /sampled words/);
    const declined = await client.callTool({ name: "trigger-elicitation-request", arguments: {} });
    assert.match(text(declined), /declin/i);
    const roots = await client.callTool({ name: "get-roots-list", arguments: {} });
    assert.match(text(roots), /file:\/\/\/work/);
    for (const method of ["sampling/createMessage", "elicitation/create", "roots/list"]) assert.ok(asked.includes(method), method);
  });
});

test("the server's own progress reaches the client", async () => {
  await using(await gate.connect("progress", everything), async (client) => {
    const heard = [];
    const call = { name: "trigger-long-running-operation", arguments: { duration: 2, steps: 4 } };
    const done = await client.callTool(call, undefined, { onprogress: ({ progress }) => heard.push(progress) });
    assert.match(text(done), /completed/);
    // The client forgets who listens once the result is there: what arrives in one piece with it is told to nobody.
    assert.ok(heard.length > 0);
    assert.deepEqual(heard, [1, 2, 3, 4].slice(0, heard.length));
  });
});

test("without a gate calls are errors, and the rest works", async () => {
  const gone = await Gate.start(policy(["echo"]));
  await using(await gone.connect("gone", everything), async (client) => {
    assert.equal(text(await client.callTool({ name: "echo", arguments: { message: "a" } })), "Echo: a");
    await gone.stop();
    await assert.rejects(client.callTool({ name: "echo", arguments: { message: "b" } }), { code: -31003 });
    assert.ok((await client.listTools()).tools.length > 5);
  });
});
