// Asks for a token when the server wants one. It is handed on and kept nowhere here.

import { h } from "./dom.ts";

export class TokenDialog {
  readonly element: HTMLDialogElement;
  private readonly why = h("p", { role: "status" });
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
      h("h2", { id: "token-title" }, "Sign in"),
      this.why,
      h("p", {}, "The token stays in this tab, until it is closed or you sign out."),
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
        h("button", { type: "submit", class: "primary" }, "Sign in"),
      ),
    );
  }

  // `refused`: a token was shown, and is not accepted.
  ask(refused: boolean): void {
    this.why.textContent = refused
      ? "The server does not accept the token: it is unknown, expired or revoked."
      : "This server answers callers that it knows. Paste your token.";
    if (!this.element.open && this.element.isConnected) {
      this.element.showModal();
    }
  }
}
