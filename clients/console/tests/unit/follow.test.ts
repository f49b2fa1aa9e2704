import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedMessage } from "../../src/feed.ts";
import { type Ending, Follow, type Link, SILENCE, waitBefore } from "../../src/follow.ts";

// One connection as the server would serve it: messages, then an end.
interface Script {
  readonly messages: readonly FeedMessage<string>[];
  readonly closing: "end" | "hang" | Ending;
}

class Failure extends Error {
  constructor(readonly ending: Ending) {
    super("scripted");
  }
}

const end = (cursor: string): FeedMessage<string> => ({ kind: "snapshot-end", cursor });
const raised = (id: string, cursor = ""): FeedMessage<string> => ({
  kind: "raised",
  cursor,
  id,
  item: id,
  waits: true,
});
const failed: Ending = { kind: "failed", problem: "no server", after: 0 };

// A clock that stands until it is moved, and a server that follows a script.
function stage(scripts: readonly Script[]) {
  let now = 0;
  const timers: { at: number; go: () => void; signal: AbortSignal }[] = [];
  const opened: string[] = [];
  const links: string[] = [];
  const changes: string[] = [];
  const follow = new Follow<string>({
    async *open(after, signal, accepted) {
      const script = scripts[opened.length];
      opened.push(after);
      if (script === undefined) {
        follow.stop();
        return;
      }
      if (script.closing === "hang" || script.closing === "end" || script.messages.length > 0) {
        accepted();
      }
      yield* script.messages;
      if (script.closing === "hang") {
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted"))),
        );
      } else if (script.closing !== "end") {
        throw new Failure(script.closing);
      }
    },
    ending: (thrown) => (thrown instanceof Failure ? thrown.ending : failed),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        timers.push({ at: now + milliseconds, go: resolve, signal });
        signal.addEventListener("abort", () => resolve());
      }),
    now: () => now,
    random: () => 1,
    changed: (list) => changes.push(...list.map(({ kind, id }) => `${kind} ${id}`)),
    linked: (link) => links.push(words(link)),
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) {
      await Promise.resolve();
    }
  };
  return {
    follow,
    opened,
    links,
    changes,
    settle,
    async pass(milliseconds: number): Promise<void> {
      now += milliseconds;
      for (const timer of timers.filter(({ at, signal }) => at <= now && !signal.aborted)) {
        timer.at = Number.POSITIVE_INFINITY;
        timer.go();
      }
      await settle();
    },
  };
}

function words(link: Link): string {
  return link.state === "waiting" ? `waiting ${link.attempt} until ${link.until}` : link.state;
}

test("waits double, are spread by chance, and end at fifteen seconds", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 40].map((attempt) => waitBefore(attempt, 1)),
    [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000],
  );
  assert.equal(waitBefore(2, 0), 500);
});

test("a lost connection is resumed behind the last cursor, later after each failure", async () => {
  const { follow, opened, links, changes, settle, pass } = stage([
    { messages: [raised("a"), end("1"), raised("b", "2")], closing: failed },
    { messages: [], closing: failed },
    { messages: [], closing: failed },
    { messages: [raised("c", "3")], closing: "hang" },
  ]);
  void follow.run();
  await settle();
  assert.deepEqual(opened, [""]);
  assert.deepEqual(links, ["connecting", "live", "waiting 1 until 500"]);
  await pass(499);
  assert.deepEqual(opened, [""]);
  await pass(1);
  assert.deepEqual(opened, ["", "2"]);
  await pass(1000);
  await pass(2000);
  assert.deepEqual(opened, ["", "2", "2", "2"]);
  assert.deepEqual(changes, ["added a", "added b", "added c"]);
  assert.equal(links.at(-1), "live");
  follow.stop();
});

test("a message ends the row of failures", async () => {
  const { follow, links, settle, pass } = stage([
    { messages: [], closing: failed },
    { messages: [end("1")], closing: failed },
    { messages: [], closing: "hang" },
  ]);
  void follow.run();
  await settle();
  await pass(500);
  assert.equal(links.at(-1), "waiting 1 until 1000");
  follow.stop();
});

test("a refused cursor is dropped at once, and again only after a pause", async () => {
  const refused: Ending = { kind: "cursor-refused", problem: "too old" };
  const { follow, opened, links, settle, pass } = stage([
    { messages: [end("1")], closing: refused },
    { messages: [], closing: refused },
    { messages: [end("9")], closing: "hang" },
  ]);
  void follow.run();
  await settle();
  assert.deepEqual(opened, ["", ""]);
  assert.match(links.at(-1) ?? "", /^waiting 2/);
  await pass(1000);
  assert.deepEqual(opened, ["", "", ""]);
  assert.equal(links.at(-1), "live");
  follow.stop();
});

test("a server that asks to be called again is called again behind the hint", async () => {
  const { follow, opened, settle, pass } = stage([
    {
      messages: [end("1"), { kind: "resume-hint", cursor: "2", draining: true }, raised("never", "3")],
      closing: "hang",
    },
    { messages: [], closing: "hang" },
  ]);
  void follow.run();
  await settle();
  assert.deepEqual(opened, [""]);
  await pass(500);
  assert.deepEqual(opened, ["", "2"]);
  follow.stop();
});

test("a server that asks for patience gets it", async () => {
  const { follow, links, settle } = stage([
    { messages: [], closing: { kind: "failed", problem: "busy", after: 4321 } },
  ]);
  void follow.run();
  await settle();
  assert.equal(links.at(-1), "waiting 1 until 4321");
  follow.stop();
});

test("without a token nothing is tried until there is one", async () => {
  const { follow, opened, links, settle, pass } = stage([
    { messages: [], closing: { kind: "token-needed", problem: "who are you?" } },
    { messages: [end("1")], closing: "hang" },
  ]);
  void follow.run();
  await settle();
  await pass(10_000_000);
  assert.deepEqual(opened, [""]);
  assert.equal(links.at(-1), "token-needed");
  follow.retry();
  await settle();
  assert.deepEqual(opened, ["", ""]);
  assert.equal(links.at(-1), "live");
  follow.stop();
});

test("a connection that falls silent is given up and resumed", async () => {
  const { follow, opened, links, settle, pass } = stage([
    { messages: [end("1")], closing: "hang" },
    { messages: [], closing: "hang" },
  ]);
  void follow.run();
  await settle();
  await pass(SILENCE - 1);
  assert.equal(links.at(-1), "live");
  await pass(1);
  assert.match(links.at(-1) ?? "", /^waiting 1/);
  await pass(500);
  assert.deepEqual(opened, ["", "1"]);
  follow.stop();
});

test("after it was stopped, nothing is opened and nothing is said", async () => {
  const { follow, opened, links, settle, pass } = stage([{ messages: [end("1")], closing: "hang" }]);
  void follow.run();
  await settle();
  follow.stop();
  await settle();
  const said = links.length;
  await pass(100_000);
  assert.deepEqual(opened, [""]);
  assert.equal(links.length, said);
});
