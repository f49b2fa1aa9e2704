// What a request can come to besides its answer. Whatever it is, the call must not run: no error of this client can be
// taken for an approval, and those of a halted or unattended run cannot be taken for a rejection.

import { Code, ConnectError } from "@connectrpc/connect";
import type { Decision } from "./decision.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { ErrorReason } from "./gen/haltgate/v1/error_reason_pb.js";
import type { ErrorReasonName } from "./vocabulary.js";

/** Whose reasons the gate's own errors carry. */
const DOMAIN = "haltgate.dev";

/** There is no answer to go on with: the call must not run. */
export abstract class HaltgateError extends Error {
  /** Never. */
  readonly approved = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The run was halted, by this call or before it: end the run now, and give the model nothing. */
export class AttackHalted extends HaltgateError {
  constructor(readonly decision: Decision) {
    super(`the run is halted: ${decision.message}`);
  }
}

/** Approval was needed and nobody could be asked: end the run with a non-zero exit. */
export class Unattended extends HaltgateError {
  constructor(readonly decision: Decision) {
    super(`nobody could be asked: ${decision.message}`);
  }
}

/** The gate could not be reached, did not answer in time, or is shutting down. */
export class GateUnavailable extends HaltgateError {
  /** Milliseconds that the gate asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, cause?: unknown, retryAfterMs?: number) {
    super(`the gate is unavailable: ${message}`, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The gate's answer is none that this client can trust: incomplete, unknown, or meant for another request. */
export class UnexpectedAnswer extends HaltgateError {
  constructor(message: string) {
    super(`the gate's answer cannot be trusted: ${message}`);
  }
}

/** A field that was wrong. */
export interface FieldViolation {
  /** Its path, as in `call.shell.command`. */
  readonly field: string;
  readonly description: string;
}

/** What the gate says of a request that it refused. */
export interface Refusal {
  /** Why. Undefined for a reason that this version does not know, and where none was given. */
  readonly reason: ErrorReasonName | undefined;
  /** The reason as it was sent; empty where none was given. */
  readonly reasonText: string;
  /** Whose reason it is: `haltgate.dev`, unless something between the gate and this client refused. */
  readonly domain: string;
  /** What the contract gives with the reason. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Milliseconds that the gate asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** The gRPC status. */
  readonly code: Code;
}

/** The gate refused the request: not found, not allowed, too late, too much. */
export class Refused extends HaltgateError implements Refusal {
  readonly reason: ErrorReasonName | undefined;
  readonly reasonText: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;
  readonly code: Code;

  constructor(message: string, refusal: Refusal, cause: unknown) {
    super(message, { cause });
    this.reason = refusal.reason;
    this.reasonText = refusal.reasonText;
    this.domain = refusal.domain;
    this.metadata = refusal.metadata;
    this.retryAfterMs = refusal.retryAfterMs;
    this.code = refusal.code;
  }

  /** The caller's role, such as `agent`; empty unless the reason is `ROLE_NOT_ALLOWED`. */
  get role(): string {
    return this.reason === "ROLE_NOT_ALLOWED" ? (this.metadata.role ?? "") : "";
  }

  /**
   * What would have been let in: the roles that may, for `ROLE_NOT_ALLOWED`; the kinds of credentials, for
   * `CREDENTIALS_MISSING`. Empty for every other reason.
   */
  get needed(): readonly string[] {
    const keys: Partial<Record<ErrorReasonName, string>> = {
      ROLE_NOT_ALLOWED: "needed",
      CREDENTIALS_MISSING: "accepted",
    };
    const key = this.reason && keys[this.reason];
    return (key === undefined ? "" : (this.metadata[key] ?? "")).split(",").filter((name) => name !== "");
  }
}

/** The request was wrong. */
export class InvalidRequest extends Refused {
  /** What is wrong with which field. */
  readonly violations: readonly FieldViolation[];

