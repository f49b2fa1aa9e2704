// Decisions and ratings as their callers need them. `approved` is true for nothing but a complete approval of the very
// call that was asked about.

import { UnexpectedAnswer } from "./errors.js";
import type {
  DecideRequest,
  DecideResponse,
  Explanation,
  MatchedRule,
  Notice,
} from "./gen/haltgate/v1/decision_pb.js";
import type { HumanAnswer } from "./gen/haltgate/v1/human_pb.js";
import {
  FloorKind,
  Outcome,
  type Rating as RatingMessage,
  RatingCause,
  RatingSource,
} from "./gen/haltgate/v1/rating_pb.js";
import { Action, Rung, Scope, Stage } from "./gen/haltgate/v1/vocabulary_pb.js";
import {
  type ActionName,
  type FloorKindName,
  nameOf,
  type OutcomeName,
  type RatingCauseName,
  type RatingSourceName,
  type RungName,
  type ScopeName,
  type StageName,
} from "./vocabulary.js";

/** What a rater says of one call. */
export interface Rating {
  /** The outcome in force, after the floors. One that this version does not know is destructive. */
  readonly outcome: OutcomeName;
  /** One sentence. Raw text: a model may have written it. */
  readonly reason: string;
  readonly source: RatingSourceName | undefined;
  /** Why the call could not be assessed. Undefined when it was. */
  readonly cause: RatingCauseName | undefined;
  /** What the floors found, in the order checked. */
  readonly floors: readonly {
    readonly kind: FloorKindName | undefined;
    readonly reason: string;
    readonly raised: boolean;
  }[];
  /** A tool that is approved already and does the same. Empty when there is none. */
  readonly suggestedTool: string;
  /** The message as it was received. */
  readonly raw: RatingMessage;
}

/** What was decided about one call. */
export interface Decision {
  /** May the call run, once, now? A dry run never says so. */
  readonly approved: boolean;
  readonly action: ActionName;
  readonly stage: StageName;
  /** What was stored by an approval or a human's rejection. */
  readonly scope: ScopeName | undefined;
  /** After a rejection, what to hand to the model as the tool's result; otherwise what a person should read. Raw text. */
  readonly message: string;
  /** The message, safe to print row by row. */
  readonly framedLines: readonly string[];
  /** The id of the durable record. Empty with a dry run. */
  readonly decisionId: string;
  /** The id that the decision was asked for under. */
  readonly requestId: string;
  /** What a human answers, where one was asked. */
  readonly escalationId: string | undefined;
  /** What a human answers, where this call halted its run. */
  readonly haltId: string | undefined;
  /** Is the run that the call belongs to halted? */
  readonly runHalted: boolean;
  /** Was it made for an earlier request with this id? */
  readonly replayed: boolean;
  readonly rung: RungName | undefined;
  readonly rating: Rating | undefined;
  /** The entry that decided, or that led to the rating or the human. */
  readonly matchedRule: MatchedRule | undefined;
  /** What the people who run the agent should know. */
  readonly notices: readonly Notice[];
  /** The answer of the human who settled it. */
  readonly human: HumanAnswer | undefined;
  /** The rejections of the negotiation, after this decision. */
  readonly budget:
    | { readonly consecutiveRejections: number; readonly rejectionsSinceHuman: number }
    | undefined;
  /** Every step on the way, with a dry run. */
  readonly explanation: Explanation | undefined;
  /** The message as it was received. */
  readonly raw: DecideResponse;
}

/** What a decision is asked for with, as far as its answer must repeat it. */
export type Asked = Pick<DecideRequest, "sessionId" | "runId" | "requestId" | "dryRun">;

/** The decision of an answer that is complete, known, and meant for this request. Throws {@link UnexpectedAnswer} otherwise. */
export function decisionOf(asked: Asked, raw: DecideResponse): Decision {
  const action = nameOf(Action, raw.action);
  const stage = nameOf(Stage, raw.stage);
  if (action === undefined) {
    throw new UnexpectedAnswer(`it states no action that is known here (${raw.action})`);
  }
  if (stage === undefined) {
    throw new UnexpectedAnswer(`it states no stage that is known here (${raw.stage})`);
  }
  const scope = nameOf(Scope, raw.scope);
  if (!asked.dryRun) {
    if (raw.requestId !== asked.requestId) {
      throw new UnexpectedAnswer("it is the answer to another request");
    }
    if (raw.sessionId !== asked.sessionId || raw.runId !== asked.runId) {
      throw new UnexpectedAnswer("it is of another session or run");
    }
    if (raw.decisionId === "") {
      throw new UnexpectedAnswer("it names no decision");
    }
    if (action === "APPROVE" && scope === undefined) {
      throw new UnexpectedAnswer(`it approves without a scope that is known here (${raw.scope})`);
    }
    if (action === "ESCALATE" && raw.escalationId === "" && raw.haltId === "") {
      throw new UnexpectedAnswer("it waits for nobody");
    }
  }
  return {
    approved: action === "APPROVE" && !asked.dryRun,
    action,
    stage,
    scope,
    message: raw.message,
    framedLines: raw.framedLines,
    decisionId: raw.decisionId,
    requestId: raw.requestId,
    escalationId: raw.escalationId === "" ? undefined : raw.escalationId,
    haltId: raw.haltId === "" ? undefined : raw.haltId,
    runHalted: raw.runHalted,
    replayed: raw.replayed,
    rung: nameOf(Rung, raw.rung),
    rating: raw.rating === undefined ? undefined : ratingOf(raw.rating),
    matchedRule: raw.matchedRule,
    notices: raw.notices,
    human: raw.human,
    budget: raw.budget,
    explanation: raw.explanation,
    raw,
  };
}

export function ratingOf(raw: RatingMessage): Rating {
  return {
    outcome: nameOf(Outcome, raw.outcome) ?? "DESTRUCTIVE",
    reason: raw.reason,
    source: nameOf(RatingSource, raw.source),
    cause: nameOf(RatingCause, raw.cause),
    floors: raw.floors.map(({ kind, reason, raised }) => ({ kind: nameOf(FloorKind, kind), reason, raised })),
    suggestedTool: raw.suggestedTool,
    raw,
  };
}
