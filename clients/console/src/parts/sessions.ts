// The sessions of a project to choose from.

import type { Session } from "@haltgate/client/haltgate/v1/sessions";
import { SessionState } from "@haltgate/client/haltgate/v1/sessions";
import { h } from "../dom.ts";
import { patiently } from "../gate.ts";
import { oneLine } from "../neutralise.ts";
import type { Page } from "../screen.ts";
import { rungWord } from "../words.ts";

// How many sessions are offered by name.
const OFFERED = 200;

export class SessionSelect {
  readonly element: HTMLSelectElement;

  constructor(
    private readonly page: Page,
    id: string,
    private readonly none: string,
    changed: () => void,
  ) {
    this.element = h("select", { id, on: { change: changed } });
    this.offer([], "");
  }

  get value(): string {
    return this.element.value;
  }

  // Asks which sessions there are, and selects one of them, or one that is not among them.
  async load(selected: string): Promise<void> {
    this.offer([], selected);
    const { sessions } = await this.page.gate.client.listSessions(
      { project: this.page.project, pageSize: OFFERED, states: [SessionState.OPEN, SessionState.CLOSED] },
      patiently(),
    );
    this.offer(sessions, this.element.value);
  }

  private offer(sessions: readonly Session[], selected: string): void {
    const known = sessions.some((session) => session.sessionId === selected);
    const extra = selected === "" || known ? [] : [h("option", { value: selected }, oneLine(selected))];
    this.element.replaceChildren(
      h("option", { value: "" }, this.none),
      ...extra,
      ...sessions.map((session) => {
        const closed = session.state === SessionState.CLOSED ? ", closed" : "";
        return h(
          "option",
          { value: session.sessionId },
          `${oneLine(session.sessionId)} (${rungWord(session.rung)}${closed})`,
        );
      }),
    );
    this.element.value = selected;
  }
}