  constructor(message: string, refusal: Refusal, violations: readonly FieldViolation[], cause: unknown) {
    super(message, refusal, cause);
    this.violations = violations;
  }
}

/** What a failed call comes to. An error of this client is handed through, and so is the reason of an abort. */
export function errorOf(thrown: unknown, signal?: AbortSignal): unknown {
  if (thrown instanceof HaltgateError) {
    return thrown;
  }
  if (signal?.aborted === true) {
    return signal.reason;
  }
  const error = ConnectError.from(thrown);
  const message = error.rawMessage === "" ? Code[error.code] : error.rawMessage;
  const refusal = refusalOf(error);
  if (outOfReach(error) || untrusted(error)) {
    return new GateUnavailable(message, thrown, refusal.retryAfterMs);
  }
  switch (error.code) {
    case Code.InvalidArgument: {
      const violations = error.findDetails(BadRequestSchema).flatMap((bad) => bad.fieldViolations);
      const fields = violations.map(({ field, description }) => ({ field, description }));
      return new InvalidRequest(`the request was wrong: ${message}`, refusal, fields, thrown);
    }
    case Code.DeadlineExceeded:
    case Code.Canceled:
    case Code.Unknown:
      return new GateUnavailable(message, thrown, refusal.retryAfterMs);
    case Code.NotFound:
    case Code.AlreadyExists:
    case Code.PermissionDenied:
    case Code.ResourceExhausted:
    case Code.FailedPrecondition:
    case Code.Aborted:
    case Code.OutOfRange:
    case Code.Unimplemented:
    case Code.Internal:
    case Code.Unavailable:
    case Code.DataLoss:
    case Code.Unauthenticated:
      return new Refused(`the gate refused the request: ${message}`, refusal, thrown);
  }
}

function refusalOf(error: ConnectError): Refusal {
  const info = error.findDetails(ErrorInfoSchema)[0];
  const reasonText = info?.reason ?? "";
  const domain = info?.domain ?? "";
  const known = domain === DOMAIN && reasonText !== "UNSPECIFIED" && reasonText in ErrorReason;
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return {
    reason: known && Number.isNaN(Number(reasonText)) ? (reasonText as ErrorReasonName) : undefined,
    reasonText,
    domain,
    metadata: info?.metadata ?? {},
    retryAfterMs: delay === undefined ? undefined : Number(delay.seconds) * 1000 + delay.nanos / 1e6,
    code: error.code,
  };
}

/**
 * Whether the request may never have reached a gate, or its answer never came. What a gate says carries its reason; what
 * a broken connection says has whatever status the runtime makes of it, and none.
 */
export function outOfReach(thrown: unknown): boolean {
  const error = ConnectError.from(thrown);
  if (untrusted(error)) {
    return false;
  }
  if (error.code === Code.Unavailable) {
    return true;
  }
  const broken = [Code.Aborted, Code.Internal, Code.Unknown, Code.Canceled].includes(error.code);
  return broken && error.findDetails(ErrorInfoSchema).length === 0;
}

/** Whether the other side showed a certificate that is not trusted, which asking again would not change. */
function untrusted(error: ConnectError): boolean {
  for (
    let cause: unknown = error.cause, depth = 0;
    cause instanceof Error && depth < 8;
    cause = cause.cause, depth += 1
  ) {
    if (
      "code" in cause &&
      /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/.test(String(cause.code))
    ) {
      return true;
    }
  }
  return false;
}

/** Whether the gate has too much to do, did not begin, and says when it can. */
export function overloaded(thrown: unknown): boolean {
  const { reason, retryAfterMs, code } = refusalOf(ConnectError.from(thrown));
  return code === Code.ResourceExhausted && reason === "OVERLOADED" && retryAfterMs !== undefined;
}

/** Milliseconds that the gate asks to be left alone. */
export function askedPause(thrown: unknown): number {
  return refusalOf(ConnectError.from(thrown)).retryAfterMs ?? 0;
}

/** Whether the cursor of a feed is of no use any more. */
export function refusesCursor(thrown: unknown): boolean {
  const { reason, code } = refusalOf(ConnectError.from(thrown));
  return code === Code.OutOfRange || reason === "CURSOR_INVALID" || reason === "CURSOR_TOO_OLD";
}
