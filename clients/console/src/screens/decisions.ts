// Decisions: the durable records, filtered and paged, and one of them whole.

import type { DecisionRecord, ListDecisionsRequestSchema } from "@haltgate/client/haltgate/v1/records";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { h, replace } from "../dom.ts";
import { patiently, problemOf } from "../gate.ts";
import type { Command } from "../keys.ts";
import { badge } from "../parts/badges.ts";
import { callLine } from "../parts/call.ts";
import { recordView } from "../parts/record.ts";
import { raw } from "../parts/text.ts";
import type { Page, Screen } from "../screen.ts";
import { clock } from "../time.ts";
import { ACTION_CHOICES, actionTerm, STAGE_CHOICES, stageWord } from "../words.ts";

const PAGE_SIZE = 50;
// How long a filter rests before it is asked for, in milliseconds.
const REST = 250;

export class DecisionsScreen implements Screen {
  readonly title = "Decisions";
  readonly element: HTMLElement;
  private readonly action = select("decisions-action", "any action", ACTION_CHOICES);
  private readonly stage = select("decisions-stage", "any stage", STAGE_CHOICES);
  private readonly session = field("decisions-session");
  private readonly text = field("decisions-text");
  private readonly list = h("ol", { class: "items" });
  private readonly more = h("button", { type: "button", class: "more", hidden: true }, "Older");
  private readonly empty = h("p", { class: "empty", role: "status" });
  private readonly detail = h("div", { class: "split-detail" });
  private readonly rows = new Map<
    string,
    { readonly record: DecisionRecord; readonly button: HTMLButtonElement }
  >();
  private selected = "";
  private asked = 0;
  private resting = 0;

  constructor(private readonly page: Page) {
    for (const control of [this.action, this.stage]) {
      control.addEventListener("change", () => void this.load());
    }
    for (const control of [this.session, this.text]) {
      control.addEventListener("input", () => {
        window.clearTimeout(this.resting);
        this.resting = window.setTimeout(() => void this.load(), REST);
      });
    }
    this.element = h(
      "div",
      { class: "page" },
      h("h1", { tabindex: "-1" }, "Decisions"),
      h(
        "div",
        { class: "filters", role: "search" },
        h("label", { for: this.action.id }, "Action"),
        this.action,
        h("label", { for: this.stage.id }, "Stage"),
        this.stage,
        h("label", { for: this.session.id }, "Session"),
        this.session,
        h("label", { for: this.text.id }, "Contains"),
        this.text,
        h("button", { type: "button", on: { click: () => void this.load() } }, "Refresh"),
      ),
      h(
        "div",
        { class: "split" },
        h("div", { class: "split-list" }, this.list, this.empty, this.more),
        this.detail,
      ),
    );
  }

  reset(): void {
    this.asked += 1;
    this.clear();
    this.session.value = "";
    this.text.value = "";
    this.detail.replaceChildren();
    this.selected = "";
  }

  shown(parameters: URLSearchParams): void {
    this.action.value = parameters.get("action") ?? "";
    this.stage.value = parameters.get("stage") ?? "";
    this.session.value = parameters.get("session") ?? "";
    this.text.value = parameters.get("text") ?? "";
    this.selected = parameters.get("record") ?? "";
    void this.load();
  }

