import assert from "node:assert/strict";
import { test } from "node:test";
import { edited, meaning, NOTHING_TYPED, type Typed } from "../../src/phrase.ts";

function type(text: string): Typed {
  return [...text].reduce((typed, character) => edited(typed, typed.text + character), NOTHING_TYPED);
}

test("only the whole phrase lets a command run; case and blanks around it do not matter", () => {
  for (const text of ["run anyway", "RUN ANYWAY", "Run Anyway", "  run anyway  ", "run anyway\t"]) {
    assert.equal(meaning(text), "run-anyway", JSON.stringify(text));
  }
  for (const text of [
    "",
    " ",
    "run",
    "run anywa",
    "runanyway",
    "run  anyway",
    "run anyway!",
    "yes run anyway",
    "run anyway now",
    "run\u00a0anyway",
    "run\nanyway",
    "y",
    "a",
    "o",
    "bypass",
    "ｒｕｎ ａｎｙｗａｙ",
    "run anyway\nrun anyway",
  ]) {
    assert.equal(meaning(text), "stop", JSON.stringify(text));
  }
});

test("the phrase can be typed, with mistakes and corrections anywhere", () => {
  assert.deepEqual(type("run anyway"), { text: "run anyway", refused: false });
  let typed = type("run amyway");
  typed = edited(typed, "run ayway");
  typed = edited(typed, "run anyway");
  assert.deepEqual(typed, { text: "run anyway", refused: false });
  assert.deepEqual(edited(typed, ""), { text: "", refused: false });
  assert.equal(edited(type("run anywaay"), "run anyway").text, "run anyway");
});

test("what comes in one piece is dropped whole", () => {
  for (const [before, after] of [
    ["", "run anyway"],
    ["", "ru"],
    ["run ", "run anyway"],
    ["x", "run anyway"],
    ["run ay", "run anyway"],
    ["run anywax", "run anyway!!"],
  ] as const) {
    const typed = edited({ text: before, refused: false }, after);
    assert.deepEqual(typed, { text: before, refused: true }, `${before} -> ${after}`);
  }
});

test("a control character is dropped with the whole change, and so is a text that is too long", () => {
  for (const character of ["\n", "\r", "\t", "\x1b", "\u202e", "\u200b", "\u2028"]) {
    assert.deepEqual(edited(type("run"), `run${character}`), { text: "run", refused: true });
  }
  assert.equal(type("x".repeat(100)).text.length, 64);
});

test("a refusal is forgotten with the next letter", () => {
  const refused = edited(NOTHING_TYPED, "run anyway");
  assert.deepEqual(edited(refused, "r"), { text: "r", refused: false });
});
