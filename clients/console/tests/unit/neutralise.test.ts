import assert from "node:assert/strict";
import { test } from "node:test";
import { logicalLines, neutralise, oneLine } from "../../src/neutralise.ts";

test("what cannot be seen is shown by its number, and what can be seen stays", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["git push --force", "git push --force"],
    ["", ""],
    ["\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"],
    ["a\tb\r\nc", "a\\x09b\\x0d\\x0ac"],
    ["\x7f\x80\x9b", "\\x7f\\x80\\x9b"],
    ["safe\u202egpj.exe", "safe\\u202egpj.exe"],
    ["a\u2066b\u2069", "a\\u2066b\\u2069"],
    ["zero\u200bwidth\u200d\ufeff", "zero\\u200bwidth\\u200d\\ufeff"],
    ["no\u00a0break\u2028line", "no\\xa0break\\u2028line"],
    ["soft\u00adhyphen", "soft\\xadhyphen"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["private\ue000", "private\\ue000"],
    ["Hangul filler \u3164", "Hangul filler \\u3164"],
    ["Braille \u2800", "Braille \\u2800"],
    ["Zürich 東京 שלום", "Zürich 東京 שלום"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ];
  for (const [text, shown] of cases) {
    assert.equal(neutralise(text), shown, JSON.stringify(text));
  }
});

test("the coloured form of an emoji stays, and its selector alone does not", () => {
  assert.equal(neutralise("⚠\ufe0f"), "⚠\ufe0f");
  assert.equal(neutralise("1\ufe0f\u20e3"), "1\ufe0f\u20e3");
  assert.equal(neutralise("1\ufe0f"), "1\\ufe0f");
  assert.equal(neutralise("a\ufe0f"), "a\\ufe0f");
  assert.equal(neutralise("\ufe0f"), "\\ufe0f");
});

test("a base carries four marks, and nothing carries none", () => {
  assert.equal(neutralise("e\u0301"), "e\u0301");
  assert.equal(neutralise("e\u0301\u0301\u0301\u0301\u0301"), "e\u0301\u0301\u0301\u0301\\u0301");
  assert.equal(neutralise("\u0301"), "\\u0301");
  assert.equal(neutralise(" \u0301"), " \\u0301");
  assert.equal(neutralise("\x00\u0301"), "\\x00\\u0301");
});

test("whatever goes in, nothing that cannot be seen comes out, and a second pass changes nothing", () => {
  let seed = 1;
  const next = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed;
  };
  const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]|(?! )\p{Zs}/u;
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: 1 + (next() % 12) }, () => {
      const kind = next() % 4;
      const bound = kind === 0 ? 0xa0 : kind === 1 ? 0x3000 : kind === 2 ? 0x10000 : 0x10ffff;
      return String.fromCodePoint(next() % bound);
    }).join("");
    const shown = neutralise(text);
    assert.doesNotMatch(shown, unseen, JSON.stringify(text));
    assert.equal(neutralise(shown), shown, JSON.stringify(text));
  }
});

test("in one line, a line break shows as its number and blanks collapse", () => {
  assert.equal(oneLine("  a\nb   c  "), "a\\x0ab c");
  assert.equal(oneLine("   "), "");
});

test("lines are those of the author", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", [""]],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["a\r\nb", ["a", "b"]],
    ["a\rb", ["a\rb"]],
    ["a\r", ["a\r"]],
    ["a\r\n", ["a"]],
    ["\n", [""]],
  ];
  for (const [text, lines] of cases) {
    assert.deepEqual(logicalLines(text), lines, JSON.stringify(text));
  }
});
