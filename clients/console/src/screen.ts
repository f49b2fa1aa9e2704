// What the screens share with the page around them.

import type { Gate, Problem } from "./gate.ts";
import type { Command } from "./keys.ts";
import type { Choice } from "./offer.ts";
import type { News, Watch } from "./watch.ts";

export interface Page {
  readonly gate: Gate;
  readonly project: string;
  readonly watch: Watch;
  // False while other tabs follow along in the place of this one.
  readonly follows: boolean;
  // Says something to people who listen instead of looking, and shows it for a moment.
  say(text: string): void;
  // Shows why something failed.
  fail(doing: string, problem: Problem): void;
  // Goes to a screen. The address keeps the parameters.
  go(screen: ScreenName, parameters?: Readonly<Record<string, string>>): void;
  // Writes the parameters of the screen on show into the address.
  remember(parameters: Readonly<Record<string, string>>): void;
}

export type ScreenName = "now" | "grants" | "decisions" | "try";

export interface Screen {
  readonly title: string;
  readonly element: HTMLElement;
  // It is on show from now on, with the parameters of its address.
  shown(parameters: URLSearchParams): void;
  // The project is another one: nothing of the old one may stay.
  reset(): void;
  news?(news: News): void;
  // A key that the page does not handle itself.
  command?(command: Command): void;
  // What may be answered by a key right now.
  offered?(): { readonly offered: readonly Choice[]; readonly settled: boolean };
}
