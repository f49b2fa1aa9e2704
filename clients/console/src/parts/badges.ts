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
  const cause = rating.cause === RatingCause.UNSPECIFIED ? "" : causeWord(rating.cause);
  return h(
    "p",
    { class: "quiet" },
    [sourceWord(rating.source), cause].filter((word) => word !== "").join(" · "),
    rating.source === RatingSource.MODEL && " ",
    rating.source === RatingSource.MODEL && raw(rating.model),
    rating.reused ? " · reused" : ` · ${duration(rating.duration)}`,
    ...rating.floors.flatMap((floor): Child[] => [
      ` · floor: ${floorWord(floor.kind)}${floor.raised ? " (raised it)" : ""}: `,
      raw(floor.reason),
    ]),
    rating.suggestedTool !== "" && " · approved already and does the same: ",
    rating.suggestedTool !== "" && raw(rating.suggestedTool),
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
