// How something that waited for a human was settled.

import { AttackHaltState } from "@haltgate/client/haltgate/v1/human";
import { h } from "../dom.ts";
import { ago } from "../time.ts";
import type { Settled } from "../watch.ts";
import { escalationStateWord, haltStateWord, scopeWord } from "../words.ts";
import { callLine } from "./call.ts";
import { raw } from "./text.ts";

export function settledWords(settled: Settled): string {
  if (settled.kind === "halt") {
    return settled.item.state === AttackHaltState.OPEN
      ? "settled elsewhere"
      : haltStateWord(settled.item.state);
  }
  const { answer, state } = settled.item;
  const scope = answer === undefined ? "" : scopeWord(answer.scope);
  return [escalationStateWord(state), scope].filter((word) => word !== "").join(", ");
}

// What it was, how it was settled, by whom and when.
export function settledLine(settled: Settled): (Node | string)[] {
  const { item } = settled;
  return [
    h("span", { class: "item-line" }, callLine(item.subject, item.call)),
    h(
      "span",
      { class: "item-meta" },
      h("b", {}, settledWords(settled)),
      item.answer === undefined ? "" : h("span", {}, "by ", raw(item.answer.answeredBy)),
      h("span", { class: "push" }, ago(item.answer?.answeredAt ?? item.raisedAt)),
    ),
  ];
}
