// How a decision would come about: its steps, every command that bash could run, and the place where it could not be
// read any more.

import type { DecideResponse, ExplainedSegment, UnreadPart } from "@haltgate/client/haltgate/v1/decision";
import { type Child, h, icon } from "../dom.ts";
import { choices } from "../offer.ts";
import { place } from "../place.ts";
import { actionTerm, stageWord } from "../words.ts";
import { badge, entrySummary, entryView } from "./badges.ts";
import { noticesView, ruleView } from "./record.ts";
import { raw, rawBox } from "./text.ts";

// Segments that are listed at once.
const SEGMENTS_AT_ONCE = 200;

export function explanationView(decision: DecideResponse, command: string | null): HTMLElement {
  const { explanation } = decision;
  const unread = explanation?.unread;
  return h(
    "article",
    { class: "question", "aria-labelledby": "explanation-title" },
    h(
      "header",
      {},
      h(
        "h2",
        { id: "explanation-title" },
        badge(actionTerm(decision.action)),
        ` ${stageWord(decision.stage)}`,
      ),
    ),
    explanation?.ratingNeeded === true &&
      h(
        "p",
        { class: "why" },
        icon("info"),
        "The rater would be asked. This is what follows when it cannot assess the call.",
      ),
    decision.hardline !== "" &&
      h("p", { class: "problem" }, "Nothing lets this through: ", raw(decision.hardline)),
    unread !== undefined && command !== null && unreadView(command, unread),
    h(
      "div",
      { class: "block" },
      h("h3", {}, "Steps"),
      h(
        "ol",
        { class: "steps" },
        ...(explanation?.steps ?? []).map((step) =>
          h(
            "li",
            step.decided ? { class: "decided", "aria-current": "step" } : {},
            h("b", {}, raw(step.what)),
            " ",
            raw(step.found),
            step.decided && h("span", { class: "decides" }, "decides"),
          ),
        ),
      ),
    ),
    command !== null &&
      explanation !== undefined &&
      explanation.segments.length > 0 &&
      segmentsView(explanation.segments, command),
    explanation !== undefined && explanation.unresolved.length > 0 && unresolvedView(explanation.unresolved),
    decision.matchedRule !== undefined &&
      h("div", { class: "block" }, h("h3", {}, "The rule that matched"), ruleView(decision.matchedRule)),
    explanation?.offer !== undefined &&
      h(
        "div",
        { class: "block" },
        h("h3", {}, "A human would be offered"),
        h(
          "p",
          {},
          choices(explanation.offer)
            .map((choice) => choice.label)
            .join(" · "),
        ),
        explanation.offer.grant !== undefined &&
          h("p", { class: "quiet" }, "Granting stores ", entrySummary(explanation.offer.grant)),
        explanation.offer.grant !== undefined && entryView(explanation.offer.grant),
      ),
    decision.message !== "" &&
      h("div", { class: "block" }, h("h3", {}, "The caller would be told"), rawBox(decision.message)),
    noticesView(decision.notices),
  );
}

function segmentsView(segments: readonly ExplainedSegment[], command: string): HTMLElement {
  const hidden = segments.length - SEGMENTS_AT_ONCE;
  return h(
    "div",
    { class: "block" },
    h("h3", {}, segments.length === 1 ? "One command could run" : `${segments.length} commands could run`),
    h(
      "ol",
      { class: "segments" },
      ...segments.slice(0, SEGMENTS_AT_ONCE).map((segment) => segmentView(segment, command)),
    ),
    hidden > 0 && h("p", { class: "quiet" }, `and ${hidden} more.`),
  );
}

function segmentView(segment: ExplainedSegment, command: string): HTMLElement {
  const notes: Child[] = [];
  if (segment.start === undefined) {
    notes.push("built by the shell");
  } else {
    const { line, column } = place(command, segment.start);
    notes.push(`line ${line}, column ${column}`);
  }
  if (segment.reached.length > 0) {
    notes.push(" · ", raw(segment.reached.join(", ")));
  }
  return h(
    "li",
    {},
    rawBox(segment.spelling),
    h("p", { class: "quiet" }, ...notes),
    segment.opaque !== "" &&
      h(
        "p",
        { class: "opaque" },
        icon("warning"),
        h("span", {}, "Part of it cannot be read: ", raw(segment.opaque)),
      ),
  );
}

function unresolvedView(reasons: readonly string[]): HTMLElement {
  return h(
    "div",
    { class: "block" },
    h("h3", {}, "No allow entry can match"),
    h("ul", {}, ...reasons.map((reason) => h("li", {}, raw(reason)))),
  );
}

// The line that could not be read, with a caret under the place.
function unreadView(command: string, unread: UnreadPart): HTMLElement {
  const { line, column, before, after } = place(command, unread.position);
  return h(
    "div",
    { class: "block unread" },
    h(
      "p",
      { class: "label" },
      icon("warning"),
      h("span", {}, `Not read from line ${line}, column ${column} on: `, raw(unread.reason)),
    ),
    h(
      "div",
      { class: "frame" },
      h(
        "div",
        { class: "row" },
        h("span", { class: "gutter" }, `  ${line} │`),
        h(
          "span",
          { class: "raw caret-line" },
          h("span", { class: "before" }, before),
          h("span", { class: "caret", "aria-hidden": "true" }, "^"),
          h("span", { class: "after" }, after),
        ),
      ),
    ),
  );
}
