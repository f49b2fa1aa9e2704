// Follows one feed for as long as the page lives: connects, resumes behind the last cursor, waits longer after each
// failure, and says at any time how it stands. Time and chance come from outside.

import {
  connected,
  emptyFeed,
  type FeedChange,
  type FeedMessage,
  type FeedState,
  received,
  startedOver,
} from "./feed.ts";

// Why a connection ended, as far as it changes what comes next.
export type Ending =
  // The cursor is refused: begin anew, at once.
  | { readonly kind: "cursor-refused"; readonly problem: string }
  // Nobody may listen without a token, or with this one.
  | { readonly kind: "token-needed"; readonly problem: string }
  // Anything else; `after` is how many milliseconds the server asks to wait, at least.
  | { readonly kind: "failed"; readonly problem: string; readonly after: number };

// How the connection stands.
export type Link =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "waiting"; readonly attempt: number; readonly until: number; readonly problem: string }
  | { readonly state: "token-needed"; readonly problem: string };

export interface Surroundings<T> {
  // Opens the feed behind a cursor and says when the server has accepted it. The iteration ends or throws when the
  // connection does.
  open(after: string, signal: AbortSignal, accepted: () => void): AsyncIterable<FeedMessage<T>>;
  // Reads what a connection threw.
  ending(thrown: unknown): Ending;
  // Resolves after so many milliseconds, or at once when the signal is aborted.
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): number;
  // From 0 up to, not including, 1.
  random(): number;
  changed(changes: readonly FeedChange<T>[]): void;
  linked(link: Link): void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
// A feed is never silent for longer than its heartbeat, 15 seconds by default. Three of them lost: it is dead.
export const SILENCE = 50_000;

// How long to wait before the attempt of this number, counted from 1: doubling, and between half and all of that.
export function waitBefore(attempt: number, random: number): number {
  const whole = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt - 1, 10));
  return Math.round(whole * (0.5 + random / 2));
}

export class Follow<T> {
  private state: FeedState<T> = emptyFeed();
  private stopped = false;
  private connection = new AbortController();
  private pause = new AbortController();

  constructor(private readonly around: Surroundings<T>) {}

  // What is open, by id, in the order raised.
  get open(): ReadonlyMap<string, T> {
    return this.state.open;
  }

  // Runs until it is stopped.
  async run(): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      this.around.linked({ state: "connecting" });
      const { ending, heard } = await this.listen();
      if (this.stopped) {
        return;
      }
      if (heard) {
        failures = 0;
      }
      if (ending === null) {
        // The server asked to be called again. The pause keeps a server that always does from being flooded.
        failures += 1;
        await this.wait({ state: "connecting" }, waitBefore(1, this.around.random()));
        continue;
      }
      switch (ending.kind) {
        case "cursor-refused":
          this.state = startedOver(this.state);
          failures += 1;
          if (failures > 1) {
            await this.waitForRetry(failures, ending.problem, 0);
          }
          break;
        case "token-needed":
          await this.wait({ state: "token-needed", problem: ending.problem }, Number.POSITIVE_INFINITY);
          break;
        case "failed":
          failures += 1;
          await this.waitForRetry(failures, ending.problem, ending.after);
          break;
      }
    }
  }

  // Ends a pause: somebody asks for it, the network is back, or there is a token.
  retry(): void {
    this.pause.abort();
  }

  stop(): void {
    this.stopped = true;
    this.connection.abort();
    this.pause.abort();
  }

  private async listen(): Promise<{ ending: Ending | null; heard: boolean }> {
    const connection = new AbortController();
    this.connection = connection;
    this.state = connected(this.state);
    let heard = false;
    let live = false;
    const accepted = (): void => {
      if (!live && !this.stopped) {
        live = true;
        this.around.linked({ state: "live" });
      }
    };
    let silence = new AbortController();
    const watch = (): void => {
      silence.abort();
      silence = new AbortController();
      const { signal } = silence;
      void this.around.sleep(SILENCE, signal).then(() => {
        if (!signal.aborted) {
          connection.abort(new Error("nothing was heard for too long"));
        }
      });
    };
    try {
      watch();
      for await (const message of this.around.open(this.state.cursor, connection.signal, accepted)) {
        watch();
        heard = true;
        accepted();
        const next = received(this.state, message);
        this.state = next.state;
        if (next.changes.length > 0) {
          this.around.changed(next.changes);
        }
        if (message.kind === "resume-hint") {
          connection.abort();
          return { ending: null, heard };
        }
      }
      return { ending: { kind: "failed", problem: "the server ended the feed", after: 0 }, heard };
    } catch (thrown) {
      if (connection.signal.aborted) {
        return { ending: { kind: "failed", problem: "nothing was heard for too long", after: 0 }, heard };
      }
      return { ending: this.around.ending(thrown), heard };
    } finally {
      silence.abort();
    }
  }

  private async waitForRetry(attempt: number, problem: string, atLeast: number): Promise<void> {
    const milliseconds = Math.max(atLeast, waitBefore(attempt, this.around.random()));
    const until = this.around.now() + milliseconds;
    await this.wait({ state: "waiting", attempt, until, problem }, milliseconds);
  }

  private async wait(link: Link, milliseconds: number): Promise<void> {
    this.pause = new AbortController();
    this.around.linked(link);
    await this.around.sleep(milliseconds, this.pause.signal);
  }
}
