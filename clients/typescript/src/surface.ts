// What both entry points have: everything but how to connect.

export type { Call, Circumstances } from "./call.js";
export {
  type AnswerOptions,
  Client,
  type ClientOptions,
  type FeedOptions,
  type RecordFilter,
} from "./client.js";
export type { Decision, Rating } from "./decision.js";
export type { Entry, Hints } from "./entry.js";
export {
  AttackHalted,
  type FieldViolation,
  GateUnavailable,
  HaltgateError,
  InvalidRequest,
  type Refusal,
  Refused,
  Unattended,
  UnexpectedAnswer,
} from "./errors.js";
export { Feed, type FeedEvent } from "./feed.js";
export type { Denial, Grant } from "./gen/haltgate/v1/grants_pb.js";
export {
  type AttackHalt,
  AttackHaltState,
  type Escalation,
  EscalationState,
} from "./gen/haltgate/v1/human_pb.js";
export type { DecisionRecord } from "./gen/haltgate/v1/records_pb.js";
export { type ChangeOptions, Grants, type Named, type Terms, type TrustChange } from "./grants.js";
export {
  type DecideOptions,
  type OpenSessionOptions,
  Session,
  type SessionOptions,
  type Tool,
  type UpdateSessionOptions,
} from "./session.js";
export { VERSION } from "./version.js";
export type {
  ActionName,
  ErrorReasonName,
  FloorKindName,
  HintName,
  OutcomeName,
  RatingCauseName,
  RatingSourceName,
  RungName,
  ScopeName,
  StageName,
} from "./vocabulary.js";
