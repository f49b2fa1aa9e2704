// What the browser tests share: the real server, an agent that talks gRPC to it, and a real Chromium.

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ApprovalGate } from "@haltgate/client/haltgate/v1/approval_gate";
import type {
  DecideRequest,
  DecideRequestSchema,
  DecideResponse,
} from "@haltgate/client/haltgate/v1/decision";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";

const ROOT = process.env.CONSOLE_ROOT ?? ".";
const BINARY = process.env.HALTGATE_BIN ?? join(ROOT, "../../target/debug/haltgate");
const CHROMIUM = process.env.CHROMIUM_BIN ?? "/usr/bin/chromium";
// While the page is worked on: dist/ takes the place of the page that is built into the server.
const FROM_DIST = process.env.CONSOLE_FROM_DIST === "1";
// Where pictures of the screens go. Empty: none are taken.
const PICTURES = process.env.CONSOLE_PICTURES ?? "";

export type Agent = Client<typeof ApprovalGate>;

// A server of our own. It can be stopped and started again on the same port and, with a store, with the same memory.
export class Server {
  private process: ChildProcess | null = null;
  private said = "";

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly kept: boolean,
  ) {}

  // `kept` gives it a store on disk; without one it forgets everything when it stops.
  // `prepare` is called with the server's folder before it starts.
  static async start(
    policy: object,
    { kept = false, prepare = (_folder: string): void => undefined } = {},
  ): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), "haltgate-console-"));
    await writeFile(join(folder, "haltgate.jsonc"), JSON.stringify(policy));
    prepare(folder);
    const server = new Server(folder, await freePort(), kept);
    await server.up();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  // An agent, with a token where the server wants one.
  agent(token = ""): Agent {
    const show: Interceptor = (next) => (request) => {
      if (token !== "") {
        request.header.set("authorization", `Bearer ${token}`);
      }
      return next(request);
    };
    const options = { baseUrl: this.url, defaultTimeoutMs: 30_000, interceptors: [show] };
    return createClient(ApprovalGate, createGrpcTransport(options));
  }

  // Makes a token, or does whatever else `haltgate token` does with the server's configuration.
  static token(folder: string, ...words: string[]): string {
    const config = join(folder, "haltgate.jsonc");
    const env = { PATH: process.env.PATH ?? "" };
    return execFileSync(BINARY, ["token", ...words, "--config", config], { env, encoding: "utf8" }).trim();
  }

  async up(): Promise<void> {
    const store = this.kept ? ["--store", join(this.folder, "gate.db")] : ["--ephemeral"];
    const child = spawn(
      BINARY,
      [
        "serve",
        "--listen",
        `127.0.0.1:${this.port}`,
        "--config",
        join(this.folder, "haltgate.jsonc"),
        ...store,
      ],
      { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env.PATH ?? "" } },
    );
    this.process = child;
    this.said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => {
        this.said += text;
      });
    }
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    await Promise.race([failed, eventually("the server is up", () => this.answers())]);
  }

  async down(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.process;
    this.process = null;
    if (child === null || child.exitCode !== null) {
      return;
    }
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill(signal);
    await gone;
  }

  async end(): Promise<void> {
    await this.down("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    if (this.process?.exitCode !== null) {
      throw new Error(`the server ended: ${this.said}`);
    }
    try {
      return (await fetch(this.url)).ok;
    } catch {
      return false;
    }
  }
}

export async function browser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

// A page on the console. Whatever it complains of, and whatever it asks of anybody else, fails the test.
export interface Console {
  readonly page: Page;
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function open(
  chromiumOf: Browser,
  url: string,
  options: BrowserContextOptions = {},
  path = "/",
): Promise<Console> {
  const context = await chromiumOf.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(10_000);
  if (FROM_DIST) {
    await servedFromDist(context, url);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // That a server is away is said by the browser, and meant by the tests that stop it.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) {
      complaints.push(`asks ${request.url()}`);
    }
  });
  await page.goto(url + path);
  return {
    page,
    complaints,
    close: async () => {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

export const FILES = [
  ["/", "index.html", "text/html; charset=utf-8"],
  ["/app.js", "app.js", "text/javascript; charset=utf-8"],
  ["/app.css", "app.css", "text/css; charset=utf-8"],
  ["/icon.svg", "icon.svg", "image/svg+xml"],
] as const;

export function built(name: string): Promise<string> {
  return readFile(join(ROOT, "dist", name), "utf8");
}

async function servedFromDist(context: BrowserContext, url: string): Promise<void> {
  for (const [path, name, contentType] of FILES) {
    await context.route(url + path, async (route) => {
      // As the server would: not at all, while it is down, and with its headers.
      const body = await built(name);
      await route
        .fetch()
        .then((response) => route.fulfill({ response, contentType, body }))
        .catch(() => route.abort().catch(() => undefined));
    });
  }
}

// Waits until the page says that it is connected.
export async function live(page: Page): Promise<void> {
  await page.locator(".status-live").waitFor();
}

export function shell(
  agent: Agent,
  sessionId: string,
  command: string,
  more: Exclude<MessageInitShape<typeof DecideRequestSchema>, DecideRequest> = {},
): Promise<DecideResponse> {
  return agent.decide({ sessionId, call: { kind: { case: "shell", value: { command } } }, ...more });
}

// Any text whatsoever in one simple command, which nobody can tell to be safe.
export function quoted(text: string): string {
  return `mend '${text.replaceAll("'", `'\\''`)}'`;
}

// Holds the page's clock, so that a key comes too early for what appears now, however slow the machine is. Returns what lets
// it go on.
export async function held(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const now = performance.now();
    Object.defineProperty(performance, "now", { configurable: true, value: () => now });
  });
  return () =>
    page.evaluate(() => {
      Reflect.deleteProperty(performance, "now");
    });
}

export async function eventually(
  what: string,
  check: () => Promise<boolean> | boolean,
  seconds = 15,
): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await check()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it did not happen within ${seconds} s: ${what}`);
}

// The faults that axe finds on the page, in words.
export async function faults(page: Page): Promise<string[]> {
  const source = await readFile(new URL(import.meta.resolve("axe-core")), "utf8");
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(
          root: Document,
          options: object,
        ): Promise<{
          violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ""}`,
      ),
    );
  });
}

export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== "") {
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

export const POLICY = {
  approvals: {
    mode: "assisted",
    deny: [{ type: "shell", matcher: "glob", pattern: "git push*--force*" }],
    escalate: [{ type: "shell", matcher: "glob", pattern: "terraform *" }],
    allow: [{ type: "shell", matcher: "exact", pattern: "npm test" }],
  },
};
