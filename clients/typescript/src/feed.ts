// Following the feeds of what waits for humans: a feed goes on behind the last cursor it saw after whatever cut it off, and
// one on which nothing is heard any more is given up and made anew.

import { Code, ConnectError } from "@connectrpc/connect";
import { askedPause, errorOf, GateUnavailable, HaltgateError, refusesCursor } from "./errors.js";
import type {
  AttackHalt,
  Escalation,
  StreamAttackHaltsResponse,
  StreamEscalationsResponse,
} from "./gen/haltgate/v1/human_pb.js";
import { type Bounds, pauseAfter, sleep } from "./pause.js";

/** What a feed tells. */
export type FeedEvent<Item> =
  /** It happened; also each open item of a snapshot. The item's state says whether it waits. */
  | { readonly event: "raised"; readonly item: Item }
  /** A human answered. */
  | { readonly event: "answered"; readonly item: Item }
  /** It needs no answer any more. */
  | { readonly event: "withdrawn"; readonly item: Item }
  /** Waiting ended without an answer. */
  | { readonly event: "expired"; readonly item: Item }
  /** Everything that was open when the feed began has been told: so many items. */
  | { readonly event: "snapshot_end"; readonly open: number }
  /** The feed begins anew with a snapshot: forget what was open. */
  | { readonly event: "restarted" };

/** Milliseconds of silence after which a connection is given up: three heartbeats of a server that keeps to the default. */
const SILENCE = 45_000;

const RECONNECT: Bounds = { first: 250, longest: 5_000, least: 0.5 };

type Message = StreamEscalationsResponse | StreamAttackHaltsResponse;

/** Opens the feed behind a cursor. */
export type OpenFeed<M extends Message> = (after: string, signal: AbortSignal) => AsyncIterable<M>;

/** A feed: iterate it. Leaving the loop closes it, and so does aborting the signal that it was opened with. */
export class Feed<Item> implements AsyncIterable<FeedEvent<Item>> {
  #cursor: string;
  readonly #closing = new AbortController();
  readonly #open: OpenFeed<Message>;
  readonly #silence: number;

  /** @internal */
  constructor(open: OpenFeed<Message>, after: string, signal?: AbortSignal, silence = SILENCE) {
    this.#open = open;
    this.#cursor = after;
    this.#silence = silence;
    if (signal?.aborted === true) {
      this.close();
    }
    signal?.addEventListener("abort", () => this.close(), { once: true });
  }

  /** The cursor to go on behind, in this process or another. Empty until a snapshot was seen whole. */
  get cursor(): string {
    return this.#cursor;
  }

  /** Ends the iteration. */
  close(): void {
    this.#closing.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedEvent<Item>, void, undefined> {
    let failures = 0;
    // Items of a snapshot that has not ended were told.
    let told = false;
    const closing = this.#closing.signal;
    try {
      while (!closing.aborted) {
        const connection = new Connection(this.#silence, closing);
        let asked = 0;
        if (told && this.#cursor === "") {
          told = false;
          yield { event: "restarted" };
        }
        try {
          for await (const message of this.#open(this.#cursor, connection.signal)) {
            connection.heard();
            failures = 0;
            if (message.cursor !== "") {
              this.#cursor = message.cursor;
            }
            const event = eventOf<Item>(message);
            if (event === "ends") {
              break;
            }
            if (event !== undefined) {
              told = true;
              yield event;
            }
          }
        } catch (thrown) {
          if (closing.aborted) {
            return;
          }
          if (refusesCursor(thrown) && this.#cursor !== "") {
            this.#cursor = "";
            told = false;
            yield { event: "restarted" };
            continue;
          }
          if (!connection.silent && !mayPass(thrown)) {
            throw errorOf(thrown);
          }
          asked = askedPause(thrown);
        } finally {
          connection.close();
        }
        failures += 1;
        await sleep(pauseAfter(failures, RECONNECT, asked), closing);
      }
    } catch (thrown) {
      if (!closing.aborted) {
        throw thrown;
      }
    } finally {
      this.close();
    }
  }
}

/** One connection, which ends itself when nothing is heard for too long. */
class Connection {
  silent = false;
  readonly #ending = new AbortController();
  readonly #closed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly silence: number,
    private readonly closing: AbortSignal,
  ) {
    this.#closed = () => this.close();
    closing.addEventListener("abort", this.#closed, { once: true });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.silent = true;
      this.#ending.abort(new GateUnavailable("nothing was heard for too long"));
    }, this.silence);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.closing.removeEventListener("abort", this.#closed);
    this.#ending.abort();
  }
}

/** Undefined for what nobody needs to hear: a heartbeat, or an event of a newer contract. */
function eventOf<Item>({ event }: Message): FeedEvent<Item> | "ends" | undefined {
  switch (event.case) {
    case "raised":
    case "answered":
    case "withdrawn":
    case "expired":
      return { event: event.case, item: event.value as Escalation & AttackHalt & Item };
    case "snapshotEnd":
      return { event: "snapshot_end", open: event.value.open };
    case "resumeHint":
      return "ends";
    case "heartbeat":
    case undefined:
      return undefined;
  }
}

/** Whether the same feed may be opened later. */
function mayPass(thrown: unknown): boolean {
  if (thrown instanceof HaltgateError) {
    return thrown instanceof GateUnavailable;
  }
  switch (ConnectError.from(thrown).code) {
    case Code.InvalidArgument:
    case Code.NotFound:
    case Code.PermissionDenied:
    case Code.Unauthenticated:
    case Code.Unimplemented:
      return false;
    case Code.Canceled:
    case Code.Unknown:
    case Code.DeadlineExceeded:
    case Code.AlreadyExists:
    case Code.ResourceExhausted:
    case Code.FailedPrecondition:
    case Code.Aborted:
    case Code.OutOfRange:
    case Code.Internal:
    case Code.Unavailable:
    case Code.DataLoss:
      return true;
  }
}
