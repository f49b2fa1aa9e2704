// A grant or a denial that a human writes down without being asked.

import { EntryType, type Matcher } from "@haltgate/client/haltgate/v1/entry";
import { Scope } from "@haltgate/client/haltgate/v1/vocabulary";
import { h } from "../dom.ts";
import { freshId, patiently, problemOf } from "../gate.ts";
import type { Page } from "../screen.ts";
import { ENTRY_TYPE_CHOICES, MATCHER_CHOICES } from "../words.ts";
import { TermsFields } from "./terms.ts";

const options = (choices: readonly (readonly [number, string])[]): HTMLElement[] =>
  choices.map(([value, word]) => h("option", { value: String(value) }, word));

export class AddForm {
  readonly element: HTMLElement;
  private readonly type = h("select", { id: "add-type" }, ...options(ENTRY_TYPE_CHOICES));
  private readonly matcher = h("select", { id: "add-matcher" }, ...options(MATCHER_CHOICES));
  private readonly pattern = h("input", {
    id: "add-pattern",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly server = h("input", {
    id: "add-server",
    type: "text",
    maxlength: "256",
    autocomplete: "off",
  });
  private readonly host = h("input", { id: "add-host", type: "text", maxlength: "253", autocomplete: "off" });
  private readonly effect = h(
    "select",
    { id: "add-effect" },
    h("option", { value: "always" }, "allow for the project"),
    h("option", { value: "session" }, "allow for the session"),
    h("option", { value: "deny" }, "refuse for the session"),
  );
  private readonly terms = new TermsFields("add");
  private readonly problem = h("p", { class: "problem", role: "alert" });

  constructor(
    private readonly page: Page,
    private readonly session: () => string,
    private readonly added: () => void,
  ) {
    const field = (label: string, input: HTMLElement, name: string): HTMLElement =>
      h("div", { "data-field": name }, h("label", { for: input.id }, label), input);
    const form = h(
      "form",
      {
        class: "fields grid",
        on: {
          submit: (event) => {
            event.preventDefault();
            void this.add();
          },
        },
      },
      field("Effect", this.effect, "effect"),
      field("Type", this.type, "type"),
      field("Matcher", this.matcher, "matcher"),
      field("Pattern", this.pattern, "pattern"),
      field("Server", this.server, "server"),
      field("Host", this.host, "host"),
      this.terms.element,
      h("button", { type: "submit", class: "primary" }, "Add"),
      this.problem,
    );
    this.element = h("details", { class: "add" }, h("summary", {}, "Add a grant or a denial"), form);
    this.type.addEventListener("change", () => this.sessionChanged());
    this.effect.addEventListener("change", () => this.sessionChanged());
    this.sessionChanged();
  }

  // Shows the fields that the choice needs. What holds in a session needs one.
  sessionChanged(): void {
    const type: EntryType = Number(this.type.value);
    const withoutSession = this.session() === "";
    for (const option of this.effect.options) {
      option.disabled = withoutSession && option.value !== "always";
    }
    if (withoutSession && this.effect.value !== "always") {
      this.effect.value = "always";
    }
    this.show("server", type === EntryType.MCP_TOOL);
    this.show("host", type !== EntryType.SHELL);
    this.terms.element.hidden = this.effect.value === "deny";
  }

  private show(name: string, visible: boolean): void {
    const field = this.element.querySelector<HTMLElement>(`[data-field="${name}"]`);
    if (field !== null) {
      field.hidden = !visible;
    }
  }

  private async add(): Promise<void> {
    this.problem.textContent = "";
    const type: EntryType = Number(this.type.value);
    const matcher: Matcher = Number(this.matcher.value);
    const entry = {
      type,
      matcher,
      subjectPattern: { case: "pattern" as const, value: this.pattern.value },
      server: type === EntryType.MCP_TOOL ? this.server.value : "",
      host: type === EntryType.SHELL ? "" : this.host.value,
    };
    const terms = this.terms.read();
    if (terms === "invalid") {
      this.problem.textContent = "The number of uses is a whole number from 1 on.";
      return;
    }
    const always = this.effect.value === "always";
    try {
      await this.page.gate.client.manageGrants(
        {
          project: this.page.project,
          sessionId: always ? "" : this.session(),
          requestId: freshId(),
          operation:
            this.effect.value === "deny"
              ? { case: "deny", value: { entry } }
              : {
                  case: "grant",
                  value: {
                    entry,
                    scope: always ? Scope.ALWAYS : Scope.SESSION,
                    ...(terms === undefined ? {} : { terms }),
                  },
                },
        },
        patiently(),
      );
      this.pattern.value = "";
      this.page.say("Added.");
      this.added();
    } catch (thrown) {
      this.problem.textContent = `Not added: ${problemOf(thrown).text}.`;
    }
  }
}
