// What the real server cannot be made to do at will, against one that plays a script.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Verdict } from "@haltgate/client/haltgate/v1/human";
import { Outcome, RatingSource } from "@haltgate/client/haltgate/v1/rating";
import { DecisionRecordSchema } from "@haltgate/client/haltgate/v1/records";
import { Action, Scope, Stage } from "@haltgate/client/haltgate/v1/vocabulary";
import type { Browser, Page } from "playwright-core";
import { StandIn } from "./standin.ts";
import { browser, type Console, eventually, faults, live, open, picture } from "./support.ts";

let chromium: Browser;
let server: StandIn;
let shown: Console;
let page: Page;

before(async () => {
  chromium = await browser();
});
after(() => chromium.close());
beforeEach(async () => {
  server = await StandIn.start();
  shown = await open(chromium, server.url);
  page = shown.page;
  await live(page);
});
afterEach(async () => {
  await shown.close();
  server.end();
});

const command = (text: string) => ({
  call: { kind: { case: "shell", value: { command: text } } } as const,
  subject: { kind: { case: "shell", value: { command: text } } } as const,
  prompt: {
    headline: 'The agent wants to run a shell command via "sh".',
    framedLines: ['The agent wants to run a shell command via "sh".', `  1 │ ${text}`],
  },
});

test("a feed that is cut is resumed behind the last message", async () => {
  server.raiseEscalation(command("make one"));
  await page.locator(".item").waitFor();
  server.opened.length = 0;
  server.cut();
  await eventually("both feeds are resumed", () => server.opened.length === 2);
  assert.ok(server.opened.every((cursor) => /^c\d+$/.test(cursor)));
  await live(page);
  assert.equal(await page.locator(".item").count(), 1);
});

test("a cursor that is too old begins the feed anew, and what is gone goes", async () => {
  server.raiseEscalation(command("make one"));
  server.raiseEscalation(command("make two"));
  await page.locator(".item").nth(1).waitFor();
  server.tooOld = true;
  server.opened.length = 0;
  server.cut();
  server.settleEscalation("e1", "withdrawn");
  server.raiseEscalation(command("make three"));
  await page.locator(".item", { hasText: "make three" }).waitFor();
  await eventually("what is gone goes", async () => (await page.locator(".item").count()) === 2);
  await eventually(
    "both feeds begin anew",
    () => server.opened.filter((cursor) => cursor === "").length === 2,
  );
  await page.getByText("This was settled while the connection was down.").waitFor();
  assert.equal(await page.locator(".choice").count(), 0);
  await live(page);
});

test("who answers second is told what holds", async () => {
  server.raiseEscalation(command("make one"));
  await page.locator(".item").waitFor();
  server.refusal = {
    reason: "ALREADY_ANSWERED",
    metadata: { verdict: "VERDICT_REJECT", scope: "SCOPE_ONCE", answered_by: "ana@example.com\u202e" },
  };
  await page.getByRole("button", { name: "Once" }).click();
  await page.locator(".outcome", { hasText: "VERDICT_REJECT by ana@example.com\\u202e" }).waitFor();
  assert.equal(await page.locator(".choice").count(), 0);
});

test("a token is asked for, kept in this tab alone, and forgotten when somebody signs out", async () => {
  server.token = "s3cret";
  server.cut();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.waitFor();
  await page.locator(".status-token-needed").waitFor();
  await page.locator("#token").fill("wrong");
  await page.keyboard.press("Enter");
  await dialog.getByText("does not accept the token").waitFor();
  await page.locator("#token").fill("s3cret");
  await page.keyboard.press("Enter");
  await live(page);
  server.raiseEscalation(command("make one"));
  await page.locator(".item").waitFor();
  await page.getByRole("button", { name: "Once" }).click();
  await eventually("it is answered", () => server.answers.length === 1);
  const kept = () =>
    page.evaluate(() => ({
      everywhere: localStorage.length,
      here: Object.values(sessionStorage),
      cookie: document.cookie,
      address: location.href,
      text: document.body.textContent,
    }));
  const now = await kept();
  assert.deepEqual([now.everywhere, now.here, now.cookie], [0, ["s3cret"], ""]);
  assert.doesNotMatch(now.address + now.text, /s3cret/);
  // The tab keeps it over a reload.
  await page.reload();
  await live(page);
  await page.getByText("Signed in with a token").waitFor();
  assert.deepEqual(await faults(page), []);
  await page.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByText("Paste your token").waitFor();
  assert.deepEqual((await kept()).here, []);
  assert.deepEqual(await faults(page), []);
});

