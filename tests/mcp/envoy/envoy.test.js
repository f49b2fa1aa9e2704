// A real Envoy between the official MCP client and a server of the official SDK, asking a real gate about every request.
//
// usage: ENVOY_BIN=… node --test tests/mcp/envoy

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Gate } from "../gate.js";

const rule = (pattern) => ({ type: "mcpTool", server: "files", matcher: "exact", pattern });
const policy = {
  approvals: { gate_scope: "every_call", allow: [rule("read")], escalate: [rule("write")], deny: [rule("wipe")] },
  ext_authz: { enabled: true, wait: "1s", servers: { files: { paths: ["/mcp"] } } },
};

/** Starts to listen on a free port. */
const listening = (server) =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));

/** What reached the server: tools that ran, and the headers of each post. */
const ran = [];
const posts = [];
let gate, envoy, http, folder, port, uriOfEnvoy;

async function serveMcp() {
  const transports = new Map();
  const open = async () => {
    const server = new Server({ name: "files", version: "1" }, { capabilities: { tools: {} } });
    const tools = ["read", "write", "wipe"].map((name) => ({ name, inputSchema: { type: "object" } }));
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given } }) => {
      ran.push(`${name} ${given.path}`);
      return { content: [{ type: "text", text: `${name} ran` }] };
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  };
  return createServer(async (incoming, outgoing) => {
    if (incoming.method === "POST") posts.push(incoming.headers);
    const transport = transports.get(incoming.headers["mcp-session-id"]) ?? (await open());
    await transport.handleRequest(incoming, outgoing);
  });
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "haltgate-envoy-"));
  http = await serveMcp();
  const serverPort = await listening(http);
  gate = await Gate.start(policy);
  const [, gatePort] = gate.address.split(":");
  // The example that the documentation hands out, with the addresses of this test.
  const example = await readFile(new URL("../../../deploy/envoy/envoy.yaml", import.meta.url), "utf8");
  const replace = (text, from, to) => {
    assert.ok(text.includes(from), `the example has no ${from}`);
    return text.replace(from, to);
  };
  let config = replace(example, "address: 127.0.0.1, port_value: 8080", "address: 127.0.0.1, port_value: 0");
  config = replace(config, "address: mcp-server, port_value: 3000", `address: 127.0.0.1, port_value: ${serverPort}`);
  config = replace(config, "address: haltgate, port_value: 7557", `address: 127.0.0.1, port_value: ${gatePort}`);
  const adminFile = join(folder, "admin");
  config += "\nadmin:\n  address:\n    socket_address: { address: 127.0.0.1, port_value: 0 }\n";
  const file = join(folder, "envoy.yaml");
  await writeFile(file, config);
  const words = ["-c", file, "--admin-address-path", adminFile, "--use-dynamic-base-id", "--concurrency", "1"];
  words.push("--file-flush-interval-msec", "100");
  envoy = spawn(process.env.ENVOY_BIN, [...words, "--log-level", "warning"], { stdio: ["ignore", "pipe", "inherit"] });
  envoy.log = "";
  envoy.stdout.on("data", (data) => {
    envoy.log += data;
  });
  const until = async (what) => {
    for (;;) {
      assert.equal(envoy.exitCode, null, "Envoy ended");
      const found = await what().catch(() => undefined);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const admin = await until(async () => (await readFile(adminFile, "utf8")).trim());
  port = await until(async () => {
    const listeners = await (await fetch(`http://${admin}/listeners?format=json`)).json();
    return listeners.listener_statuses[0].local_address.socket_address.port_value;
  });
  uriOfEnvoy = new URL(`http://127.0.0.1:${port}/mcp`);
});

after(async () => {
  envoy?.kill();
  http?.closeAllConnections();
  http?.close();
  await gate?.stop();
  await rm(folder, { recursive: true });
});

