// Grants: what humans allowed and refused in this project, to look at and to take back, and the trust in MCP servers.

import type { Denial, Grant } from "@haltgate/client/haltgate/v1/grants";
import { Scope } from "@haltgate/client/haltgate/v1/vocabulary";
import { type Child, h, replace } from "../dom.ts";
import { freshId, patiently, problemOf } from "../gate.ts";
import { AddForm } from "../parts/add.ts";
import { annotationsView, entrySummary, entryView } from "../parts/badges.ts";
import { facts } from "../parts/call.ts";
import { confirmed } from "../parts/confirm.ts";
import { SessionSelect } from "../parts/sessions.ts";
import { raw } from "../parts/text.ts";
import { Trust } from "../parts/trust.ts";
import type { Page, Screen } from "../screen.ts";
import { ago } from "../time.ts";
import { scopeWord } from "../words.ts";

const PAGE_SIZE = 100;

export class GrantsScreen implements Screen {
  readonly title = "Grants";
  readonly element: HTMLElement;
  private readonly session: SessionSelect;
  private readonly text = h("input", {
    type: "search",
    id: "grants-text",
    autocomplete: "off",
    maxlength: "200",
    on: { change: () => void this.load() },
  });
  private readonly list = h("div", { class: "cards" });
  private readonly trust: Trust;
  private readonly add: AddForm;
  private asked = 0;

  constructor(private readonly page: Page) {
    this.session = new SessionSelect(page, "grants-session", "the project's own", () => void this.load());
    this.trust = new Trust(page, () => this.session.value);
    this.add = new AddForm(
      page,
      () => this.session.value,
      () => void this.load(),
    );
    this.element = h(
      "div",
      { class: "page" },
      h("h1", { tabindex: "-1" }, "Grants"),
      h(
        "div",
        { class: "filters", role: "search" },
        h("label", { for: "grants-session" }, "Session"),
        this.session.element,
        h("label", { for: "grants-text" }, "Contains"),
        this.text,
        h("button", { type: "button", on: { click: () => void this.load() } }, "Refresh"),
      ),
      this.list,
      this.add.element,
      this.trust.element,
    );
  }

  reset(): void {
    this.asked += 1;
    this.list.replaceChildren();
    this.trust.clear();
    this.text.value = "";
  }

  shown(parameters: URLSearchParams): void {
    const selected = parameters.get("session") ?? this.session.value;
    this.session.load(selected).catch((thrown: unknown) => {
      this.page.fail("The sessions could not be listed", problemOf(thrown));
    });
    void this.load();
  }

  private async load(): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    this.page.remember(this.session.value === "" ? {} : { session: this.session.value });
    void this.trust.load();
    this.add.sessionChanged();
    await this.loadPage(asked, "");
  }

  private async loadPage(asked: number, pageToken: string): Promise<void> {
    try {
      const { result } = await this.page.gate.client.manageGrants(
        {
          project: this.page.project,
          sessionId: this.session.value,
          operation: { case: "list", value: { text: this.text.value, pageSize: PAGE_SIZE, pageToken } },
        },
        patiently(),
      );
      if (asked !== this.asked || result.case !== "list") {
        return;
      }
      const { grants, denials, nextPageToken } = result.value;
      const cards = [
        ...grants.map((grant) => this.grantCard(grant)),
        ...denials.map((denial) => this.denialCard(denial)),
      ];
      this.list.querySelector(".more")?.remove();
      if (pageToken === "") {
        replace(
          this.list,
          cards.length === 0 && h("p", { class: "empty" }, "Nobody has granted or refused anything here."),
        );
      }
      this.list.append(...cards);
      if (nextPageToken !== "") {
        const more = (): void => void this.loadPage(asked, nextPageToken);
        this.list.append(h("button", { type: "button", class: "more", on: { click: more } }, "More"));
      }
    } catch (thrown) {
      if (asked === this.asked) {
        this.page.fail("The grants could not be listed", problemOf(thrown));
      }
    }
  }

  private grantCard(grant: Grant): HTMLElement {
    const uses = grant.terms?.maxUses;
    const revoke = confirmed("Revoke", "Revoke this grant?", async () => {
      await this.change("The grant was not revoked", "Revoked.", {
        case: "revoke",
        value: { target: { case: "objectText", value: grant.entry?.objectText ?? "" }, scope: grant.scope },
      });
    });
    return card(
      "allow",
      grant.scope === Scope.ALWAYS ? "Allowed for the project" : `Allowed for the ${scopeWord(grant.scope)}`,
      entrySummary(grant.entry),
      entryView(grant.entry),
      revoke,
      [
        ["Granted", h("span", {}, ago(grant.grantedAt), ", by ", raw(grant.grantedBy, "nobody named"))],
        ["Session", grant.sessionId !== "" && raw(grant.sessionId)],
        ["Ends", ago(grant.terms?.expiresAt, "never")],
        ["Uses left", uses === undefined ? "no limit" : `${grant.usesLeft ?? uses} of ${uses}`],
        ["Last used", ago(grant.lastUsedAt, "never")],
        ["Note", grant.terms !== undefined && grant.terms.note !== "" && raw(grant.terms.note)],
        ["Annotations when granted", annotationsView(grant.annotations)],
      ],
    );
  }

  private denialCard(denial: Denial): HTMLElement {
    const lift = confirmed("Lift", "Lift this denial?", async () => {
      await this.change("The denial was not lifted", "Lifted.", {
        case: "lift",
        value: { target: { case: "objectText", value: denial.entry?.objectText ?? "" } },
      });
    });
    return card(
      "deny",
      "Refused for the session",
      entrySummary(denial.entry),
      entryView(denial.entry),
      lift,
      [
        ["Refused", h("span", {}, ago(denial.deniedAt), ", by ", raw(denial.deniedBy, "nobody named"))],
        ["Session", raw(denial.sessionId)],
        ["Note", denial.note !== "" && raw(denial.note)],
      ],
    );
  }

  private async change(
    failed: string,
    done: string,
    operation: Parameters<Page["gate"]["client"]["manageGrants"]>[0]["operation"],
  ): Promise<void> {
    try {
      await this.page.gate.client.manageGrants(
        {
          project: this.page.project,
          sessionId: this.session.value,
          requestId: freshId(),
          ...(operation === undefined ? {} : { operation }),
        },
        patiently(),
      );
      this.page.say(done);
    } catch (thrown) {
      this.page.fail(failed, problemOf(thrown));
    }
    await this.load();
    this.element.querySelector<HTMLElement>("h1")?.focus();
  }
}

function card(
  kind: "allow" | "deny",
  heading: string,
  summary: HTMLElement,
  entry: HTMLElement,
  action: HTMLElement,
  about: readonly (readonly [string, Child])[],
): HTMLElement {
  return h(
    "section",
    { class: `card card-${kind}` },
    h("div", { class: "card-head" }, h("h2", {}, heading, ": ", summary), action),
    entry,
    facts(about),
  );
}
