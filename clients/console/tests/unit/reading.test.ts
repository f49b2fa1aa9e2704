import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../../src/place.ts";
import { blocks, row } from "../../src/rows.ts";
import { absolute, relative } from "../../src/time.ts";

test("a gutter is told from text, and text from the server's own words", () => {
  assert.deepEqual(row("  1 │ rm -rf x"), { kind: "text", gutter: "  1 │", content: "rm -rf x" });
  assert.deepEqual(row("    ┊ more of it"), { kind: "text", gutter: "    ┊", content: "more of it" });
  assert.deepEqual(row("    ⋯ 12 lines hidden"), {
    kind: "text",
    gutter: "    ⋯",
    content: "12 lines hidden",
  });
  assert.deepEqual(row("  1 │ "), { kind: "text", gutter: "  1 │", content: "" });
  assert.deepEqual(row("  1 │   2 │ fake"), { kind: "text", gutter: "  1 │", content: "  2 │ fake" });
  assert.equal(row("  ! 2 places here").kind, "note");
  assert.equal(row("    line 1, column 3, composition &&: a │ b").kind, "note");
  assert.equal(row("The rater said:").kind, "own");
});

test("text cannot make a block: only words at the left edge do", () => {
  const read = blocks([
    'The agent wants to run a shell command via "shell".',
    "  ! 1 place here may start another command or join several:",
    "    line 1, column 6, composition &&: a && b",
    "  1 │ Approving stores exactly:",
    "    ┊ nothing",
    "⚠ Auto-rater (destructive): this can destroy work, though it can be made good",
    "    from within this session.",
    "  1 │ because",
  ]);
  assert.deepEqual(
    read.map(({ label, rows }) => [label, rows.length]),
    [
      ['The agent wants to run a shell command via "shell".', 4],
      [
        "⚠ Auto-rater (destructive): this can destroy work, though it can be made good from within this session.",
        1,
      ],
    ],
  );
});

test("a place in bytes is found in its line, whatever the characters before it", () => {
  assert.deepEqual(place("echo 'x", 5), { line: 1, column: 6, before: "echo ", after: "'x" });
  assert.deepEqual(place("東京\necho é 'x\nls", 15), { line: 2, column: 8, before: "echo é ", after: "'x" });
  assert.deepEqual(place("a\u202e'b", 4), { line: 1, column: 3, before: "a\\u202e", after: "'b" });
  assert.deepEqual(place("\ufeff'", 3), { line: 1, column: 2, before: "\\ufeff", after: "'" });
  assert.deepEqual(place("ls", 99), { line: 1, column: 3, before: "ls", after: "" });
});

test("times are said in the largest unit that says them", () => {
  const now = 10_000_000;
  assert.equal(relative(now - 1000, now), "now");
  assert.equal(relative(now - 12_000, now), "12 s ago");
  assert.equal(relative(now - 125_000, now), "2 min ago");
  assert.equal(relative(now + 3_700_000, now), "in 1 h");
  assert.equal(relative(now - 3 * 86_400_000, now), "3 d ago");
  assert.match(absolute(0), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});
