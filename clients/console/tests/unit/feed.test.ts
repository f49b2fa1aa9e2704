import assert from "node:assert/strict";
import { test } from "node:test";
import {
  connected,
  emptyFeed,
  type FeedChange,
  type FeedMessage,
  type FeedState,
  received,
  startedOver,
} from "../../src/feed.ts";

type Message = FeedMessage<string>;

const raised = (id: string, cursor = ""): Message => ({
  kind: "raised",
  cursor,
  id,
  item: `item ${id}`,
  waits: true,
});
const settled = (id: string, cursor: string): Message => ({
  kind: "settled",
  cursor,
  id,
  item: `settled ${id}`,
});
const end = (cursor: string): Message => ({ kind: "snapshot-end", cursor });
const nothing = (cursor: string): Message => ({ kind: "nothing", cursor });

function run(
  state: FeedState<string>,
  ...messages: Message[]
): { state: FeedState<string>; changes: string[] } {
  const changes: FeedChange<string>[] = [];
  let current = state;
  for (const message of messages) {
    const next = received(current, message);
    current = next.state;
    changes.push(...next.changes);
  }
  return { state: current, changes: changes.map(({ kind, id }) => `${kind} ${id}`) };
}

test("a feed begins with what is open, and changes follow", () => {
  const begun = run(
    connected(emptyFeed<string>()),
    raised("a"),
    raised("b"),
    end("1"),
    raised("c", "2"),
    settled("a", "3"),
  );
  assert.deepEqual(begun.changes, ["added a", "added b", "added c", "settled a"]);
  assert.deepEqual([...begun.state.open.keys()], ["b", "c"]);
  assert.equal(begun.state.cursor, "3");
});

test("every message moves the cursor, and one without a cursor keeps it", () => {
  const { state } = run(connected(emptyFeed<string>()), end("1"), nothing("2"), {
    kind: "resume-hint",
    cursor: "",
    draining: true,
  });
  assert.equal(state.cursor, "2");
});

test("a snapshot that was cut off leaves no cursor, so that the next one begins anew", () => {
  const cut = run(connected(emptyFeed<string>()), raised("a"), raised("b"));
  assert.equal(cut.state.cursor, "");
  const again = run(connected(cut.state), raised("b"), end("1"));
  assert.deepEqual(again.changes, ["gone a"]);
  assert.deepEqual([...again.state.open.keys()], ["b"]);
});

test("a resumed feed keeps what is open and is told nothing twice", () => {
  const before = run(connected(emptyFeed<string>()), raised("a"), end("1"));
  const after = run(connected(before.state), raised("b", "2"));
  assert.deepEqual(after.changes, ["added b"]);
  assert.deepEqual([...after.state.open.keys()], ["a", "b"]);
});

test("after a cursor that is too old, what is still open stays and what is not goes", () => {
  const before = run(connected(emptyFeed<string>()), raised("a"), raised("b"), end("1"));
  const over = connected(startedOver(before.state));
  assert.equal(over.cursor, "");
  assert.deepEqual([...over.open.keys()], ["a", "b"], "nothing flickers while the snapshot is under way");
  const after = run(over, raised("b"), raised("c"), end("9"));
  assert.deepEqual(after.changes, ["added c", "gone a"]);
  assert.deepEqual([...after.state.open.keys()], ["b", "c"]);
});

test("what was settled while a snapshot was under way does not come back", () => {
  const { state, changes } = run(connected(emptyFeed<string>()), raised("a"), settled("a", ""), end("1"));
  assert.deepEqual(changes, ["added a", "settled a"]);
  assert.equal(state.open.size, 0);
});

test("what needs no answer is told and never open", () => {
  const told: Message = { kind: "raised", cursor: "2", id: "h", item: "halt", waits: false };
  const { state, changes } = run(connected(emptyFeed<string>()), end("1"), told);
  assert.deepEqual(changes, ["told h"]);
  assert.equal(state.open.size, 0);
});

test("a random feed, cut and resumed at random, tells each event once", () => {
  let seed = 7;
  const next = (bound: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % bound;
  };
  for (let round = 0; round < 200; round += 1) {
    // The server's log: each event has its position as its cursor.
    const log: Message[] = [];
    const open: string[] = [];
    let state = emptyFeed<string>();
    const told: string[] = [];
    let position = 0;
    const listen = (count: number): void => {
      state = connected(state);
      const messages: Message[] = [];
      if (state.cursor === "") {
        position = log.length;
        messages.push(...open.map((id) => raised(id)), end(`at ${position}`));
      } else {
        position = Number(state.cursor.slice(3));
      }
      messages.push(...log.slice(position));
      const result = run(state, ...messages.slice(0, count));
      state = result.state;
      told.push(...result.changes);
    };
    for (let event = 0; event < 30; event += 1) {
      const cursor = `at ${log.length + 1}`;
      if (open.length > 0 && next(2) === 0) {
        const [id = ""] = open.splice(next(open.length), 1);
        log.push(settled(id, cursor));
      } else {
        open.push(`e${event}`);
        log.push(raised(`e${event}`, cursor));
      }
      if (next(3) === 0) {
        listen(next(4));
      }
    }
    listen(Number.POSITIVE_INFINITY);
    assert.deepEqual([...state.open.keys()].sort(), [...open].sort());
    assert.equal(new Set(told).size, told.length, `told twice: ${told.join(", ")}`);
  }
});
