// The keys of the page, in a dialog.

import { h } from "./dom.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["j / k", "next, previous item"],
  ["o", "approve once"],
  ["s", "approve for this session"],
  ["a", "approve always"],
  ["n", "no"],
  ["d", "deny for this session"],
  ["c", "write a comment that goes with a no"],
  ["1 – 4", "Now, Grants, Decisions, Try it"],
  ["?", "these keys"],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h("dialog", { "aria-labelledby": "help-title" });
  dialog.append(
    h("h2", { id: "help-title" }, "Keys"),
    h(
      "dl",
      { class: "keys" },
      ...KEYS.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what))),
    ),
    h(
      "p",
      { class: "quiet" },
      "A key works only where its answer is on offer. While a run is halted, the keyboard belongs to its banner.",
    ),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", on: { click: () => dialog.close() } }, "Close"),
    ),
  );
  return dialog;
}
