// One escalation, whole: who wants what, the framed call, its rating, the exchange that led here, and beside each
// button exactly what it does.

import { type Escalation, Verdict } from "@haltgate/client/haltgate/v1/human";
import { Outcome } from "@haltgate/client/haltgate/v1/rating";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GrantTermsSchema } from "@haltgate/client/haltgate/v1/human";
import { append, h, icon, replace } from "./dom.ts";
import { freshId, patiently, problemOf } from "./gate.ts";
import { type Choice, choices } from "./offer.ts";
import { entrySummary, entryView, outcomeBadge, ratingOrigin } from "./parts/badges.ts";
import { facts, judgedText, labelsView, subjectFacts } from "./parts/call.ts";
import { TermsFields } from "./parts/terms.ts";
import { framedBlock, raw, wholeTextOnDemand } from "./parts/text.ts";
import { type Block, blocks } from "./rows.ts";
import type { Page } from "./screen.ts";
import { settledWords } from "./parts/settled.ts";
import { ago } from "./time.ts";
import type { Settled } from "./watch.ts";
import { outcomeTerm, reasonToAsk, rungWord } from "./words.ts";

export class Question {
  readonly element: HTMLElement;
  open = true;
  private sending = false;
  private readonly comment = h("input", {
    type: "text",
    id: "answer-comment",
    maxlength: "4000",
    autocomplete: "off",
    placeholder: "Why not, or what instead (optional)",
  });
  private readonly terms = new TermsFields("answer");
  private readonly problem = h("p", { class: "problem", role: "alert" });
  private readonly menu: HTMLElement;
  private readonly requestIds = new Map<string, string>();

