// A real gate in a folder of its own, which a test starts, kills and starts again.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const binary = process.env.HALTGATE_BIN;

export class Server {
  address = "";
  private process: ChildProcess | undefined;

  private constructor(readonly folder: string) {}

  static async start(configuration: unknown): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), "haltgate-typescript-")));
    await writeFile(join(server.folder, "haltgate.jsonc"), JSON.stringify(configuration));
    try {
      await server.start();
    } catch (thrown) {
      await server.remove();
      throw thrown;
    }
    return server;
  }

  // Where it listened before, if it did.
  async start(): Promise<void> {
    if (binary === undefined) {
      throw new Error("HALTGATE_BIN must name the server's program");
    }
    const listen = this.address === "" ? "127.0.0.1:0" : this.address;
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith("HALTGATE_")),
    );
    const said = await open(join(this.folder, "stderr"), "a");
    const started = spawn(binary, ["serve", "--listen", listen], {
      cwd: this.folder,
      env,
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