  command(command: Command): void {
    if (command.kind !== "move") {
      return;
    }
    const ids = [...this.rows.keys()];
    const at = ids.indexOf(this.selected);
    const next = ids[at < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, at + command.by))];
    const row = next === undefined ? undefined : this.rows.get(next);
    if (row !== undefined) {
      this.select(row.record);
      row.button.focus();
    }
  }

  private conditions(): MessageInitShape<typeof ListDecisionsRequestSchema> {
    return {
      project: this.page.project,
      sessionId: this.session.value.trim(),
      actions: this.action.value === "" ? [] : [Number(this.action.value)],
      stages: this.stage.value === "" ? [] : [Number(this.stage.value)],
      text: this.text.value,
      pageSize: PAGE_SIZE,
    };
  }

  private remember(): void {
    const all = {
      action: this.action.value,
      stage: this.stage.value,
      session: this.session.value.trim(),
      text: this.text.value,
      record: this.selected,
    };
    this.page.remember(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")));
  }

  private clear(): void {
    this.rows.clear();
    this.list.replaceChildren();
    this.more.hidden = true;
    this.empty.textContent = "";
  }

  private async load(): Promise<void> {
    window.clearTimeout(this.resting);
    this.asked += 1;
    const asked = this.asked;
    this.remember();
    await this.loadPage(asked, "");
    if (asked === this.asked && this.selected !== "" && !this.rows.has(this.selected)) {
      await this.loadOne(asked, this.selected);
    }
  }

  private async loadPage(asked: number, pageToken: string): Promise<void> {
    try {
      const response = await this.page.gate.client.listDecisions(
        { ...this.conditions(), pageToken },
        patiently(),
      );
      if (asked !== this.asked) {
        return;
      }
      if (pageToken === "") {
        this.clear();
      }
      for (const record of response.decisions) {
        this.addRow(record);
      }
      this.empty.textContent = this.rows.size === 0 ? "No decision fits these conditions." : "";
      this.more.hidden = response.nextPageToken === "";
      this.more.onclick = () => void this.loadPage(asked, response.nextPageToken);
      const selected = this.rows.get(this.selected);
      if (selected !== undefined) {
        this.select(selected.record);
      } else if (this.selected === "") {
        replace(this.detail, h("p", { class: "empty" }, "Choose a decision to see it whole."));
      }
    } catch (thrown) {
      if (asked === this.asked) {
        this.page.fail("The decisions could not be listed", problemOf(thrown));
      }
    }
  }

  // One record by its id, with what a model was asked about it.
  private async loadOne(asked: number, recordId: string): Promise<void> {
    try {
      const { decisions } = await this.page.gate.client.listDecisions(
        { project: this.page.project, recordId, includeRatingAttempts: true },
        patiently(),
      );
      const record = decisions[0];
      const wanted = asked === this.asked && recordId === this.selected;
      if (
        wanted &&
        record !== undefined &&
        (record.ratingAttempt !== undefined || !this.rows.has(recordId))
      ) {
        replace(this.detail, recordView(this.page, record));
      }
    } catch (thrown) {
      this.page.fail("The decision could not be read", problemOf(thrown));
    }
  }

  private addRow(record: DecisionRecord): void {
    const button = h(
      "button",
      { type: "button", class: "item", on: { click: () => this.select(record) } },
      h("span", { class: "item-line" }, callLine(record.subject, record.call)),
      h(
        "span",
        { class: "item-meta" },
        badge(actionTerm(record.action)),
        h("span", {}, stageWord(record.stage)),
        raw(record.sessionId),
        h("span", { class: "push" }, clock(record.settledAt ?? record.arrivedAt)),
      ),
    );
    this.rows.set(record.recordId, { record, button });
    this.list.append(h("li", {}, button));
  }

  private select(record: DecisionRecord): void {
    this.selected = record.recordId;
    for (const [id, { button }] of this.rows) {
      if (id === record.recordId) {
        button.setAttribute("aria-current", "true");
      } else {
        button.removeAttribute("aria-current");
      }
    }
    this.remember();
    replace(this.detail, recordView(this.page, record));
    // Lists leave out what a model was asked.
    if (record.rating !== undefined) {
      void this.loadOne(this.asked, record.recordId);
    }
  }
}

function select(id: string, any: string, choices: readonly (readonly [number, string])[]): HTMLSelectElement {
  return h(
    "select",
    { id },
    h("option", { value: "" }, any),
    ...choices.map(([value, word]) => h("option", { value: String(value) }, word)),
  );
}

function field(id: string): HTMLInputElement {
  return h("input", { id, type: "search", autocomplete: "off", spellcheck: "false", maxlength: "250" });
}
