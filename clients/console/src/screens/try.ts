// Try it: what would be decided about a call, step by step. Nothing is recorded, stored, rated or asked.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallSchema } from "@haltgate/client/haltgate/v1/call";
import { h, replace } from "../dom.ts";
import { patiently, problemOf } from "../gate.ts";
import { explanationView } from "../parts/explanation.ts";
import { SessionSelect } from "../parts/sessions.ts";
import type { Page, Screen } from "../screen.ts";

export class TryScreen implements Screen {
  readonly title = "Try it";
  readonly element: HTMLElement;
  private readonly kind = h(
    "select",
    { id: "try-kind", on: { change: () => this.fields() } },
    h("option", { value: "shell" }, "shell command"),
    h("option", { value: "tool" }, "tool"),
    h("option", { value: "mcp" }, "MCP server's tool"),
  );
  private readonly text = h("textarea", {
    id: "try-text",
    rows: "5",
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
  });
  private readonly textLabel = h("label", { for: "try-text" });
  private readonly session: SessionSelect;
  private readonly cwd = h("input", {
    id: "try-cwd",
    type: "text",
    autocomplete: "off",
    placeholder: "/work",
  });
  private readonly server = h("input", {
    id: "try-server",
    type: "text",
    maxlength: "256",
    autocomplete: "off",
  });
  private readonly name = h("input", { id: "try-name", type: "text", maxlength: "256", autocomplete: "off" });
  private readonly result = h("div", {
    class: "result",
    role: "region",
    "aria-live": "polite",
    "aria-label": "Explanation",
  });
  private asked = 0;

  constructor(private readonly page: Page) {
    this.session = new SessionSelect(page, "try-session", "a new one", () => undefined);
    const field = (label: string, input: HTMLElement, name: string): HTMLElement =>
      h("div", { "data-field": name }, h("label", { for: input.id }, label), input);
    const form = h(
      "form",
      {
        class: "try-form",
        on: {
          submit: (event) => {
            event.preventDefault();
            void this.explain();
          },
          keydown: (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void this.explain();
            }
          },
        },
      },
      h(
        "div",
        { class: "filters" },
        field("Kind", this.kind, "kind"),
        field("Server", this.server, "server"),
        field("Tool", this.name, "name"),
        field("Session", this.session.element, "session"),
        field("Working folder", this.cwd, "cwd"),
      ),
      this.textLabel,
      this.text,
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "submit", class: "primary" }, "Explain", h("kbd", {}, "Ctrl Enter")),
        h("span", { class: "quiet" }, "Nothing is recorded, stored, rated or asked."),
      ),
    );
    this.element = h("div", { class: "page" }, h("h1", { tabindex: "-1" }, "Try it"), form, this.result);
    this.fields();
  }

  reset(): void {
    this.asked += 1;
    this.result.replaceChildren();
  }

  shown(parameters: URLSearchParams): void {
    this.session.load(parameters.get("session") ?? this.session.value).catch((thrown: unknown) => {
      this.page.fail("The sessions could not be listed", problemOf(thrown));
    });
    const command = parameters.get("command");
    if (command !== null) {
      this.kind.value = "shell";
      this.fields();
      this.text.value = command;
      void this.explain();
    }
  }

  private fields(): void {
    const kind = this.kind.value;
    this.textLabel.textContent = kind === "shell" ? "Command" : "Arguments, as a JSON object";
    for (const [name, visible] of [
      ["server", kind === "mcp"],
      ["name", kind !== "shell"],
    ] as const) {
      const field = this.element?.querySelector<HTMLElement>(`[data-field="${name}"]`);
      if (field !== null && field !== undefined) {
        field.hidden = !visible;
      }
    }
  }

  private call(): MessageInitShape<typeof CallSchema> {
    const cwd = this.cwd.value.trim();
    const text = this.text.value;
    const name = this.name.value;
    switch (this.kind.value) {
      case "mcp":
        return {
          kind: { case: "mcpTool", value: { server: this.server.value, name, argumentsJson: text, cwd } },
        };
      case "tool":
        return { kind: { case: "tool", value: { name, argumentsJson: text, cwd } } };
      default:
        return { kind: { case: "shell", value: { command: text, cwd } } };
    }
  }

  private async explain(): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    const command = this.kind.value === "shell" ? this.text.value : null;
    try {
      const decision = await this.page.gate.client.decide(
        { project: this.page.project, sessionId: this.session.value, call: this.call(), dryRun: true },
        patiently(),
      );
      if (asked === this.asked) {
        replace(this.result, explanationView(decision, command));
      }
    } catch (thrown) {
      if (asked === this.asked) {
        replace(
          this.result,
          h("p", { class: "problem", role: "alert" }, `Not explained: ${problemOf(thrown).text}.`),
        );
      }
    }
  }
}
