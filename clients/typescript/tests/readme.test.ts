import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Server } from "./support/server.js";

let server: Server;

before(async () => {
  server = await Server.start({});
});

after(async () => {
  await server.remove();
});

async function run(file: string): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, HALTGATE_TARGET: server.address };
  const program = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  program.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const code = await new Promise<number | null>((resolve) => program.once("close", resolve));
  return { code, said };
}

test("the first example of the README runs", async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(readFileSync("README.md", "utf8"))?.[1];
  assert.ok(example);
  // Inside the package, so that its name is known.
  const folder = join(".tests", "readme");
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(join(folder, "first.mjs"), example);
    assert.deepEqual(await run(join(folder, "first.mjs")), { code: 0, said: "run it\n" });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the example agent runs what is approved, tells its model of rejections, and stops at a halt", async () => {
  const { code, said } = await run(join(".tests", "examples", "agent.js"));
  assert.equal(code, 1);
  const lines = said.trim().split("\n");
  assert.equal(lines[0], "model was told: begin");
  assert.equal(lines[1], "model was told: hello");
  assert.equal(lines.at(-1), "the run was halted");
  assert.ok(!said.includes("never"));
});