test("a rating is told in words: an argument at auto, and what cannot be undone", async () => {
  server.raiseEscalation({
    ...command("terraform destroy -auto-approve"),
    stage: Stage.RATER,
    rating: { outcome: Outcome.CATASTROPHIC, reason: "It destroys what only a backup brings back." },
    negotiation: { attempts: 3, rounds: [{ command: "terraform destroy", reason: "no" }] },
    prompt: {
      headline: 'The agent wants to run a shell command via "sh".',
      framedLines: [
        'The agent wants to run a shell command via "sh".',
        "  1 │ terraform destroy -auto-approve",
        "⛔ Auto-rater (catastrophic): undoing this would take something that the session",
        "    does not have, such as a backup or another person.",
        "  1 │ It destroys what only a backup brings back.",
        "3 attempts were turned down before:",
        "Round 1, the agent wanted:",
        "  1 │ terraform destroy",
        "It said:",
        "  1 │ the stack is mine",
        "The rater said:",
        "  1 │ no",
      ],
    },
  });
  await page.locator(".item").waitFor();
  const text = (await page.locator(".question").textContent()) ?? "";
  for (const part of [
    "catastrophic",
    "undoing this would take something that the session does not have",
    "3 attempts were turned down before:",
    "Round 1, the agent wanted:",
    "the stack is mine",
    "The rater said:",
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.equal(await page.locator(".rating.tone-danger").count(), 1);
  assert.deepEqual(await faults(page), []);
  await picture(page, "negotiation-light");
});

test("a value that this page does not know is shown as unknown, and refuses nothing else", async () => {
  server.raiseEscalation({
    ...command("make one"),
    stage: 99 as Stage,
    rating: { outcome: 99 as Outcome, reason: "?" },
    offer: { approveScopes: [Scope.ONCE, 99 as Scope], rejectScopes: [Scope.ONCE] },
  });
  await page.locator(".badge", { hasText: "unknown (99)" }).first().waitFor();
  assert.equal(await page.locator(".choice").count(), 2);
  await page.getByRole("button", { name: "No", exact: true }).click();
  await eventually("it is answered", () => server.answers.length === 1);
  assert.equal(server.answers[0]?.verdict, Verdict.REJECT);
});

test("what a model was asked, and what it said, is shown with its decision", async () => {
  const { call, subject } = command("make one");
  server.records = [
    create(DecisionRecordSchema, {
      call,
      subject,
      recordId: "r1",
      decisionId: "r1",
      action: Action.REJECT,
      stage: Stage.RATER,
      rating: {
        outcome: Outcome.DESTRUCTIVE,
        reason: "It may.",
        source: RatingSource.MODEL,
        model: "openai/m",
      },
      ratingAttempt: {
        model: "openai/m",
        modelOutcome: Outcome.SAFE,
        attempts: 2,
        userPrompt: "judge\u202e this",
        rawResponse: '{"outcome":"safe"}',
      },
    }),
  ];
  await page.keyboard.press("3");
  await page.locator(".item").click();
  await page.getByRole("heading", { name: "What the model was asked" }).waitFor();
  await page.getByText("The question", { exact: true }).click();
  await page.getByText("judge\\u202e this").waitFor();
  assert.deepEqual(await faults(page), []);
});

test("a third tab leaves the connections to two, takes a place when asked, and gets one when it is free", async () => {
  const second = await page.context().newPage();
  await second.goto(server.url);
  await live(second);
  const third = await page.context().newPage();
  await third.goto(server.url);
  const elsewhere = (tab: Page) => tab.locator(".status", { hasText: "Followed in other tabs" });
  await elsewhere(third).waitFor();
  assert.deepEqual(await faults(third), []);
  server.raiseEscalation(command("make one"));
  await second.locator(".item").waitFor();
  assert.equal(await third.locator(".item").count(), 0);
  await third.getByRole("heading", { name: "This tab does not follow along" }).waitFor();
  await third.getByRole("button", { name: "Follow here" }).click();
  await live(third);
  await third.locator(".item").waitFor();
  const gone = async (tab: Page): Promise<boolean> => (await elsewhere(tab).count()) === 1;
  await eventually("one of the two has left", async () => (await gone(page)) || (await gone(second)));
  const left = (await gone(page)) ? page : second;
  await left.getByRole("button", { name: "Follow here" }).waitFor();
  await third.close();
  await live(left);
  await left.locator(".item").waitFor();
});
