// Now: what waits for a human in this project, one item whole beside the list, and what was settled lately.

import type { Escalation } from "@haltgate/client/haltgate/v1/human";
import { h, replace } from "../dom.ts";
import type { Command } from "../keys.ts";
import { type Choice, choices } from "../offer.ts";
import { callLine, kindWord } from "../parts/call.ts";
import { outcomeBadge } from "../parts/badges.ts";
import { settledLine } from "../parts/settled.ts";
import { raw } from "../parts/text.ts";
import { Question } from "../question.ts";
import type { Page, Screen } from "../screen.ts";
import { ago } from "../time.ts";
import type { News } from "../watch.ts";

// An item that came on screen by itself is not answered by a key that was meant for the one before, in milliseconds.
const ARMED_AFTER = 500;

export class NowScreen implements Screen {
  readonly title = "Now";
  readonly element: HTMLElement;
  private readonly heading = h("h1", { tabindex: "-1" }, "Waiting for you");
  private readonly list = h("ol", { class: "items" });
  private readonly detail = h("div", { class: "split-detail" });
  private readonly lately = h("section", { class: "lately", "aria-label": "Settled lately" });
  private readonly rows = new Map<string, HTMLElement>();
  private question: Question | null = null;
  private selectedAt = 0;

  constructor(private readonly page: Page) {
    this.element = h(
      "div",
      { class: "split" },
      h("div", { class: "split-list" }, this.heading, this.list, this.lately),
      this.detail,
    );
    this.reset();
  }

  reset(): void {
    this.question = null;
    this.rows.clear();
    this.list.replaceChildren();
    this.update();
  }

  shown(): void {
    this.update();
  }

  news(news: News): void {
    if (news.kind === "settled" && news.settled.id === this.question?.id) {
      this.question.settled(news.settled);
    } else if (news.kind === "gone" && news.id === this.question?.id) {
      this.question.gone();
    }
    this.update();
  }

  offered(): { readonly offered: readonly Choice[]; readonly settled: boolean } {
    const question = this.question;
    const offered = question === null || !question.open ? [] : choices(question.escalation.offer);
    return { offered, settled: performance.now() - this.selectedAt >= ARMED_AFTER };
  }

  command(command: Command): void {
    switch (command.kind) {
      case "move":
        this.move(command.by);
        return;
      case "comment":
        this.question?.focusComment();
        return;
      case "answer": {
        const choice = this.offered().offered.find((offered) => offered.name === command.choice);
        if (choice !== undefined) {
          void this.question?.answer(choice);
        }
        return;
      }
      case "help":
      case "screen":
        return;
    }
  }

  private move(by: 1 | -1): void {
    const waiting = this.page.watch.escalations;
    const at = waiting.findIndex((item) => item.escalationId === this.question?.id);
    const next = at < 0 ? waiting[0] : waiting[Math.min(waiting.length - 1, Math.max(0, at + by))];
    if (next !== undefined) {
      this.select(next, true);
      this.rows.get(next.escalationId)?.querySelector("button")?.focus();
    }
  }

  // `meant` is true when a person chose this item, and not the page.
  private select(escalation: Escalation, meant: boolean): void {
    this.selectedAt = meant ? Number.NEGATIVE_INFINITY : performance.now();
    if (this.question?.id !== escalation.escalationId || !this.question.open) {
      this.question = new Question(this.page, escalation, () => this.goOn());
      replace(this.detail, this.question.element);
    }
    this.mark();
  }

  // An answer from here was accepted: on to what waits next.
  private goOn(): void {
    const next = this.page.watch.escalations[0];
    if (next === undefined) {
      this.question = null;
      this.update();
      this.heading.focus();
      return;
    }
    this.select(next, false);
    this.rows.get(next.escalationId)?.querySelector("button")?.focus();
  }

  private update(): void {
    const waiting = this.page.watch.escalations;
    const ids = new Set(waiting.map((item) => item.escalationId));
    for (const [id, row] of this.rows) {
      if (!ids.has(id)) {
        row.remove();
        this.rows.delete(id);
      }
    }
    for (const item of waiting) {
      if (!this.rows.has(item.escalationId)) {
        const row = this.buildRow(item);
        this.rows.set(item.escalationId, row);
        this.list.append(row);
      }
    }
    this.heading.textContent = this.headingOf(waiting.length);
    const first = waiting[0];
    if (this.question === null) {
      if (first !== undefined) {
        this.select(first, false);
      } else {
        replace(
          this.detail,
          h("p", { class: "empty" }, "When an agent needs an answer, its question appears here by itself."),
        );
      }
    }
    this.mark();
    this.buildLately();
  }

  private headingOf(waiting: number): string {
    if (!this.page.follows) {
      return "This tab does not follow along";
    }
    return waiting === 0 ? "Nothing waits for you" : `Waiting for you: ${waiting}`;
  }

  private mark(): void {
    for (const [id, row] of this.rows) {
      const button = row.querySelector("button");
      if (id === this.question?.id) {
        button?.setAttribute("aria-current", "true");
      } else {
        button?.removeAttribute("aria-current");
      }
    }
  }

  private buildRow(item: Escalation): HTMLElement {
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "item", on: { click: () => this.select(item, true) } },
        h("span", { class: "item-line" }, callLine(item.subject, item.call)),
        h(
          "span",
          { class: "item-meta" },
          outcomeBadge(item.rating),
          h("span", {}, kindWord(item.subject)),
          raw(item.sessionId),
          h("span", { class: "push" }, ago(item.raisedAt)),
        ),
      ),
    );
  }

  private buildLately(): void {
    const { settled } = this.page.watch;
    this.lately.hidden = settled.length === 0;
    replace(
      this.lately,
      h("h2", {}, "Settled lately"),
      h("ul", {}, ...settled.slice(0, 12).map((item) => h("li", {}, ...settledLine(item)))),
    );
  }
}
