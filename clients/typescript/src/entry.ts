// Entries as they stand in a policy file, and as the contract has them.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { EntryType, type EntrySchema, Matcher } from "./gen/haltgate/v1/entry_pb.js";

/** What a tool's provider may declare, by the names that MCP has for it. */
export interface Hints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** An entry of a rule list, as in a policy file. */
export interface Entry {
  readonly type: "shell" | "tool" | "mcpTool";
  readonly matcher: "exact" | "glob" | "regexp" | "hint";
  /** A text; with the matcher `hint`, the hints. */
  readonly pattern: string | Hints;
  /** The MCP server's key, or `*`. */
  readonly server?: string;
  /** Only calls that name this host. */
  readonly host?: string;
  /** `true`: what an allow entry lets through is rated all the same. */
  readonly rate?: boolean;
}

const TYPES = { shell: EntryType.SHELL, tool: EntryType.TOOL, mcpTool: EntryType.MCP_TOOL } as const;

const MATCHERS = {
  exact: Matcher.EXACT,
  glob: Matcher.GLOB,
  regexp: Matcher.REGEXP,
  hint: Matcher.HINT,
} as const;

export function entryMessage(entry: Entry): MessageInitShape<typeof EntrySchema> {
  const { pattern } = entry;
  return {
    type: TYPES[entry.type],
    matcher: MATCHERS[entry.matcher],
    subjectPattern:
      typeof pattern === "string"
        ? { case: "pattern", value: pattern }
        : { case: "hints", value: { ...pattern } },
    server: entry.server ?? "",
    host: entry.host ?? "",
    ...(entry.rate === undefined ? {} : { rate: entry.rate }),
  };
}
