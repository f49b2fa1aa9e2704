import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type AnswerOffer, AnswerOfferSchema } from "@haltgate/client/haltgate/v1/human";
import { Scope } from "@haltgate/client/haltgate/v1/vocabulary";
import { commandFor, type KeyContext, type KeyPress } from "../../src/keys.ts";
import { choices } from "../../src/offer.ts";

const EVERYTHING = create(AnswerOfferSchema, {
  approveScopes: [Scope.ONCE, Scope.SESSION, Scope.ALWAYS],
  rejectScopes: [Scope.ONCE, Scope.SESSION],
  grant: { objectText: "grant" },
  denial: { objectText: "denial" },
});

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  ...more,
});

const context = (offer: AnswerOffer | undefined, more: Partial<KeyContext> = {}): KeyContext => ({
  typing: false,
  covered: false,
  list: true,
  offered: choices(offer),
  settled: true,
  ...more,
});

const names = (offer: AnswerOffer | undefined): string =>
  choices(offer)
    .map(({ name }) => name)
    .join(" ");

test("exactly what is on offer can be answered, in the order of the menu", () => {
  assert.equal(names(EVERYTHING), "once session always no deny");
  assert.equal(
    names(create(AnswerOfferSchema, { approveScopes: [Scope.ONCE], rejectScopes: [Scope.ONCE] })),
    "once no",
  );
  assert.equal(
    names(create(AnswerOfferSchema, { ...EVERYTHING, approveScopes: [Scope.ONCE] })),
    "once no deny",
  );
});

test("what would store something is not on offer without the entry that it stores", () => {
  assert.equal(
    names(
      create(AnswerOfferSchema, {
        approveScopes: [Scope.ONCE, Scope.SESSION, Scope.ALWAYS],
        rejectScopes: [Scope.ONCE, Scope.SESSION],
      }),
    ),
    "once no",
  );
});

test("without an offer, a no is all that can be said", () => {
  assert.equal(names(undefined), "no");
});

test("each key gives its answer", () => {
  for (const [key, choice] of [
    ["o", "once"],
    ["s", "session"],
    ["a", "always"],
    ["n", "no"],
    ["d", "deny"],
  ] as const) {
    assert.deepEqual(commandFor(press(key), context(EVERYTHING)), { kind: "answer", choice });
    assert.deepEqual(commandFor(press(key.toUpperCase()), context(EVERYTHING)), { kind: "answer", choice });
  }
  assert.deepEqual(commandFor(press("j"), context(EVERYTHING)), { kind: "move", by: 1 });
  assert.deepEqual(commandFor(press("k", { repeat: true }), context(EVERYTHING)), { kind: "move", by: -1 });
  assert.deepEqual(commandFor(press("c"), context(EVERYTHING)), { kind: "comment" });
  assert.deepEqual(commandFor(press("?"), context(EVERYTHING)), { kind: "help" });
  assert.deepEqual(commandFor(press("3"), context(undefined)), { kind: "screen", index: 2 });
});

test("a key whose answer is not on offer means nothing", () => {
  const once = create(AnswerOfferSchema, { approveScopes: [Scope.ONCE], rejectScopes: [Scope.ONCE] });
  for (const key of ["s", "a", "d"]) {
    assert.equal(commandFor(press(key), context(once)), null, key);
  }
  for (const key of ["Enter", "Escape", " ", "y", "x", "5", "0", "Tab", "O k"]) {
    assert.equal(commandFor(press(key), context(EVERYTHING)), null, key);
  }
});

test("no key answers with a modifier, while held down, in a field, behind a banner, or too early", () => {
  for (const key of ["o", "s", "a", "n", "d"]) {
    assert.equal(commandFor(press(key, { ctrlKey: true }), context(EVERYTHING)), null);
    assert.equal(commandFor(press(key, { metaKey: true }), context(EVERYTHING)), null);
    assert.equal(commandFor(press(key, { altKey: true }), context(EVERYTHING)), null);
    assert.equal(commandFor(press(key, { repeat: true }), context(EVERYTHING)), null);
    assert.equal(commandFor(press(key), context(EVERYTHING, { typing: true })), null);
    assert.equal(commandFor(press(key), context(EVERYTHING, { covered: true })), null);
    assert.equal(commandFor(press(key), context(EVERYTHING, { settled: false })), null);
    assert.equal(commandFor(press(key), context(EVERYTHING, { list: false })), null);
  }
});
