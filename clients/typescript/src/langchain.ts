/**
 * haltgate for LangChain: the gate answers the interrupts of `humanInTheLoopMiddleware`, or stands in front of every tool
 * call as a middleware of its own. A halted run and one that nobody attends end by an error: nothing of them is resumed.
 *
 * @packageDocumentation
 */

import { ToolMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import type { Call } from "./call.js";
import type { Decision } from "./decision.js";
import { UnexpectedAnswer } from "./errors.js";
import type { Session } from "./session.js";

/** One pending tool call of an interrupt. */
export interface ActionRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The value of an interrupt of `humanInTheLoopMiddleware`. */
export interface InterruptRequest {
  readonly actionRequests: readonly ActionRequest[];
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly string[];
  }[];
}

/** What an interrupt is resumed with: as many decisions as it had requests, in their order. */
export interface Resume {
  decisions: ({ type: "approve" } | { type: "reject"; message: string })[];
}

/** How tool calls are put to the gate. */
export interface GateOptions {
  /**
   * The tools that run a shell command, and the argument that holds it: `{ bash: "command" }`. Every other tool is judged by
   * its name and arguments; one whose name begins with `mcp__` as a tool of an MCP server. Default: none.
   */
  readonly shellTools?: Readonly<Record<string, string>> | undefined;
  /** The run that the calls belong to. A halt ends it: later calls of it are halted too. Default: none. */
  readonly runId?: string | undefined;
  /** Milliseconds to wait for a human at most. What still waits then is rejected. Default: until there is an answer. */
  readonly maxWaitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decides the pending tool calls of one interrupt, in order: what a human grants for one counts for the next. Resume with
 * `new Command({ resume: await decideInterrupt(…) })`. LangChain runs none of an interrupt's calls when one was rejected: it
 * asks the model anew.
 *
 * @throws {AttackHalted} a call halted the run: do not resume it.
 * @throws {Unattended} a call needed approval and nobody could be asked: do not resume the run.
 * @throws {HaltgateError} there is no decision: do not resume the run.
 */
export async function decideInterrupt(
  session: Session,
  request: InterruptRequest,
  options: GateOptions = {},
): Promise<Resume> {
  const decisions: Resume["decisions"] = [];
  for (const action of request.actionRequests) {
    const decision = await session.decide(callOf(action, options), options);
    const type = decision.approved ? "approve" : "reject";
    const review = request.reviewConfigs.find(({ actionName }) => actionName === action.name);
    if (review !== undefined && !review.allowedDecisions.includes(type)) {
      throw new UnexpectedAnswer(
        `it is "${type}", which the interrupt does not allow for the tool ${action.name}`,
      );
    }
    decisions.push(decision.approved ? { type: "approve" } : { type: "reject", message: refusal(decision) });
  }
  return { decisions };
}

/**
 * A middleware that asks the gate before every tool call. What is rejected reaches the model as the tool's result. Calls
 * that the model makes at once are decided one after the other, in the order in which they come.
 */
export function haltgateMiddleware(session: Session, options: GateOptions = {}) {
  let before: Promise<unknown> = Promise.resolve();
  return createMiddleware({
    name: "HaltgateMiddleware",
    wrapToolCall: async (request, handler) => {
      // Run as it was judged, whatever becomes of the request meanwhile.
      const toolCall = { ...request.toolCall, args: structuredClone(request.toolCall.args) };
      const decided = before.then(() => session.decide(callOf(toolCall, options), options));
      before = decided.catch(() => {});
      const decision = await decided;
      if (decision.approved) {
        return handler({ ...request, toolCall });
      }
      const { name, id = "" } = toolCall;
      return new ToolMessage({ content: refusal(decision), tool_call_id: id, name, status: "error" });
    },
  });
}

function callOf({ name, args }: ActionRequest, { shellTools = {} }: GateOptions): Call {
  const argument = Object.hasOwn(shellTools, name) ? shellTools[name] : undefined;
  if (argument !== undefined) {
    const command = args[argument];
    if (typeof command !== "string") {
      throw new TypeError(`the tool ${name} has no text "${argument}", which holds its command`);
    }
    return { shell: command };
  }
  return name.startsWith("mcp__") ? { registered: name, arguments: args } : { tool: name, arguments: args };
}

function refusal(decision: Decision): string {
  return decision.action === "ESCALATE" ? `Not approved in time. ${decision.message}` : decision.message;
}
