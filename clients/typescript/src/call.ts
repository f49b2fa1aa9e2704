// The calls that a gate judges, made of plain values.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallSchema, ShellDialect } from "./gen/haltgate/v1/call_pb.js";
import { valueNamed } from "./vocabulary.js";

/** Where and why a call is made. */
export interface Circumstances {
  /** Its working folder, an absolute path. Default: the session's. */
  readonly cwd?: string | undefined;
  /** The home folder, an absolute path. Default: the session's. */
  readonly home?: string | undefined;
  /** Why the agent wants it, in its own words. Only a negotiation reads it. */
  readonly justification?: string | undefined;
}

/** A call: exactly one of its kinds. */
export type Call = Circumstances &
  (
    | {
        /** A shell command, exactly as the model wrote it. */
        readonly shell: string;
        /** The language it is in. Default: bash. */
        readonly dialect?: "BASH" | "POWERSHELL" | "CMD" | undefined;
      }
    | {
        /** A tool of the agent itself, by name. */
        readonly tool: string;
        /** What it is called with. Default: nothing. */
        readonly arguments?: object | undefined;
      }
    | {
        /** An MCP server, by the key that it is configured under. */
        readonly server: string;
        /** The name of its tool. */
        readonly mcpTool: string;
        readonly arguments?: object | undefined;
      }
    | {
        /** A tool by the one name that the agent registered it under, as in `mcp__server__tool`. */
        readonly registered: string;
        readonly arguments?: object | undefined;
      }
  );

export function callMessage(call: Call): MessageInitShape<typeof CallSchema> {
  const { cwd = "", home = "", justification = "" } = call;
  const where = { cwd, home, justification };
  if ("shell" in call) {
    const dialect = valueNamed(ShellDialect, call.dialect);
    return { kind: { case: "shell", value: { ...where, command: call.shell, dialect } } };
  }
  const argumentsJson = call.arguments === undefined ? "" : JSON.stringify(call.arguments);
  if ("tool" in call) {
    return { kind: { case: "tool", value: { ...where, name: call.tool, argumentsJson } } };
  }
  if ("mcpTool" in call) {
    const value = { ...where, server: call.server, name: call.mcpTool, argumentsJson };
    return { kind: { case: "mcpTool", value } };
  }
  return { kind: { case: "registered", value: { ...where, name: call.registered, argumentsJson } } };
}
