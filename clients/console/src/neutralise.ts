// Characters that a reader cannot see, made visible: the rule of the server's `display` module, for the text that the
// contract hands over raw. The result holds no line break and no control, format, bidirectional or blank character but
// the space; ordinary text stays as it is, and a second pass changes nothing.

// Combining marks shown on one base; a fifth and later ones are escaped, since they paint over the rows around them.
const MARKS_PER_BASE = 4;

const PLAIN = /^[ -~]*$/;

// Control, format, separator, private-use, surrogate and unassigned characters.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cs}\p{Cn}]/u;

// Letters, marks and symbols that are painted as nothing.
const BLANK = new RegExp(
  [
    "\\u034f", // combining grapheme joiner
    "[\\u115f\\u1160\\u3164\\uffa0]", // Hangul fillers
    "[\\u17b4\\u17b5]", // Khmer inherent vowels
    "[\\u180b-\\u180f]", // Mongolian variation selectors
    "\\u2800", // empty Braille cell
    "\\u2d7f", // Tifinagh joiner
    "[\\ufe00-\\ufe0f]", // variation selectors
    "\\ufffc", // stands for an object that is not there
    "\\u{1107f}", // Brahmi number joiner
    "[\\u{13441}\\u{13442}]", // Egyptian blanks
    "\\u{16fe4}", // Khitan filler
    "\\u{1d159}", // musical null notehead
    "[\\u{e0100}-\\u{e01ef}]", // more variation selectors
  ].join("|"),
  "u",
);

const MARK = /\p{M}/u;
const EMOJI = /\p{Emoji}/u;
const KEY = /^[0-9#*]$/;
const EMOJI_PRESENTATION = "\ufe0f";
const KEYCAP = "\u20e3";

// Whether a reader can see that this character is there.
export function isVisible(character: string): boolean {
  if (character === " ") {
    return true;
  }
  return !UNSEEN.test(character) && !BLANK.test(character);
}

// The visible spelling of a character by its number, in lower-case hexadecimal.
export function escapeCharacter(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  if (number <= 0xff) {
    return `\\x${number.toString(16).padStart(2, "0")}`;
  }
  if (number <= 0xffff) {
    return `\\u${number.toString(16).padStart(4, "0")}`;
  }
  return `\\u{${number.toString(16)}}`;
}

// The text with everything that cannot be seen written as an escape, line breaks and tabs too.
export function neutralise(text: string): string {
  if (PLAIN.test(text)) {
    return text;
  }
  const characters = [...text];
  const shown: string[] = [];
  let previous: string | null = null;
  let roomForMarks = 0;
  characters.forEach((character, position) => {
    let keep: boolean;
    if (character === EMOJI_PRESENTATION) {
      keep = previous !== null && takesPresentation(previous, characters[position + 1]);
    } else if (!isVisible(character)) {
      keep = false;
    } else if (MARK.test(character)) {
      keep = roomForMarks > 0;
      roomForMarks = Math.max(0, roomForMarks - 1);
    } else {
      roomForMarks = character === " " ? 0 : MARKS_PER_BASE;
      keep = true;
    }
    if (!keep) {
      roomForMarks = 0;
    }
    previous = keep ? character : null;
    shown.push(keep ? character : escapeCharacter(character));
  });
  return shown.join("");
}

// The text in one line: first neutralised, so that a line break shows as \x0a, then blanks collapsed and trimmed.
export function oneLine(text: string): string {
  return neutralise(text)
    .split(" ")
    .filter((word) => word !== "")
    .join(" ");
}

// The lines of a text as its author wrote them. A line feed ends a line, together with a carriage return before it; one
// break at the end is dropped. There is always at least one line.
export function logicalLines(text: string): string[] {
  const lines = text.split("\n");
  const ended = lines.length > 1;
  if (ended && lines.at(-1) === "") {
    lines.pop();
  }
  const closed = text.endsWith("\n") ? lines.length : lines.length - 1;
  return lines.map((line, position) => (position < closed && line.endsWith("\r") ? line.slice(0, -1) : line));
}

function takesPresentation(base: string, following: string | undefined): boolean {
  return base <= "\u007f" ? KEY.test(base) && following === KEYCAP : EMOJI.test(base);
}
