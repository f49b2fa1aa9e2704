// Asking again while the gate is out of reach or has too much to do: only what is safe to repeat, a bounded number of
// times, never past the deadline, and not sooner than the gate asks for.

import { askedPause, errorOf, GateUnavailable, outOfReach, overloaded } from "./errors.js";
import { type Bounds, pauseAfter, sleep } from "./pause.js";

/** How often a request is sent while the gate is out of reach. */
const ATTEMPTS = 4;

/** Pauses between the attempts of one request. */
export const RETRY: Bounds = { first: 50, longest: 1_000, least: 0 };

/** What every call of connect's takes. */
export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Whether a request may be sent twice: it reads, or it carries a request id. */
export type Repeat = "repeatable" | "once";

/** Sends a request, and says in this client's errors why it failed. */
export async function send<Answer>(
  deadlineMs: number,
  signal: AbortSignal,
  repeat: Repeat,
  call: (options: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  const started = performance.now();
  for (let failures = 1; ; failures += 1) {
    const left = Math.ceil(deadlineMs - (performance.now() - started));
    try {
      return await call({ timeoutMs: Math.max(left, 1), signal });
    } catch (thrown) {
      const pause = pauseAfter(failures, RETRY, askedPause(thrown));
      const late = performance.now() - started + pause >= deadlineMs;
      if (signal.aborted || repeat === "once" || !mayPass(thrown) || failures >= ATTEMPTS || late) {
        throw errorOf(thrown, signal);
      }
      await sleep(pause, signal);
    }
  }
}

/** Whether asking again is of use. */
export function mayPass(thrown: unknown): boolean {
  return outOfReach(thrown) || overloaded(thrown);
}

/** An id that makes the retry of a change safe. */
export function freshId(): string {
  return crypto.randomUUID();
}

/** A client that was closed sends nothing more. */
export function closedError(): GateUnavailable {
  return new GateUnavailable("this client is closed");
}
