// The bounds of a grant that is about to be stored.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GrantTermsSchema } from "@haltgate/client/haltgate/v1/human";
import { h } from "../dom.ts";

const ENDS: readonly (readonly [string, number])[] = [
  ["never ends", 0],
  ["ends in 1 hour", 3600],
  ["ends in 8 hours", 8 * 3600],
  ["ends in 1 day", 86_400],
  ["ends in 7 days", 7 * 86_400],
  ["ends in 30 days", 30 * 86_400],
];

export class TermsFields {
  readonly element: HTMLElement;
  private readonly ends: HTMLSelectElement;
  private readonly uses: HTMLInputElement;
  private readonly note: HTMLInputElement;

  constructor(prefix: string) {
    this.ends = h(
      "select",
      { id: `${prefix}-ends` },
      ...ENDS.map(([words, seconds]) => h("option", { value: String(seconds) }, words)),
    );
    this.uses = h("input", {
      id: `${prefix}-uses`,
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      placeholder: "no limit",
    });
    this.note = h("input", { id: `${prefix}-note`, type: "text", maxlength: "512", autocomplete: "off" });
    this.element = h(
      "details",
      { class: "terms" },
      h("summary", {}, "Bound it"),
      h(
        "div",
        { class: "fields" },
        h("label", { for: `${prefix}-ends` }, "Grant"),
        this.ends,
        h("label", { for: `${prefix}-uses` }, "Uses"),
        this.uses,
        h("label", { for: `${prefix}-note` }, "Note"),
        this.note,
      ),
    );
  }

  // The terms; undefined when there are none, and "invalid" when the number of uses is not one.
  read(): MessageInitShape<typeof GrantTermsSchema> | undefined | "invalid" {
    const seconds = Number(this.ends.value);
    const uses = this.uses.value.trim();
    const note = this.note.value.trim();
    if (uses !== "" && !/^[1-9]\d{0,8}$/.test(uses)) {
      return "invalid";
    }
    if (seconds === 0 && uses === "" && note === "") {
      return undefined;
    }
    return {
      note,
      ...(seconds === 0
        ? {}
        : { expiresAt: { seconds: BigInt(Math.floor(Date.now() / 1000) + seconds), nanos: 0 } }),
      ...(uses === "" ? {} : { maxUses: Number(uses) }),
    };
  }
}
