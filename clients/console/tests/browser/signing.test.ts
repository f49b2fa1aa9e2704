// Signing in and out, against the real server with tokens of its own.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { browser, type Console, faults, live, open, Server, shell } from "./support.ts";

let chromium: Browser;
let server: Server;
let shown: Console;
let page: Page;
let folder = "";
let operator = "";
let agent = "";
let other = "";

const make = (name: string, role: string): string =>
  Server.token(folder, "create", "--name", name, "--role", role, "--project", "*");

before(async () => {
  chromium = await browser();
});
after(() => chromium.close());
beforeEach(async () => {
  server = await Server.start(
    { auth: { tokens_file: "tokens.json" }, approvals: { mode: "manual" } },
    {
      prepare: (made) => {
        folder = made;
        operator = make("ana", "admin");
        agent = make("ci", "agent");
        other = make("bo", "admin");
      },
    },
  );
  shown = await open(chromium, server.url);
  page = shown.page;
});
afterEach(async () => {
  await shown.close();
  await server.end();
});

async function signIn(token: string): Promise<void> {
  await page.getByRole("dialog", { name: "Sign in" }).waitFor();
  await page.locator("#token").fill(token);
  await page.keyboard.press("Enter");
}

test("who signs in sees what waits, and answers it", async () => {
  await signIn(operator);
  await live(page);
  const id = operator.split("_")[1];
  await page.getByText(`Signed in with token ${id}`).waitFor();
  const asked = shell(server.agent(agent), "s", "make all", { wait: true });
  await page.locator(".item").waitFor();
  await page.getByRole("button", { name: "Once" }).click();
  assert.equal((await asked).action, 1);
  assert.doesNotMatch(page.url(), /haltgate_/);
  assert.deepEqual(await faults(page), []);
});

test("a token that is revoked signs out while the page is open", async () => {
  await signIn(operator);
  await live(page);
  Server.token(folder, "revoke", operator.split("_")[1] ?? "");
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("does not accept the token").waitFor();
  await signIn(other);
  await live(page);
});
