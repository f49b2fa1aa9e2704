// What a key means. A key is bound only where its answer is on offer; everything else means nothing, so that a slip
// changes nothing. Pure: the screens carry out what it says.

import type { Choice, ChoiceName } from "./offer.ts";

export type Command =
  | { readonly kind: "move"; readonly by: 1 | -1 }
  | { readonly kind: "answer"; readonly choice: ChoiceName }
  | { readonly kind: "comment" }
  | { readonly kind: "help" }
  | { readonly kind: "screen"; readonly index: number };

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  // The key is held down.
  readonly repeat: boolean;
}

export interface KeyContext {
  // A field has the focus: its keys are text.
  readonly typing: boolean;
  // A halt or a dialog is in front: it has the keyboard.
  readonly covered: boolean;
  // The screen has a list to move in.
  readonly list: boolean;
  // The choices of the item that is shown. Empty unless it can be answered.
  readonly offered: readonly Choice[];
  // The item has been on screen long enough to have been meant.
  readonly settled: boolean;
}

const SCREENS = 4;

export function commandFor(press: KeyPress, context: KeyContext): Command | null {
  if (press.ctrlKey || press.metaKey || press.altKey || context.typing || context.covered) {
    return null;
  }
  // With the caps lock on, or shift held, the letter is the same.
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (key === "?" && !press.repeat) {
    return { kind: "help" };
  }
  const index = Number(key) - 1;
  if (Number.isInteger(index) && index >= 0 && index < SCREENS && !press.repeat) {
    return { kind: "screen", index };
  }
  if (!context.list) {
    return null;
  }
  if (key === "j" || key === "k") {
    return { kind: "move", by: key === "j" ? 1 : -1 };
  }
  if (press.repeat) {
    return null;
  }
  if (key === "c" && context.offered.some((choice) => choice.name === "no")) {
    return { kind: "comment" };
  }
  const choice = context.offered.find((offered) => offered.key === key);
  return choice !== undefined && context.settled ? { kind: "answer", choice: choice.name } : null;
}
