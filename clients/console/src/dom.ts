// Elements. Text becomes text nodes and nothing else: there is no way here to write markup, a style or an event handler
// from a string.

export type Child = Node | string | null | undefined | false;

export interface Attributes {
  readonly class?: string;
  readonly on?: { readonly [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
  readonly [name: string]: unknown;
}

const TEXT_ATTRIBUTE =
  /^(aria-[a-z]+|data-[a-z-]+|class|id|role|for|name|type|value|title|placeholder|href|datetime|rows|min|max|maxlength|autocomplete|autocapitalize|inputmode|spellcheck|list|scope|colspan|tabindex|lang|dir|enterkeyhint)$/;

// An element with its attributes and children. True stands for an attribute without a value; false and undefined for
// none.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on" || value === undefined || value === false) {
      continue;
    }
    if (value === true) {
      element.toggleAttribute(name, true);
    } else if (TEXT_ATTRIBUTE.test(name)) {
      element.setAttribute(name, String(value));
    } else {
      throw new Error(`the attribute ${name} is not one that the console sets`);
    }
  }
  for (const [name, listener] of Object.entries(attributes.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
    }
  }
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

export type IconName = "check" | "warning" | "stop" | "info" | "wait" | "cross" | "gate";

const PATHS: Readonly<Record<IconName, string>> = {
  check: "M3 8.5l3.2 3.2L13 4.8",
  warning: "M8 2.2L14.6 13.6H1.4zM8 6.2v3.6M8 11.6v.4",
  stop: "M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.6v4M8 10.9v.4",
  info: "M8 1.6a6.4 6.4 0 1 0 0 12.8A6.4 6.4 0 0 0 8 1.6zM8 7.2v4M8 4.7v.4",
  wait: "M8 1.6a6.4 6.4 0 1 0 0 12.8A6.4 6.4 0 0 0 8 1.6zM8 4.4V8l2.4 1.6",
  cross: "M4 4l8 8M12 4l-8 8",
  gate: "M2 14V4.5M14 14V4.5M2 6.5h12M5 9.5v4.5M8 9.5v4.5M11 9.5v4.5M2 9.5h12",
};

// A drawing beside words that say the same.
export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.appendChild(path);
  return svg;
}