  constructor(
    private readonly page: Page,
    readonly escalation: Escalation,
    private readonly answered: () => void,
  ) {
    this.menu = h("section", { class: "menu", "aria-label": "Your answer" });
    this.buildMenu();
    this.comment.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.comment.blur();
      }
    });
    this.element = h(
      "article",
      { class: "question", "aria-labelledby": "question-title" },
      h(
        "header",
        {},
        h("h2", { id: "question-title" }, escalation.prompt?.headline ?? "A call waits for an answer."),
        h(
          "p",
          { class: "why" },
          h("span", {}, icon("info"), ` ${reasonToAsk(escalation.stage)}`),
          h("span", {}, "session ", h("b", {}, raw(escalation.sessionId))),
          h("span", {}, `rung ${rungWord(escalation.rung)}`),
          h("span", {}, "asked ", ago(escalation.raisedAt)),
        ),
      ),
      ...this.body(),
      wholeTextOnDemand("The whole call, unshortened", judgedText(escalation.call)),
      this.facts(),
      this.menu,
    );
  }

  get id(): string {
    return this.escalation.escalationId;
  }

  focusComment(): void {
    this.comment.focus();
  }

  settled(settled: Settled): void {
    if (this.open) {
      const by = settled.item.answer?.answeredBy ?? "";
      this.close(h("span", {}, h("b", {}, settledWords(settled)), by === "" ? "" : " by ", raw(by)));
    }
  }

  gone(): void {
    if (this.open) {
      this.close(
        h("span", {}, "This was settled while the connection was down. The log of decisions says how."),
      );
    }
  }

  async answer(choice: Choice): Promise<void> {
    if (this.sending || !this.open) {
      return;
    }
    const terms = choice.stores === "grant" ? this.terms.read() : undefined;
    if (terms === "invalid") {
      this.problem.textContent = "The number of uses is a whole number from 1 on.";
      return;
    }
    this.sending = true;
    this.problem.textContent = "";
    this.menu.toggleAttribute("data-sending", true);
    try {
      await this.send(choice, terms);
    } finally {
      this.sending = false;
      this.menu.toggleAttribute("data-sending", false);
    }
  }

  private async send(
    choice: Choice,
    terms: MessageInitShape<typeof GrantTermsSchema> | undefined,
  ): Promise<void> {
    const comment = choice.verdict === Verdict.REJECT ? this.comment.value.trim() : "";
    const same = JSON.stringify([
      choice.name,
      comment,
      terms?.note,
      terms?.maxUses,
      String(terms?.expiresAt?.seconds),
    ]);
    const requestId = this.requestIds.get(same) ?? freshId();
    this.requestIds.set(same, requestId);
    try {
      const { settled } = await this.page.gate.client.answer(
        {
          project: this.page.project,
          target: { case: "escalationId", value: this.id },
          verdict: choice.verdict,
          scope: choice.scope,
          comment,
          requestId,
          ...(terms === undefined ? {} : { terms }),
        },
        patiently(),
      );
      const item = settled.case === "escalation" ? settled.value : this.escalation;
      this.open = false;
      this.page.watch.settle({ kind: "escalation", id: this.id, item });
      this.page.say(
        `${choice.verdict === Verdict.APPROVE ? "Approved" : "Rejected"}: ${choice.label.toLowerCase()}.`,
      );
      this.answered();
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.reason === "ALREADY_ANSWERED") {
        const { verdict = "", answered_by: by = "" } = problem.metadata;
        this.close(h("span", {}, "Somebody answered first: ", raw(verdict), " by ", raw(by)));
      } else if (problem.reason === "NO_LONGER_OPEN" || problem.reason === "ESCALATION_NOT_FOUND") {
        this.close(h("span", {}, "This needs no answer any more. ", problem.text));
      } else {
        this.problem.textContent = `Not answered: ${problem.text}. Press it again to send the same answer again.`;
      }
    }
  }

  private close(outcome: Node): void {
    this.open = false;
    replace(this.menu, h("p", { class: "outcome", role: "status" }, icon("info"), outcome));
  }

  // The server's own rows, except for the headline and what would be stored: these are beside the buttons.
  private body(): HTMLElement[] {
    const { prompt, offer, rating } = this.escalation;
    const all = blocks(prompt?.framedLines ?? []);
    const offered = (offer?.grant === undefined ? 0 : 1) + (offer?.denial === undefined ? 0 : 1);
    const shown = all.slice(0, Math.max(1, all.length - offered));
    return shown.map((block, position) => {
      if (position === 0 && block.label === prompt?.headline) {
        return this.callBlock(block);
      }
      const rated = rating !== undefined && /^\S+ Auto-rater \(/u.test(block.label);
      return rated ? this.ratingBlock(block) : framedBlock(block);
    });
  }

  // The call is the last frame of the first block; what stands before it are the server's notices.
  private callBlock(block: Block): HTMLElement {
    const element = framedBlock(block, null);
    for (const frame of [...element.querySelectorAll(".frame")].slice(0, -1)) {
      frame.classList.add("aside");
    }
    return element;
  }

  private ratingBlock(block: Block): HTMLElement {
    const { rating } = this.escalation;
    const { tone } = outcomeTerm(rating?.outcome ?? Outcome.UNSPECIFIED);
    const sentence = block.label.replace(/^\S+ /u, "");
    const element = framedBlock(block, h("span", {}, outcomeBadge(rating), " ", sentence));
    element.classList.add("rating", `tone-${tone}`);
    if (rating !== undefined) {
      element.append(ratingOrigin(rating));
    }
    return element;
  }

  private facts(): HTMLElement {
    const { escalation } = this;
    return h(
      "details",
      { class: "more-facts" },
      h("summary", {}, "More about the call"),
      facts([
        ["Session", raw(escalation.sessionId)],
        ["Run", escalation.runId !== "" && raw(escalation.runId)],
        ["Rung", rungWord(escalation.rung)],
        ["Asked", ago(escalation.raisedAt)],
        ["Expires", escalation.expiresAt !== undefined && ago(escalation.expiresAt)],
        ...subjectFacts(escalation.subject, escalation.call),
        ["Labels", labelsView(escalation.labels)],
        ["Policy", h("span", { class: "mono" }, escalation.policyRevision)],
      ]),
    );
  }

  private buildMenu(): void {
    const { offer } = this.escalation;
    const offered = choices(offer);
    const of = (...names: readonly string[]): readonly Choice[] =>
      offered.filter(({ name }) => names.includes(name));
    const row = (kind: string, buttons: readonly Choice[], ...what: (Node | string)[]): HTMLElement | null =>
      buttons.length === 0
        ? null
        : h(
            "div",
            { class: `answer answer-${kind}` },
            h("div", { class: "buttons" }, ...buttons.map((choice) => this.button(choice))),
            h("div", { class: "effect" }, ...what),
          );
    append(this.menu, [
      row("yes", of("once"), h("span", { class: "quiet" }, "Approves this one call. Nothing is stored.")),
      row(
        "yes",
        of("session", "always"),
        h("p", { class: "quiet" }, "Approves, and stores exactly: ", entrySummary(offer?.grant)),
        entryView(offer?.grant),
        this.terms.element,
      ),
      row(
        "no",
        of("no"),
        h("label", { class: "quiet", for: "answer-comment" }, "Rejects this one call. The agent is told:"),
        this.comment,
      ),
      row(
        "no",
        of("deny"),
        h(
          "p",
          { class: "quiet" },
          "Rejects, and for the rest of the session keeps exactly: ",
          entrySummary(offer?.denial),
        ),
        entryView(offer?.denial),
      ),
      this.problem,
    ]);
  }

  private button(choice: Choice): HTMLElement {
    const kind = choice.verdict === Verdict.APPROVE ? "yes" : "no";
    return h(
      "button",
      {
        type: "button",
        class: `choice ${kind}`,
        "data-choice": choice.name,
        "aria-keyshortcuts": choice.key,
        on: { click: () => void this.answer(choice) },
      },
      h("kbd", { "aria-hidden": "true" }, choice.key),
      choice.label,
    );
  }
}
