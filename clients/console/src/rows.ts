// The framed lines of the contract, read row by row: which part is gutter and which is text. A gutter is spaces and a
// line number before a bar; the server puts one before every row of somebody else's text, so that no text can make a
// row that looks like the server's own.

export interface Row {
  // own: words of the server. text: somebody's text behind a gutter. note: a place in the text that deserves a look.
  readonly kind: "own" | "text" | "note";
  readonly gutter: string;
  readonly content: string;
}

// Words of the server, and the frame that they introduce.
export interface Block {
  readonly label: string;
  readonly rows: readonly Row[];
}

const GUTTER = /^( {2}[ \d]*[│┊⋯]) ?(.*)$/u;

// The rows of frames, each frame by itself: a frame begins anew where the line numbers do.
export function frames(rows: readonly Row[]): readonly (readonly Row[])[] {
  const found: Row[][] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const read of rows) {
    const number = Number.parseInt(read.gutter, 10);
    const current = found.at(-1);
    if (current === undefined || number <= last) {
      found.push([read]);
    } else {
      current.push(read);
    }
    last = Number.isNaN(number) ? last : number;
  }
  return found;
}

// The rows with each line of the text in one: the server cuts lines for a terminal, and a page has its own width.
export function joined(rows: readonly Row[]): readonly Row[] {
  const found: Row[] = [];
  for (const read of rows) {
    const before = found.at(-1);
    if (read.gutter.endsWith("┊") && before?.gutter.endsWith("│")) {
      found[found.length - 1] = { ...before, content: before.content + read.content };
    } else {
      found.push(read);
    }
  }
  return found;
}

export function row(line: string): Row {
  const framed = GUTTER.exec(line);
  if (framed !== null) {
    return { kind: "text", gutter: framed[1] ?? "", content: framed[2] ?? "" };
  }
  return line.startsWith("  ")
    ? { kind: "note", gutter: "", content: line.trimStart() }
    : { kind: "own", gutter: "", content: line };
}

// The lines in blocks. A block begins at words of the server that follow a frame; words without a frame are one too.
export function blocks(lines: readonly string[]): readonly Block[] {
  const found: { label: string[]; rows: Row[] }[] = [];
  let current: { label: string[]; rows: Row[] } | null = null;
  for (const line of lines) {
    const read = row(line);
    const continued: boolean = read.kind === "note" && line.startsWith("    ") && current?.rows.length === 0;
    if (read.kind === "own") {
      current = { label: [read.content], rows: [] };
      found.push(current);
    } else if (continued && current !== null) {
      current.label.push(read.content);
    } else {
      if (current === null) {
        current = { label: [], rows: [] };
        found.push(current);
      }
      current.rows.push(read);
    }
  }
  return found.map((block) => ({ label: block.label.join(" "), rows: block.rows }));
}