/** The official client, behind Envoy. */
async function connected(test) {
  const client = new Client({ name: "agent", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(uriOfEnvoy));
  test.after(() => client.close());
  const call = (name, path) => client.callTool({ name, arguments: { path } });
  return { client, call };
}

/** A post without any client's manners. */
function post(body, headers = {}) {
  return new Promise((resolve, reject) => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    const asking = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: all }, (response) => {
      let text = "";
      response.on("data", (data) => {
        text += data;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

const wipe = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wipe","arguments":{"path":"a"}}}';
const read = wipe.replace("wipe", "read");

test("what is no call passes, and a call that a rule allows reaches the server with its decision", async (t) => {
  const { client, call } = await connected(t);
  assert.equal((await client.listTools()).tools.length, 3);
  assert.equal((await call("read", "one")).content[0].text, "read ran");
  assert.ok(ran.includes("read one"));
  const decision = posts.at(-1)["x-haltgate-decision-id"];
  assert.ok((await gate.run("decisions", "list", "--json")).includes(decision), decision);
});

test("a call that a rule refuses reaches the model as a result, and not the server", async (t) => {
  const { call } = await connected(t);
  const result = await call("wipe", "all");
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /wipe/);
  assert.ok(!ran.some((line) => line.startsWith("wipe")));
});

test("a call that waits for a human is made again, and runs once when they approved it", async (t) => {
  const { call } = await connected(t);
  const waiting = await call("write", "two");
  assert.match(waiting.content[0].text, /same call again/);
  const { decisions } = JSON.parse(await gate.run("decisions", "list", "--json"));
  const { escalationId } = decisions.find((decision) => decision.escalationId);
  await gate.run("answer", escalationId, "approve");
  assert.equal((await call("write", "two")).content[0].text, "write ran");
  assert.match((await call("write", "two")).content[0].text, /same call again/);
  assert.deepEqual(ran.filter((line) => line === "write two"), ["write two"]);
});

test("Envoy hands over every byte, and what it does not hand over whole is refused", async () => {
  const before = posts.length;
  const long = read.replace('"a"', `"${"x".repeat(1_600_000)}"`);
  assert.equal((await post(long)).status, 413);
  assert.equal((await post(read, { "content-encoding": "gzip" })).status, 415);
  assert.equal((await post(Buffer.concat([Buffer.from(read), Buffer.from([0xff])]))).status, 400);
  assert.equal((await post(`${read}${wipe}`)).status, 400);
  assert.equal((await post(wipe.replace("tools/call", "Tools/Call"))).status, 200);
  assert.equal((await post(read, { "x-http-method-override": "PUT", "mcp-name": "wipe" })).status, 400);
  const denied = await post(wipe, { "x-haltgate-decision-id": "forged" });
  assert.deepEqual([denied.status, denied.headers["content-type"]], [200, "application/json"]);
  assert.equal(JSON.parse(denied.text).id, 1);
  assert.equal(posts.length, before, "none of them reached the server");
});

test("headers that speak for the gate are replaced or taken out", async () => {
  await post(read, { "x-haltgate-decision-id": "forged", "x-haltgate-role": "admin", "x-http-method-override": "PUT" });
  const seen = posts.at(-1);
  assert.match(seen["x-haltgate-decision-id"], /^[0-9a-f-]{36}$/);
  assert.equal(seen["x-haltgate-role"], undefined);
  assert.equal(seen["x-http-method-override"], undefined);
});

test("the proxy's log names the decisions", async () => {
  await post(wipe);
  for (;;) {
    const line = envoy.log.split("\n").findLast((line) => line.includes("REJECT"));
    if (line) {
      const { decisions, status } = JSON.parse(line);
      assert.equal(status, 200);
      assert.match(JSON.stringify(decisions), /decision_id/);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test("without the gate nothing is called", async () => {
  await gate.stop();
  gate = undefined;
  const before = posts.length;
  assert.equal((await post(read)).status, 503);
  assert.equal(posts.length, before);
});
