// One record of a decision, whole.

import { NoticeLevel, type MatchedRule, type Notice } from "@haltgate/client/haltgate/v1/decision";
import {
  type DecisionRecord,
  HumanInvolvement,
  type RatingAttempt,
} from "@haltgate/client/haltgate/v1/records";
import { Outcome, RatingCause } from "@haltgate/client/haltgate/v1/rating";
import { Scope } from "@haltgate/client/haltgate/v1/vocabulary";
import { type Child, h, icon } from "../dom.ts";
import type { Page } from "../screen.ts";
import { absolute, ago, duration, milliseconds } from "../time.ts";
import {
  actionTerm,
  causeWord,
  involvementWord,
  layerWord,
  listWord,
  outcomeTerm,
  rungWord,
  scopeWord,
  stageWord,
  verdictWord,
} from "../words.ts";
import { badge, entrySummary, entryView, outcomeBadge, ratingOrigin } from "./badges.ts";
import { facts, judgedText, kindWord, labelsView, subjectFacts } from "./call.ts";
import { raw, rawBox, wholeText, wholeTextOnDemand } from "./text.ts";

export function recordView(page: Page, record: DecisionRecord): HTMLElement {
  const { rating, human, timing } = record;
  return h(
    "article",
    { class: "question", "aria-labelledby": "record-title" },
    h(
      "header",
      {},
      h(
        "h2",
        { id: "record-title" },
        badge(actionTerm(record.action)),
        ` ${stageWord(record.stage)}, ${kindWord(record.subject)}`,
      ),
      record.call?.kind.case === "shell" &&
        h(
          "button",
          {
            type: "button",
            on: {
              click: () => page.go("try", { command: judgedText(record.call), session: record.sessionId }),
            },
          },
          "Explain it now",
        ),
    ),
    wholeText(judgedText(record.call)),
    record.error !== "" && h("p", { class: "problem" }, "Deciding failed: ", raw(record.error)),
    record.message !== "" && section("The caller was told", rawBox(record.message)),
    rating !== undefined &&
      h(
        "div",
        { class: `block rating tone-${outcomeTerm(rating.outcome).tone}` },
        h("p", { class: "label" }, outcomeBadge(rating), " ", raw(rating.reason)),
        ratingOrigin(rating),
      ),
    record.ratingAttempt !== undefined && attemptView(record.ratingAttempt),
    record.matchedRule !== undefined && section("The rule that matched", ruleView(record.matchedRule)),
    human !== undefined &&
      section(
        "The human",
        h(
          "p",
          {},
          h("b", {}, verdictWord(human.verdict)),
          human.scope > Scope.ONCE ? `, ${scopeWord(human.scope)}` : "",
          ", by ",
          raw(human.answeredBy),
          ", ",
          ago(human.answeredAt),
        ),
        human.comment !== "" && h("p", {}, raw(human.comment)),
        human.stored !== undefined && entryView(human.stored),
      ),
    noticesView(record.notices),
    facts([
      ["Session", raw(record.sessionId)],
      ["Run", record.runId !== "" && raw(record.runId)],
      ["Rung", rungWord(record.rung)],
      ["Scope", record.scope > Scope.ONCE && scopeWord(record.scope)],
      [
        "Human",
        record.humanInvolvement !== HumanInvolvement.UNSPECIFIED && involvementWord(record.humanInvolvement),
      ],
      ["Hardline", record.hardline !== "" && raw(record.hardline)],
      ["Not one simple command", record.unresolved.length > 0 && raw(record.unresolved.join("; "))],
      ...subjectFacts(record.subject, record.call),
      ["Arrived", record.arrivedAt !== undefined && absolute(milliseconds(record.arrivedAt))],
      [
        "Settled",
        record.settledAt === undefined ? "not in this record" : absolute(milliseconds(record.settledAt)),
      ],
      ["Deciding took", duration(timing?.deciding)],
      ["Rating took", rating !== undefined && duration(timing?.rating)],
      ["A human took", human !== undefined && duration(timing?.human)],
      ["Asked by", raw(record.caller)],
      ["Labels", labelsView(record.labels)],
      ["Request", raw(record.requestId)],
      ["Decision", mono(record.decisionId)],
      ["Record", mono(`${record.sequence} · ${record.recordId}`)],
      ["Hash", mono(record.hash)],
      ["Policy", mono(record.policyRevision)],
    ]),
  );
}

// What a model was asked and what it said, its texts on demand.
function attemptView(attempt: RatingAttempt): HTMLElement {
  const text = (title: string, content: string): Child => content !== "" && wholeTextOnDemand(title, content);
  const tokens = attempt.promptTokens + attempt.completionTokens;
  return section(
    "What the model was asked",
    facts([
      ["Model", raw(attempt.model)],
      ["Profile", attempt.profile !== "" && raw(attempt.profile)],
      ["It said", attempt.modelOutcome !== Outcome.UNSPECIFIED && outcomeTerm(attempt.modelOutcome).word],
      ["Because", attempt.modelReason !== "" && raw(attempt.modelReason)],
      ["No verdict", attempt.cause !== RatingCause.UNSPECIFIED && causeWord(attempt.cause)],
      ["Round", attempt.round > 0 && String(attempt.round)],
      ["Took", `${duration(attempt.duration)} of at most ${duration(attempt.timeout)}`],
      ["Asked", `${attempt.attempts} ${attempt.attempts === 1 ? "time" : "times"}`],
      ["Tokens", tokens > 0n && `${attempt.promptTokens} asked, ${attempt.completionTokens} answered`],
      ["Context", attempt.contextNote !== "" && raw(attempt.contextNote)],
    ]),
    text("Its instructions", attempt.systemPrompt),
    text("The question", attempt.userPrompt),
    text("Its answer", attempt.rawResponse),
  );
}

export function ruleView(rule: MatchedRule): HTMLElement {
  const place = rule.index === undefined ? listWord(rule.list) : `${listWord(rule.list)}[${rule.index}]`;
  return h(
    "div",
    {},
    h(
      "p",
      {},
      h("b", {}, place),
      " ",
      entrySummary(rule.entry),
      `, ${layerWord(rule.layer)}`,
      rule.rated && ", still rated",
    ),
    rule.undecided !== "" &&
      h("p", { class: "quiet" }, "Counts as a match, since it could not be compared: ", raw(rule.undecided)),
    entryView(rule.entry),
  );
}

export function noticesView(notices: readonly Notice[]): HTMLElement | null {
  if (notices.length === 0) {
    return null;
  }
  return h(
    "ul",
    { class: "notices" },
    ...notices.map((notice) => {
      const info = notice.level === NoticeLevel.INFO;
      return h(
        "li",
        {},
        icon(info ? "info" : "warning"),
        h("span", {}, info ? "" : "Warning: ", raw(notice.text)),
      );
    }),
  );
}

function section(title: string, ...children: Child[]): HTMLElement {
  return h("div", { class: "block" }, h("h3", {}, title), ...children);
}

function mono(text: string): Child {
  return text !== "" && h("span", { class: "mono raw" }, text);
}
