// A button that asks once more, in its own place.

import { h } from "../dom.ts";

export function confirmed(label: string, question: string, act: () => Promise<void>): HTMLElement {
  const place = h("span", { class: "confirm" });
  const rest = (): HTMLButtonElement => {
    const button = h("button", { type: "button", on: { click: () => ask() } }, label);
    place.replaceChildren(button);
    return button;
  };
  const ask = (): void => {
    const yes = h("button", { type: "button", class: "danger" }, label);
    const no = h("button", { type: "button", on: { click: () => rest().focus() } }, "Cancel");
    yes.addEventListener("click", () => {
      yes.disabled = true;
      no.disabled = true;
      void act();
    });
    place.replaceChildren(h("span", {}, question), yes, no);
    no.focus();
  };
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && place.childElementCount > 1) {
      rest().focus();
    }
  });
  rest();
  return place;
}
