// What a human may answer to an escalation: exactly what is on offer, in the order of the prompt's menu.

import type { AnswerOffer } from "@haltgate/client/haltgate/v1/human";
import { Verdict } from "@haltgate/client/haltgate/v1/human";
import { Scope } from "@haltgate/client/haltgate/v1/vocabulary";

export type ChoiceName = "once" | "session" | "always" | "no" | "deny";

export interface Choice {
  readonly name: ChoiceName;
  readonly key: string;
  readonly label: string;
  readonly verdict: Verdict;
  readonly scope: Scope;
  // Which entry it stores.
  readonly stores: "grant" | "denial" | null;
}

const EVERY: readonly Choice[] = [
  { name: "once", key: "o", label: "Once", verdict: Verdict.APPROVE, scope: Scope.ONCE, stores: null },
  {
    name: "session",
    key: "s",
    label: "Session",
    verdict: Verdict.APPROVE,
    scope: Scope.SESSION,
    stores: "grant",
  },
  {
    name: "always",
    key: "a",
    label: "Always",
    verdict: Verdict.APPROVE,
    scope: Scope.ALWAYS,
    stores: "grant",
  },
  { name: "no", key: "n", label: "No", verdict: Verdict.REJECT, scope: Scope.ONCE, stores: null },
  {
    name: "deny",
    key: "d",
    label: "Deny for session",
    verdict: Verdict.REJECT,
    scope: Scope.SESSION,
    stores: "denial",
  },
];

// A choice that would store something is on offer only together with the entry that it stores.
export function choices(offer: AnswerOffer | undefined): readonly Choice[] {
  if (offer === undefined) {
    return EVERY.filter((choice) => choice.name === "no");
  }
  return EVERY.filter((choice) => {
    const scopes = choice.verdict === Verdict.APPROVE ? offer.approveScopes : offer.rejectScopes;
    const stored = choice.stores === null || offer[choice.stores] !== undefined;
    return scopes.includes(choice.scope) && stored;
  });
}
