// Short words with a drawing and a colour. The word alone says it all.

import type { RenderedEntry, ToolAnnotations } from "@haltgate/client/haltgate/v1/entry";
import { Outcome, type Rating, RatingCause, RatingSource } from "@haltgate/client/haltgate/v1/rating";
import { type Child, h, icon } from "../dom.ts";
import { causeWord, entryKind, floorWord, outcomeTerm, sourceWord, type Term } from "../words.ts";
import { raw, rawBox } from "./text.ts";
import { duration } from "../time.ts";

export function badge(term: Term, ...more: Child[]): HTMLElement {
  return h("span", { class: `badge tone-${term.tone}` }, icon(term.icon), term.word, ...more);
}

export function outcomeBadge(rating: Rating | undefined): HTMLElement {
  return badge(outcomeTerm(rating?.outcome ?? Outcome.UNSPECIFIED));
}

// Where a rating comes from and what the floors found, in one quiet line.
export function ratingOrigin(rating: Rating): HTMLElement {
  const said: Child[][] = [[sourceWord(rating.source)]];
  if (rating.source === RatingSource.MODEL) {
    said.push([raw(rating.model)]);
  }
  if (rating.cause !== RatingCause.UNSPECIFIED) {
    said.push([causeWord(rating.cause)]);
  }
  if (rating.reused) {
    said.push(["an earlier rating"]);
  } else if (rating.source === RatingSource.MODEL) {
    said.push([duration(rating.duration)]);
  }
  for (const floor of rating.floors) {
    said.push([
      `floor ${floorWord(floor.kind)}${floor.raised ? ", which raised it" : ""}: `,
      raw(floor.reason),
    ]);
  }
  if (rating.suggestedTool !== "") {
    said.push(["approved already and does the same: ", raw(rating.suggestedTool)]);
  }
  return h(
    "p",
    { class: "quiet" },
    ...said.flatMap((part, index) => (index === 0 ? part : [" · ", ...part])),
  );
}

// An entry as it is stored.
export function entryView(entry: RenderedEntry | undefined): HTMLElement {
  if (entry === undefined) {
    return h("span", { class: "none" }, "none");
  }
  return h("div", { class: "entry" }, rawBox(entry.objectText));
}

export function entrySummary(entry: RenderedEntry | undefined): HTMLElement {
  return h(
    "span",
    { class: "summary", title: entryKind(entry?.entry) },
    raw(entry?.summary ?? "", "an entry"),
  );
}

// The four hints, each with its value in words.
export function annotationsView(annotations: ToolAnnotations | undefined): HTMLElement | null {
  if (annotations === undefined) {
    return null;
  }
  const hints: readonly (readonly [string, boolean | undefined])[] = [
    ["read-only", annotations.readOnlyHint],
    ["destructive", annotations.destructiveHint],
    ["idempotent", annotations.idempotentHint],
    ["open-world", annotations.openWorldHint],
  ];
  return h(
    "ul",
    { class: "hints" },
    ...hints.map(([name, value]) =>
      h("li", {}, `${name}: `, h("b", {}, value === undefined ? "not said" : value ? "yes" : "no")),
    ),
  );
}
