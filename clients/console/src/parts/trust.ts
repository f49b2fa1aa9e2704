// The trust in MCP servers, hint by hint, for one session. A withdrawal is forecast before it is made: which grants
// would be lost by it.

import type { Hint } from "@haltgate/client/haltgate/v1/entry";
import type { ServerTrust, TrustChanged, TrustView } from "@haltgate/client/haltgate/v1/grants";
import { h, replace } from "../dom.ts";
import { freshId, patiently, problemOf } from "../gate.ts";
import { oneLine } from "../neutralise.ts";
import type { Page } from "../screen.ts";
import { HINT_CHOICES, hintWord } from "../words.ts";
import { entrySummary } from "./badges.ts";
import { raw } from "./text.ts";

interface Wish {
  readonly server: string;
  readonly hint: Hint;
  readonly believe: boolean;
}

export class Trust {
  readonly element: HTMLElement;
  private readonly table = h("div", {});
  private readonly forecast = h("div", { class: "forecast", role: "status" });
  private asked = 0;

  constructor(
    private readonly page: Page,
    private readonly session: () => string,
  ) {
    this.element = h(
      "section",
      { class: "trust", "aria-labelledby": "trust-title" },
      h("h2", { id: "trust-title" }, "Trust in MCP servers"),
      this.table,
      this.forecast,
    );
  }

  clear(): void {
    this.asked += 1;
    this.table.replaceChildren();
    this.forecast.replaceChildren();
  }

  async load(): Promise<void> {
    this.clear();
    const asked = this.asked;
    const sessionId = this.session();
    if (sessionId === "") {
      replace(this.table, h("p", { class: "quiet" }, "Trust holds in a session: choose one above."));
      return;
    }
    try {
      const { result } = await this.page.gate.client.manageGrants(
        { project: this.page.project, sessionId, operation: { case: "viewTrust", value: {} } },
        patiently(),
      );
      if (asked === this.asked && result.case === "viewTrust") {
        this.show(result.value);
      }
    } catch (thrown) {
      if (asked === this.asked) {
        this.page.fail("The trust could not be read", problemOf(thrown));
      }
    }
  }

  private show(view: TrustView): void {
    const other = h("input", { type: "text", id: "trust-server", maxlength: "256", autocomplete: "off" });
    const hint = h(
      "select",
      { id: "trust-hint" },
      ...HINT_CHOICES.map(([value, word]) => h("option", { value: String(value) }, word)),
    );
    replace(
      this.table,
      h(
        "p",
        { class: "quiet" },
        "Of a server that is not named, these hints are believed: ",
        view.defaults.length === 0 ? "none" : view.defaults.map(hintWord).join(", "),
        ".",
      ),
      view.servers.length > 0 &&
        h(
          "div",
          { class: "table", role: "region", "aria-label": "Hints believed of each server", tabindex: "0" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, "Server"),
                ...HINT_CHOICES.map(([, word]) => h("th", { scope: "col" }, word)),
              ),
            ),
            h("tbody", {}, ...view.servers.map((server) => this.row(server))),
          ),
        ),
      h(
        "form",
        {
          class: "filters",
          on: {
            submit: (event) => {
              event.preventDefault();
              const server = other.value.trim();
              if (server !== "") {
                void this.predict({ server, hint: Number(hint.value), believe: true });
              }
            },
          },
        },
        h("label", { for: "trust-server" }, "Believe another server"),
        other,
        h("label", { for: "trust-hint" }, "about"),
        hint,
        h("button", { type: "submit" }, "Forecast"),
      ),
    );
  }

  private row(server: ServerTrust): HTMLElement {
    const about = [server.configured ? "" : "not connected", server.changed ? "changed in this session" : ""];
    return h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        raw(server.server),
        ...about.filter((word) => word !== "").map((word) => h("small", {}, word)),
      ),
      ...HINT_CHOICES.map(([hint, word]) => {
        const believed = server.trusted.includes(hint);
        const wish: Wish = { server: server.server, hint, believe: !believed };
        return h(
          "td",
          {},
          h(
            "button",
            {
              type: "button",
              class: "toggle",
              "aria-pressed": String(believed),
              "aria-label": `${word} of ${oneLine(server.server)}: ${believed ? "believed" : "not believed"}`,
              on: { click: () => void this.predict(wish) },
            },
            believed ? "believed" : "not believed",
          ),
        );
      }),
    );
  }

  private async predict(wish: Wish): Promise<void> {
    try {
      const { result } = await this.page.gate.client.manageGrants(
        {
          project: this.page.project,
          sessionId: this.session(),
          operation: { case: "predictTrust", value: change(wish) },
        },
        patiently(),
      );
      if (result.case === "predictTrust") {
        this.showForecast(wish, result.value);
      }
    } catch (thrown) {
      this.page.fail("The change could not be forecast", problemOf(thrown));
    }
  }

  private showForecast(wish: Wish, forecast: TrustChanged): void {
    const words = `${wish.believe ? "Believe" : "Stop believing"} the ${hintWord(wish.hint)} hint of `;
    const go = h(
      "button",
      { type: "button", class: wish.believe ? "" : "danger", on: { click: () => void this.apply(wish) } },
      wish.believe ? "Believe" : "Withdraw",
    );
    const lost = forecast.invalidates;
    const cancel = h(
      "button",
      { type: "button", on: { click: () => this.forecast.replaceChildren() } },
      "Cancel",
    );
    replace(
      this.forecast,
      h("p", {}, h("b", {}, words, raw(forecast.server), "?")),
      h(
        "p",
        {},
        `Believed after it: ${forecast.trusted.length === 0 ? "none" : forecast.trusted.map(hintWord).join(", ")}. `,
        forecast.configured ? "" : "The session is not connected to a server of this key. ",
        lost.length > 0
          ? `${lost.length === 1 ? "One grant is" : `${lost.length} grants are`} lost at the next call of its tool:`
          : forecast.weakening.length > 0
            ? "Grants can be lost by this, though none would be now."
            : "No grant is lost by this.",
      ),
      lost.length > 0 && h("ul", {}, ...lost.map((grant) => h("li", {}, entrySummary(grant.entry)))),
      h("p", { class: "buttons" }, go, cancel),
    );
    (wish.believe ? go : cancel).focus();
  }

  private async apply(wish: Wish): Promise<void> {
    try {
      await this.page.gate.client.manageGrants(
        {
          project: this.page.project,
          sessionId: this.session(),
          requestId: freshId(),
          operation: { case: "changeTrust", value: change(wish) },
        },
        patiently(),
      );
      this.page.say(wish.believe ? "The hint is believed." : "The hint is not believed any more.");
    } catch (thrown) {
      this.page.fail("The trust was not changed", problemOf(thrown));
    }
    await this.load();
  }
}

function change({ server, hint, believe }: Wish): { server: string; believe: Hint[]; disbelieve: Hint[] } {
  return { server, believe: believe ? [hint] : [], disbelieve: believe ? [] : [hint] };
}
