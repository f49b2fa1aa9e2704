// The server, by its generated client over gRPC-Web. The token lives in this object and in the memory of this tab, which the
// browser forgets with it; never in an address, a cookie or what other tabs can read.

import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "@haltgate/client/google/rpc/error_details";
import { ApprovalGate } from "@haltgate/client/haltgate/v1/approval_gate";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { neutralise } from "./neutralise.ts";

// How long one question may take, in milliseconds.
const PATIENCE = 20_000;

// Where this tab keeps the token.
const KEPT = "haltgate.token";

export class Gate {
  readonly client: Client<typeof ApprovalGate>;
  private token = kept();

  // `tokenNeeded` is called whenever the server refuses a call for want of a token, or of a better one.
  constructor(baseUrl: string, tokenNeeded: () => void) {
    const authorise: Interceptor = (next) => async (request) => {
      if (this.token !== "") {
        request.header.set("authorization", `Bearer ${this.token}`);
      }
      try {
        return await next(request);
      } catch (thrown) {
        if (ConnectError.from(thrown).code === Code.Unauthenticated) {
          tokenNeeded();
        }
        throw thrown;
      }
    };
    const transport = createGrpcWebTransport({ baseUrl, useBinaryFormat: true, interceptors: [authorise] });
    this.client = createClient(ApprovalGate, transport);
  }

  // An empty token signs out.
  useToken(token: string): void {
    this.token = token.trim();
    try {
      if (this.token === "") {
        sessionStorage.removeItem(KEPT);
      } else {
        sessionStorage.setItem(KEPT, this.token);
      }
    } catch {
      // A browser that keeps nothing asks again after a reload.
    }
  }

  // What may be shown of the token. Empty: there is none.
  get holder(): string {
    return this.token === "" ? "" : publicPart(this.token);
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

// The gate's own tokens have an id, by which `haltgate token list` names their holder; of others nothing is shown.
export function publicPart(token: string): string {
  const id = /^haltgate_([0-9a-f]{12})_/.exec(token)?.[1];
  return id === undefined ? "with a token" : `with token ${id}`;
}

// What every question is asked with.
export function patiently(): { timeoutMs: number } {
  return { timeoutMs: PATIENCE };
}

// Why a call failed.
export interface Problem {
  readonly code: Code;
  // The reason as the contract names it, without its prefix. Empty when the server gave none.
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  // One line for people.
  readonly text: string;
  // Milliseconds that the server asks to wait before another attempt.
  readonly retryAfter: number;
}

export function problemOf(thrown: unknown): Problem {
  const error = ConnectError.from(thrown);
  const info = error.findDetails(ErrorInfoSchema)[0];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const violations = error.findDetails(BadRequestSchema).flatMap((request) => request.fieldViolations);
  const said = error.rawMessage === "" ? Code[error.code] : error.rawMessage;
  const details = violations
    .filter((violation) => !said.includes(violation.description))
    .map((violation) => `${violation.field}: ${violation.description}`);
  return {
    code: error.code,
    reason: info?.reason ?? "",
    metadata: info?.metadata ?? {},
    text: neutralise([unreachable(error) ? "The server cannot be reached" : said, ...details].join("; ")),
    retryAfter: delay === undefined ? 0 : Number(delay.seconds) * 1000 + delay.nanos / 1e6,
  };
}

// What a browser throws when there is no server at all: its own words differ from one to the next.
function unreachable(error: ConnectError): boolean {
  return error.code === Code.Unknown && error.cause instanceof TypeError;
}

// An id that makes the retry of a change safe.
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
