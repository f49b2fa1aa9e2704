// Text that an agent or a model wrote, on screen. It is always one of two things: rows that the server framed, painted
// as they are, or raw text, neutralised here. Both are shown from left to right whatever their letters ask for.

import { type Child, h, icon } from "../dom.ts";
import { logicalLines, neutralise, oneLine } from "../neutralise.ts";
import { type Block, blocks, frames, joined, type Row } from "../rows.ts";

// Characters of a raw text that are shown at once; the rest is counted and shown on demand.
const AT_ONCE = 2000;
// Lines of a raw text that are put on screen at once.
const LINES_AT_ONCE = 1000;

// A short raw text in one line.
export function raw(text: string, otherwise = ""): HTMLElement {
  const line = oneLine(text);
  return line === "" ? h("span", { class: "none" }, otherwise) : h("span", { class: "raw" }, line);
}

// A raw text in one line for lists, cut where no list could show more.
export function rawExcerpt(text: string): HTMLElement {
  const cut = [...text.slice(0, 400)].slice(0, 240).join("");
  const hidden = text.length - cut.length;
  return h("span", { class: "raw" }, oneLine(cut), hidden > 0 && `… ${hidden} more`);
}

// A raw text that may be long, in a box of its own. What is hidden is counted, and shown when asked for.
export function rawBox(text: string): HTMLElement {
  const box = h("code", { class: "raw box" });
  const shown = oneLine(text);
  const characters = [...shown];
  if (characters.length <= AT_ONCE) {
    box.append(shown);
    return box;
  }
  const rest = characters.length - AT_ONCE;
  const more = h(
    "button",
    { type: "button", class: "link", on: { click: () => box.replaceChildren(shown) } },
    `show ${rest} more characters`,
  );
  box.append(characters.slice(0, AT_ONCE).join(""), "… ", more);
  return box;
}

// The rows of the server, in its own blocks.
export function framed(lines: readonly string[]): HTMLElement {
  return h("div", { class: "framed" }, ...blocks(lines).map((block) => framedBlock(block)));
}

// `label` takes the place of the block's own, when it says the same with a drawing.
export function framedBlock(block: Block, label?: Child): HTMLElement {
  const heading = label === undefined ? block.label : label;
  return h(
    "div",
    { class: "block" },
    heading !== "" && heading !== null && h("p", { class: "label" }, ...drawn(heading)),
    ...runs(block.rows),
  );
}

// The server's signs are characters that not every machine has a drawing for.
function drawn(label: Child): Child[] {
  const sign = typeof label === "string" ? /^([✓⚠⛔]) /u.exec(label) : null;
  if (typeof label !== "string" || sign === null) {
    return [label];
  }
  const name = sign[1] === "✓" ? "check" : sign[1] === "⚠" ? "warning" : "stop";
  return [icon(name), label.slice(sign[0].length - 1)];
}

// The rows of a block: notes as sentences, framed text as a grid in which the gutter keeps its own column, so that a
// line which is too long for the screen goes on beside the gutter and not under it.
function runs(rows: readonly Row[]): HTMLElement[] {
  const found: HTMLElement[] = [];
  let framed: Row[] = [];
  const close = (): void => {
    found.push(...frames(framed).map(frameOf));
    framed = [];
  };
  let alert: HTMLElement | null = null;
  for (const row of rows) {
    if (row.kind === "text") {
      framed.push(row);
    } else if (alert !== null && !/^(line|and) \d/.test(row.content)) {
      // The server broke its own sentence for a terminal.
      alert.append(` ${row.content}`);
    } else {
      close();
      const starts = row.content.startsWith("! ");
      const note = h("p", { class: starts ? "note alert raw" : "note raw" }, row.content);
      alert = starts ? note : null;
      found.push(note);
    }
  }
  close();
  return found;
}

function frameOf(rows: readonly Row[]): HTMLElement {
  return h(
    "div",
    { class: "frame" },
    ...joined(rows).map(({ gutter, content }) => frameRow(gutter, content)),
  );
}

function frameRow(gutter: string, content: string): HTMLElement {
  return h(
    "div",
    { class: "row" },
    h("span", { class: "gutter" }, gutter),
    h("span", { class: "raw" }, content),
  );
}

// A whole raw text in numbered lines.
export function wholeText(text: string): HTMLElement {
  const lines = logicalLines(text);
  const digits = String(lines.length).length;
  const frame = h("div", { class: "frame" });
  let shown = 0;
  const more = h("button", { type: "button", class: "link", on: { click: () => show() } });
  const show = (): void => {
    const next = lines.slice(shown, shown + LINES_AT_ONCE);
    more.before(
      ...next.map((line, position) =>
        frameRow(`  ${String(shown + position + 1).padStart(digits)} │`, neutralise(line)),
      ),
    );
    shown += next.length;
    more.textContent = `show more: ${lines.length - shown} lines are left`;
    more.hidden = shown >= lines.length;
  };
  frame.append(more);
  show();
  return frame;
}

// A disclosure around a whole raw text, built when it is opened.
export function wholeTextOnDemand(title: string, text: string): HTMLElement {
  const details = h("details", {}, h("summary", {}, title));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) {
      details.append(wholeText(text));
    }
  });
  return details;
}
