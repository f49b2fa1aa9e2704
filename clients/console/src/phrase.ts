// The typed phrase that lets one halted command run. It must be typed letter by letter: a change that adds more than
// one character at once, or any control character, is dropped whole, so that nothing pasted, dropped, completed or
// spoken can pass. There is one attempt: whatever else is sent stops the run.

export const RUN_ANYWAY = "run anyway";

// What was typed, and whether the last change was dropped.
export interface Typed {
  readonly text: string;
  readonly refused: boolean;
}

export const NOTHING_TYPED: Typed = { text: "", refused: false };

// Longer than the phrase by far; a longer text can only stop.
const LONGEST = 64;

const UNTYPED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

// What is typed after the field changed to `next`.
export function edited(typed: Typed, next: string): Typed {
  const before = [...typed.text];
  const after = [...next];
  if (after.length > LONGEST || UNTYPED.test(next) || added(before, after) > 1) {
    return { text: typed.text, refused: true };
  }
  return { text: next, refused: false };
}

// What sending the text means: exactly the phrase, letter case and blanks around it aside, runs the one command.
export function meaning(text: string): "run-anyway" | "stop" {
  return /^run anyway$/i.test(text.trim()) ? "run-anyway" : "stop";
}

// How many characters of `after` were not in `before`, for a change in one place.
function added(before: readonly string[], after: readonly string[]): number {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start += 1;
  }
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  return after.length - start - end;
}
