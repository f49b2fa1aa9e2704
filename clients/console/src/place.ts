// Places in a command, which the contract counts in bytes.

import { neutralise } from "./neutralise.ts";

export interface Place {
  // Counted from 1.
  readonly line: number;
  // In characters, counted from 1.
  readonly column: number;
  // The line before the place and behind it, neutralised, and cut where no reader would look.
  readonly before: string;
  readonly after: string;
}

// Characters shown on either side.
const AROUND = 120;

export function place(command: string, byte: number): Place {
  const bytes = new TextEncoder().encode(command);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const start = decoder.decode(bytes.subarray(0, Math.min(byte, bytes.length)));
  const rest = command.slice(start.length);
  const lineStart = start.lastIndexOf("\n") + 1;
  const lineEnd = rest.indexOf("\n");
  const before = [...start.slice(lineStart)];
  const after = [...(lineEnd < 0 ? rest : rest.slice(0, lineEnd))];
  const lead = before.length > AROUND ? "…" : "";
  const tail = after.length > AROUND ? "…" : "";
  return {
    line: start.split("\n").length,
    column: before.length + 1,
    before: lead + neutralise(before.slice(-AROUND).join("")),
    after: neutralise(after.slice(0, AROUND).join("")) + tail,
  };
}
