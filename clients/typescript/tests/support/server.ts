// A real gate in a folder of its own, which a test starts, kills and starts again.

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

function binary(): string {
  const { HALTGATE_BIN: path } = process.env;
  if (path === undefined) {
    throw new Error("HALTGATE_BIN must name the server's program");
  }
  return path;
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("HALTGATE_")));
}

export class Server {
  address = "";
  /** A token for each of the roles that it was started with. */
  readonly tokens: Record<string, string> = {};
  private process: ChildProcess | undefined;

  private constructor(readonly folder: string) {}

  static async start(configuration: unknown, ...roles: string[]): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), "haltgate-typescript-")));
    await writeFile(join(server.folder, "haltgate.jsonc"), JSON.stringify(configuration));
    try {
      for (const role of roles) {
        const named = ["--name", role, "--role", role, "--project", "default"];
        server.tokens[role] = await server.token("create", ...named);
      }
      await server.start();
    } catch (thrown) {
      await server.remove();
      throw thrown;
    }
    return server;
  }

  /** Runs `haltgate token` over `tokens.json`, and gives what it prints. */
  async token(command: string, ...given: string[]): Promise<string> {
    const options = { cwd: this.folder, env: environment() };
    const all = ["token", command, "--file", "tokens.json", ...given];
    return (await promisify(execFile)(binary(), all, options)).stdout.trim();
  }

  // Where it listened before, if it did.
  async start(): Promise<void> {
    const listen = this.address === "" ? "127.0.0.1:0" : this.address;
    const said = await open(join(this.folder, "stderr"), "a");
    const started = spawn(binary(), ["serve", "--listen", listen], {
      cwd: this.folder,
      env: environment(),
      stdio: ["ignore", "pipe", said.fd],
    });
    await said.close();
    this.process = started;
    assert.ok(started.stdout);
    const lines = createInterface({ input: started.stdout });
    this.address = await new Promise<string>((resolve, reject) => {
      lines.on("line", (line) => {
        const [word, address] = line.trim().split(/\s+/);
        if (word === "address" && address !== undefined) {
          resolve(address);
        }
      });
      started.once("error", reject);
      started.once("exit", async () => reject(new Error(`the server ended:\n${await this.said()}`)));
    });
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ended = this.process;
    this.process = undefined;
    if (ended !== undefined && ended.exitCode === null && ended.signalCode === null) {
      const gone = new Promise((resolve) => ended.once("exit", resolve));
      ended.kill(signal);
      await gone;
    }
  }

  async remove(): Promise<void> {
    await this.end("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  private said(): Promise<string> {
    return readFile(join(this.folder, "stderr"), "utf8");
  }
}
