// The official client and the server that works on files: what the gate refuses does not happen.

import assert from "node:assert/strict";
import { access, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Gate, policy, server, text } from "./gate.js";

let gate;
let folder;
let client;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "haltgate-files-")));
  // What says that it only reads, and in a closed world, passes: the operator believes this server.
  const reads = { type: "mcpTool", server: "k", matcher: "hint", pattern: { readOnlyHint: true, openWorldHint: false } };
  const trust = { servers: { k: { trustAnnotations: ["readOnlyHint", "destructiveHint", "openWorldHint"] } } };
  gate = await Gate.start({ approvals: { mode: "manual", allow: [reads], mcp: trust } });
  client = await gate.connect("files", [server("server-filesystem"), folder]);
});

after(async () => {
  await client.close();
  await gate.stop();
  await rm(folder, { recursive: true });
});

test("reading passes by what the tool declares, and writing waits for a human", async () => {
  const path = join(folder, "notes.txt");
  await writeFile(path, "before");
  assert.equal(text(await client.callTool({ name: "read_text_file", arguments: { path } })), "before");

  const write = { name: "write_file", arguments: { path, content: "after" } };
  const refused = client.callTool(write);
  const first = await gate.answer("files", "reject");
  assert.equal((await refused).isError, true);
  assert.equal(await readFile(path, "utf8"), "before");

  const approved = client.callTool(write);
  const second = await gate.escalation("files", [first]);
  await gate.run("answer", second, "approve", "--scope", "session");
  assert.notEqual((await approved).isError, true);
  assert.equal(await readFile(path, "utf8"), "after");

  // Granted for the session.
  const other = join(folder, "other.txt");
  await client.callTool({ name: "write_file", arguments: { path: other, content: "x" } });
  await access(other);
});
