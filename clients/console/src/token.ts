// Asks for a token when the server wants one. It is handed on and kept nowhere here.

import { h } from "./dom.ts";

export class TokenDialog {
  readonly element: HTMLDialogElement;
  private readonly input = h("input", {
    id: "token",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });

  constructor(use: (token: string) => void) {
    this.element = h(
      "dialog",
      { "aria-labelledby": "token-title" },
      h("h2", { id: "token-title" }, "A token is needed"),
      h(
        "p",
        {},
        "This server answers callers that it knows. The token stays in this page's memory: a reload asks again.",
      ),
      h(
        "form",
        {
          class: "fields",
          on: {
            submit: (event) => {
              event.preventDefault();
              const token = this.input.value;
              this.input.value = "";
              this.element.close();
              use(token);
            },
          },
        },
        h("label", { for: "token" }, "Token"),
        this.input,
        h("button", { type: "submit", class: "primary" }, "Use it"),
      ),
    );
  }

  ask(): void {
    if (!this.element.open && this.element.isConnected) {
      this.element.showModal();
    }
  }
}
