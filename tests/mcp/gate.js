// A gate of the built binary, a client behind `haltgate mcp`, and the human who answers.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));

export const haltgate = process.env.HALTGATE_BIN ?? join(here, "../../target/debug/haltgate");

/** The entry point of an installed server. */
export const server = (name) => join(here, "node_modules/@modelcontextprotocol", name, "dist/index.js");

/** This process's environment without settings of haltgate. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("HALTGATE_")));

export class Gate {
  /** Starts a gate with a policy, on a free port. */
  static async start(policy) {
    const gate = new Gate();
    gate.folder = await mkdtemp(join(tmpdir(), "haltgate-mcp-"));
    await writeFile(join(gate.folder, "haltgate.jsonc"), JSON.stringify(policy));
    gate.process = spawn(haltgate, ["serve", "--listen", "127.0.0.1:0", "--ephemeral", "--log", "warn"], {
      cwd: gate.folder,
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: gate.process.stdout })) {
      const found = /^\s*address\s+(\S+)/.exec(line);
      if (found) {
        gate.address = found[1];
        break;
      }
    }
    gate.process.stdout.resume();
    return gate;
  }

  async stop() {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once("exit", resolve));
      this.process.kill("SIGTERM");
      await ended;
    }
    await rm(this.folder, { recursive: true });
  }

  /** Runs a command of haltgate against the gate, and returns what it printed. */
  async run(...words) {
    const env = { ...environment, HALTGATE_SERVER: this.address };
    const { stdout } = await promisify(execFile)(haltgate, words, { cwd: this.folder, env });
    return stdout;
  }

  /** A client connected to a server through the proxy. */
  async connect(session, command, capabilities = {}, prepare = () => {}) {
    const client = new Client({ name: "tests", version: "1.0.0" }, { capabilities });
    prepare(client);
    const transport = new StdioClientTransport({
      command: haltgate,
      args: ["mcp", "--server-key", "k", "--session", session, "--", process.execPath, ...command],
      env: { ...environment, HALTGATE_SERVER: this.address },
      cwd: this.folder,
      stderr: "ignore",
    });
    await client.connect(transport);
    return client;
  }

  /** The escalation that waits in a session, once one does. */
  async escalation(session, seen = []) {
    for (;;) {
      const listed = JSON.parse(await this.run("decisions", "list", "--session", session, "--json"));
      const ids = (listed.decisions ?? []).map((decision) => decision.escalationId).filter(Boolean);
      const found = ids.find((id) => !seen.includes(id));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async answer(session, ...answer) {
    const id = await this.escalation(session);
    await this.run("answer", id, ...answer);
    return id;
  }
}

/** The text of a tool's result. */
export const text = (result) => result.content.map((part) => part.text).join("\n");

/** A policy under which everything asks, but what these entries let through. */
export const policy = (allow, more = {}) => ({
  approvals: {
    mode: "manual",
    allow: allow.map((pattern) => ({ type: "mcpTool", server: "k", matcher: "exact", pattern })),
    ...more,
  },
});
