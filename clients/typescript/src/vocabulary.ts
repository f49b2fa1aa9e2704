// The closed vocabularies of the contract as plain texts: "APPROVE" for ACTION_APPROVE.

import type { Hint } from "./gen/haltgate/v1/entry_pb.js";
import type { ErrorReason } from "./gen/haltgate/v1/error_reason_pb.js";
import type { FloorKind, Outcome, RatingCause, RatingSource } from "./gen/haltgate/v1/rating_pb.js";
import type { Action, Rung, Scope, Stage } from "./gen/haltgate/v1/vocabulary_pb.js";

type Names<Vocabulary> = Exclude<keyof Vocabulary & string, "UNSPECIFIED">;

/** What the caller must do. */
export type ActionName = Names<typeof Action>;
/** The step that decided. */
export type StageName = Names<typeof Stage>;
/** How far an approval or a rejection reaches. */
export type ScopeName = Names<typeof Scope>;
/** How much a session's agent may do unasked. */
export type RungName = Names<typeof Rung>;
/** What a rating says of a call. */
export type OutcomeName = Names<typeof Outcome>;
/** Where an outcome comes from. */
export type RatingSourceName = Names<typeof RatingSource>;
/** Why a call could not be assessed. */
export type RatingCauseName = Names<typeof RatingCause>;
/** Which floor found something. */
export type FloorKindName = Names<typeof FloorKind>;
/** What a tool's provider may claim of it. */
export type HintName = Names<typeof Hint>;
/** Why the gate refused a request. */
export type ErrorReasonName = Names<typeof ErrorReason>;

type Vocabulary = Readonly<Record<string, string | number>>;

/** The name of a value. Undefined when it is not stated, or one of a newer contract. */
export function nameOf<V extends Vocabulary>(vocabulary: V, value: number): Names<V> | undefined {
  const name = vocabulary[String(value)];
  return value === 0 || typeof name !== "string" ? undefined : (name as Names<V>);
}

/** The value of a name. `undefined` is UNSPECIFIED. */
export function valueNamed<V extends Vocabulary>(
  vocabulary: V,
  name: Names<V> | undefined,
): Extract<V[keyof V], number> {
  const value = name === undefined ? 0 : vocabulary[name];
  if (typeof value !== "number") {
    throw new TypeError(`"${String(name)}" is none of ${namesOf(vocabulary).join(", ")}`);
  }
  return value as Extract<V[keyof V], number>;
}

/** Every name that may be stated. */
export function namesOf<V extends Vocabulary>(vocabulary: V): Names<V>[] {
  const names = Object.entries(vocabulary).filter(([, value]) => typeof value === "number" && value !== 0);
  return names.map(([name]) => name as Names<V>);
}
