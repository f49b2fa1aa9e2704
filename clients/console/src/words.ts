// The contract's closed vocabularies in words. A value of a newer server is shown by its number.

import { type Entry, EntryType, Hint, Matcher } from "@haltgate/client/haltgate/v1/entry";
import { FloorKind, Outcome, RatingCause, RatingSource } from "@haltgate/client/haltgate/v1/rating";
import { RuleLayer, RuleList } from "@haltgate/client/haltgate/v1/decision";
import { AttackHaltState, EscalationState, Verdict } from "@haltgate/client/haltgate/v1/human";
import { HumanInvolvement } from "@haltgate/client/haltgate/v1/records";
import { Action, Rung, Scope, Stage } from "@haltgate/client/haltgate/v1/vocabulary";
import type { IconName } from "./dom.ts";

// How strongly something is painted, beside its words and its drawing.
export type Tone = "quiet" | "good" | "warn" | "danger";

export interface Term {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

function term(word: string, tone: Tone, icon: IconName): Term {
  return { word, tone, icon };
}

const ACTIONS: Readonly<Record<Action, Term>> = {
  [Action.UNSPECIFIED]: term("failed", "danger", "cross"),
  [Action.APPROVE]: term("approve", "good", "check"),
  [Action.REJECT]: term("reject", "warn", "cross"),
  [Action.ESCALATE]: term("escalate", "quiet", "wait"),
  [Action.HALT]: term("halt", "danger", "stop"),
  [Action.UNATTENDED]: term("unattended", "warn", "cross"),
};

const OUTCOMES: Readonly<Record<Outcome, Term>> = {
  [Outcome.UNSPECIFIED]: term("not rated", "quiet", "info"),
  [Outcome.SAFE]: term("safe", "good", "check"),
  [Outcome.DESTRUCTIVE]: term("destructive", "warn", "warning"),
  [Outcome.CATASTROPHIC]: term("catastrophic", "danger", "stop"),
  [Outcome.ATTACK]: term("attack", "danger", "stop"),
};

const STAGES: Readonly<Record<Stage, string>> = {
  [Stage.UNSPECIFIED]: "not decided",
  [Stage.NOT_GATED]: "not gated at this rung",
  [Stage.DENY_LIST]: "deny list",
  [Stage.BYPASS]: "rung bypass",
  [Stage.HARDLINE_FLOOR]: "hardline floor",
  [Stage.ESCALATE_ENTRY]: "escalate entry",
  [Stage.ALLOW_LIST]: "allow list",
  [Stage.ALLOW_TRIPWIRE]: "allow list, still rated",
  [Stage.RATER]: "rater",
  [Stage.TOOL_OPEN_WORLD_FLOOR]: "open-world tool",
  [Stage.UNRATED_RUNG]: "unrated rung",
};

// Why a human is asked, by the stage that asked.
const REASONS_TO_ASK: Readonly<Partial<Record<Stage, string>>> = {
  [Stage.ESCALATE_ENTRY]: "an escalate entry of the policy asks for you",
  [Stage.RATER]: "the rating asks for you",
  [Stage.ALLOW_TRIPWIRE]: "allowed, but its rating asks for you",
  [Stage.TOOL_OPEN_WORLD_FLOOR]: "this tool may reach parties outside",
  [Stage.UNRATED_RUNG]: "nothing allows it, and this rung rates nothing",
};

const SCOPES: Readonly<Record<Scope, string>> = {
  [Scope.UNSPECIFIED]: "",
  [Scope.ONCE]: "once",
  [Scope.SESSION]: "session",
  [Scope.ALWAYS]: "always",
};

const RUNGS: Readonly<Record<Rung, string>> = {
  [Rung.UNSPECIFIED]: "as the policy says",
  [Rung.MANUAL]: "manual",
  [Rung.WRITE]: "write",
  [Rung.ASSISTED]: "assisted",
  [Rung.AUTO]: "auto",
  [Rung.BYPASS]: "bypass",
};

const HINTS: Readonly<Record<Hint, string>> = {
  [Hint.UNSPECIFIED]: "unknown",
  [Hint.READ_ONLY]: "read-only",
  [Hint.DESTRUCTIVE]: "destructive",
  [Hint.IDEMPOTENT]: "idempotent",
  [Hint.OPEN_WORLD]: "open-world",
};

const SOURCES: Readonly<Record<RatingSource, string>> = {
  [RatingSource.UNSPECIFIED]: "an unknown source",
  [RatingSource.BUILT_IN]: "built-in rater",
  [RatingSource.MODEL]: "model",
  [RatingSource.FLOOR]: "floor alone",
};

const CAUSES: Readonly<Record<RatingCause, string>> = {
  [RatingCause.UNSPECIFIED]: "",
  [RatingCause.NOT_ASSESSED]: "not assessed",
  [RatingCause.NO_MODEL]: "no model is configured",
  [RatingCause.TIMEOUT]: "the rater timed out",
  [RatingCause.UNPARSEABLE]: "the model's answer was no verdict",
  [RatingCause.TRANSPORT]: "the model could not be reached",
  [RatingCause.CIRCUIT_OPEN]: "the model is left alone after failures",
  [RatingCause.BUDGET_SPENT]: "the project's budget for ratings by models is spent",
};

const FLOORS: Readonly<Record<FloorKind, string>> = {
  [FloorKind.UNSPECIFIED]: "floor",
  [FloorKind.NETWORK_HOST]: "network host",
  [FloorKind.ENVIRONMENT_LEAK]: "environment leak",
  [FloorKind.OPEN_WORLD]: "open world",
};

const LISTS: Readonly<Record<RuleList, string>> = {
  [RuleList.UNSPECIFIED]: "rule",
  [RuleList.DENY]: "deny",
  [RuleList.ESCALATE]: "escalate",
  [RuleList.ALLOW]: "allow",
};

const LAYERS: Readonly<Record<RuleLayer, string>> = {
  [RuleLayer.UNSPECIFIED]: "of unknown origin",
  [RuleLayer.DECLARED]: "declared in the policy",
  [RuleLayer.SESSION_GRANT]: "granted for the session",
  [RuleLayer.PERSISTED_GRANT]: "granted for the project",
  [RuleLayer.DENIAL]: "denied for the session",
};

const INVOLVEMENTS: Readonly<Record<HumanInvolvement, string>> = {
  [HumanInvolvement.UNSPECIFIED]: "none",
  [HumanInvolvement.WAITING]: "asked, no answer yet",
  [HumanInvolvement.APPROVED]: "approved",
  [HumanInvolvement.REJECTED]: "rejected",
  [HumanInvolvement.NOBODY]: "needed, and nobody answered",
};

const VERDICTS: Readonly<Record<Verdict, string>> = {
  [Verdict.UNSPECIFIED]: "refused",
  [Verdict.APPROVE]: "approved",
  [Verdict.REJECT]: "rejected",
  [Verdict.RUN_ANYWAY]: "let it run anyway",
  [Verdict.STOP]: "left the run halted",
};

const ESCALATION_STATES: Readonly<Record<EscalationState, string>> = {
  [EscalationState.UNSPECIFIED]: "settled",
  [EscalationState.OPEN]: "waiting",
  [EscalationState.APPROVED]: "approved",
  [EscalationState.REJECTED]: "rejected",
  [EscalationState.WITHDRAWN]: "withdrawn",
  [EscalationState.EXPIRED]: "expired, counts as rejected",
};

const HALT_STATES: Readonly<Record<AttackHaltState, string>> = {
  [AttackHaltState.UNSPECIFIED]: "settled",
  [AttackHaltState.OPEN]: "halted, waiting",
  [AttackHaltState.RAN_ANYWAY]: "ran anyway, this once",
  [AttackHaltState.STOPPED]: "stopped",
  [AttackHaltState.UNATTENDED]: "halted at once, nobody was listening",
  [AttackHaltState.WITHDRAWN]: "withdrawn, stays halted",
  [AttackHaltState.EXPIRED]: "expired, stays halted",
};

const MATCHERS: Readonly<Record<Matcher, string>> = {
  [Matcher.UNSPECIFIED]: "unknown",
  [Matcher.EXACT]: "exact",
  [Matcher.GLOB]: "glob",
  [Matcher.REGEXP]: "regexp",
  [Matcher.HINT]: "hint",
};

const ENTRY_TYPES: Readonly<Record<EntryType, string>> = {
  [EntryType.UNSPECIFIED]: "unknown",
  [EntryType.SHELL]: "shell",
  [EntryType.TOOL]: "tool",
  [EntryType.MCP_TOOL]: "mcpTool",
};

function lookUp<V extends number, T>(table: Readonly<Record<V, T>>, value: V, otherwise: T): T {
  return Object.hasOwn(table, value) ? table[value] : otherwise;
}

function unknown(value: number): string {
  return `unknown (${value})`;
}

export const actionTerm = (value: Action): Term =>
  lookUp(ACTIONS, value, term(unknown(value), "danger", "cross"));
export const outcomeTerm = (value: Outcome): Term =>
  lookUp(OUTCOMES, value, term(unknown(value), "danger", "stop"));
export const stageWord = (value: Stage): string => lookUp(STAGES, value, unknown(value));
export const reasonToAsk = (value: Stage): string => REASONS_TO_ASK[value] ?? stageWord(value);
export const scopeWord = (value: Scope): string => lookUp(SCOPES, value, unknown(value));
export const rungWord = (value: Rung): string => lookUp(RUNGS, value, unknown(value));
export const hintWord = (value: Hint): string => lookUp(HINTS, value, unknown(value));
export const sourceWord = (value: RatingSource): string => lookUp(SOURCES, value, unknown(value));
export const causeWord = (value: RatingCause): string => lookUp(CAUSES, value, unknown(value));
export const floorWord = (value: FloorKind): string => lookUp(FLOORS, value, unknown(value));
export const listWord = (value: RuleList): string => lookUp(LISTS, value, unknown(value));
export const layerWord = (value: RuleLayer): string => lookUp(LAYERS, value, unknown(value));
export const involvementWord = (value: HumanInvolvement): string =>
  lookUp(INVOLVEMENTS, value, unknown(value));
export const verdictWord = (value: Verdict): string => lookUp(VERDICTS, value, unknown(value));
export const escalationStateWord = (value: EscalationState): string =>
  lookUp(ESCALATION_STATES, value, unknown(value));
export const haltStateWord = (value: AttackHaltState): string => lookUp(HALT_STATES, value, unknown(value));
export const matcherWord = (value: Matcher): string => lookUp(MATCHERS, value, unknown(value));
export const entryTypeWord = (value: EntryType): string => lookUp(ENTRY_TYPES, value, unknown(value));

// The values of a vocabulary that may be asked for, in the contract's order, with their words.
export const ACTION_CHOICES = choicesOf(ACTIONS).map(([value, { word }]) => [value, word] as const);
export const STAGE_CHOICES = choicesOf(STAGES);
export const MATCHER_CHOICES = choicesOf(MATCHERS).filter(([value]) => value !== Matcher.HINT);
export const ENTRY_TYPE_CHOICES = choicesOf(ENTRY_TYPES);
export const HINT_CHOICES = choicesOf(HINTS);

function choicesOf<V extends number, T>(table: Readonly<Record<V, T>>): readonly (readonly [V, T])[] {
  return Object.entries<T>(table)
    .map(([value, word]) => [Number(value) as V, word] as const)
    .filter(([value]) => value !== 0);
}

// What an entry speaks of, for a heading.
export function entryKind(entry: Entry | undefined): string {
  return entry === undefined ? "entry" : `${entryTypeWord(entry.type)} · ${matcherWord(entry.matcher)}`;
}
