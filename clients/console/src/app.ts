// The page: what stands around the screens. It holds the server, the project and what waits in it, hands keys and news
// on, and says how the connection stands.

import type { AttackHalt } from "@haltgate/client/haltgate/v1/human";
import { Banner } from "./banner.ts";
import { h, icon, replace } from "./dom.ts";
import type { Link } from "./follow.ts";
import { Gate, type Problem, patiently, problemOf } from "./gate.ts";
import { helpDialog } from "./help.ts";
import { type Command, commandFor } from "./keys.ts";
import { oneLine } from "./neutralise.ts";
import { callLine } from "./parts/call.ts";
import type { Page, Screen, ScreenName } from "./screen.ts";
import { DecisionsScreen } from "./screens/decisions.ts";
import { GrantsScreen } from "./screens/grants.ts";
import { NowScreen } from "./screens/now.ts";
import { TryScreen } from "./screens/try.ts";
import { Places } from "./tabs.ts";
import { refreshTimes } from "./time.ts";
import { TokenDialog } from "./token.ts";
import { type News, Watch } from "./watch.ts";

const NAMES: readonly ScreenName[] = ["now", "grants", "decisions", "try"];
const DEFAULT_PROJECT = "default";
// How long the search for a free place takes at the most, in milliseconds.
const PLACE_IS_FOUND = 400;
// How long a message stays on screen, in milliseconds.
const MESSAGE_STAYS = 6_000;

export class App implements Page {
  readonly gate: Gate;
  project = DEFAULT_PROJECT;
  watch: Watch;
  // Taken to be so until it is clear that there is no place.
  follows = true;
  private placed = false;
  private readonly places = new Places(
    () => this.follow(true),
    () => this.follow(false),
  );
  private readonly screens: Readonly<Record<ScreenName, Screen>>;
  private readonly banner: Banner;
  private readonly token: TokenDialog;
  private current: ScreenName | null = null;
  // Parameters of a screen that do not belong into the address.
  private handed: Readonly<Record<string, string>> | null = null;
  private link: Link = { state: "connecting" };

  private readonly main = h("main", { id: "main" });
  private readonly nav = h("nav", { "aria-label": "Screens" });
  private readonly count = h("span", { class: "count", hidden: true });
  private readonly status = h("div", { class: "status" });
  private readonly statusText = h("span", { role: "status" });
  private readonly retryButton = h("button", { type: "button", hidden: true }, "Retry now");
  private readonly polite = h("div", { class: "messages", role: "status", "aria-live": "polite" });
  private readonly heard = h("div", { class: "heard", "aria-live": "polite" });
  private readonly assertive = h("div", { class: "heard", role: "alert", "aria-live": "assertive" });
  private readonly failures = h("div", { class: "failures", role: "alert" });
  private readonly told = h("section", {
    class: "told",
    "aria-label": "Runs halted unattended",
    hidden: true,
  });
  private readonly projectInput = h("input", {
    id: "project",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "128",
  });
  private readonly holder = h("span", { class: "quiet" });
  private readonly signedIn = h(
    "div",
    { class: "signed-in", hidden: true },
    this.holder,
    h("button", { type: "button", on: { click: () => this.signOut() } }, "Sign out"),
  );
  private readonly help = helpDialog();
  private readonly about = h("footer", {});

  constructor(root: HTMLElement) {
    this.token = new TokenDialog((token) => {
      this.gate.useToken(token);
      this.showHolder();
      this.watch.retry();
      this.refresh();
      void this.aboutServer();
    });
    this.gate = new Gate(window.location.origin, () => this.token.ask(this.gate.holder !== ""));
    this.project = this.address().parameters.get("project") ?? DEFAULT_PROJECT;
    this.watch = this.newWatch();
    this.banner = new Banner(this);
    this.screens = {
      now: new NowScreen(this),
      grants: new GrantsScreen(this),
      decisions: new DecisionsScreen(this),
      try: new TryScreen(this),
    };
    this.build(root);
    this.showHolder();
    this.route();
    this.places.seek();
    window.setTimeout(() => {
      if (!this.placed) {
        this.follow(false);
      }
    }, PLACE_IS_FOUND);
    void this.aboutServer();
  }

  say(text: string): void {
    const message = h("p", {}, text);
    this.polite.append(message);
    window.setTimeout(() => message.remove(), MESSAGE_STAYS);
  }

  fail(doing: string, problem: Problem): void {
    const close = h("button", { type: "button", "aria-label": "Dismiss" }, icon("cross"));
    const message = h("p", {}, icon("warning"), h("span", {}, `${doing}: ${problem.text}.`), close);
    close.addEventListener("click", () => message.remove());
    while (this.failures.childElementCount >= 3) {
      this.failures.firstElementChild?.remove();
    }
    this.failures.append(message);
  }

  go(screen: ScreenName, parameters: Readonly<Record<string, string>> = {}): void {
    this.handed = parameters;
    const next = this.addressOf(screen, {});
    if (window.location.hash === next) {
      this.route();
    } else {
      window.location.hash = next;
    }
  }

  remember(parameters: Readonly<Record<string, string>>): void {
    if (this.current !== null) {
      window.history.replaceState(null, "", this.addressOf(this.current, parameters));
    }
  }

  private newWatch(): Watch {
    return new Watch(this.gate, this.project, (news) => this.news(news));
  }

  // Begins to follow the feeds, or leaves that to other tabs.
  private follow(follows: boolean): void {
    this.placed = follows;
    this.follows = follows;
    this.watchAnew();
  }

  // Follows the feeds of the project from their beginning, where this tab does at all.
  private watchAnew(): void {
    this.watch.stop();
    this.watch = this.newWatch();
    this.link = this.watch.link;
    this.banner.reset();
    this.screens.now.reset();
    if (this.placed) {
      this.watch.start();
    }
    this.showLink();
    this.showCount();
  }

  private build(root: HTMLElement): void {
    NAMES.forEach((name, index) => {
      const link = h(
        "a",
        { href: this.addressOf(name, {}), "data-screen": name, "aria-keyshortcuts": String(index + 1) },
        this.screens[name].title,
      );
      if (name === "now") {
        link.append(this.count);
      }
      this.nav.append(link);
    });
    this.projectInput.value = this.project;
    this.retryButton.addEventListener("click", () =>
      this.follows ? this.watch.retry() : this.places.take(),
    );
    this.status.append(this.statusText, this.retryButton);
    const projectForm = h(
      "form",
      {
        class: "project",
        on: {
          submit: (event) => {
            event.preventDefault();
            this.chooseProject(this.projectInput.value.trim());
            this.projectInput.blur();
          },
        },
      },
      h("label", { for: "project" }, "Project"),
      this.projectInput,
    );
    this.projectInput.addEventListener("change", () => this.chooseProject(this.projectInput.value.trim()));
    const helpButton = h(
      "button",
      {
        type: "button",
        class: "help-button",
        "aria-label": "Keys",
        on: { click: () => this.help.showModal() },
      },
      "?",
    );
    root.append(
      h(
        "a",
        { class: "skip", href: "#main", on: { click: (event) => this.skip(event) } },
        "Skip to the content",
      ),
      this.banner.element,
      this.told,
      h(
        "header",
        { class: "top" },
        h("div", { class: "brand" }, icon("gate"), h("span", {}, "haltgate")),
        this.nav,
        h("div", { class: "push tools" }, this.status, this.signedIn, projectForm, helpButton),
      ),
      this.failures,
      this.main,
      this.about,
      this.polite,
      this.heard,
      this.assertive,
      this.help,
      this.token.element,
    );
    window.addEventListener("hashchange", () => this.route());
    window.addEventListener("online", () => this.watch.retry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && this.link.state === "waiting") {
        this.watch.retry();
      }
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.setInterval(() => {
      refreshTimes(document, Date.now());
      this.showLink();
    }, 1000);
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.focusHeading();
  }

  private focusHeading(): void {
    this.main.querySelector<HTMLElement>("h1")?.focus();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target instanceof HTMLElement ? event.target : null;
    const screen = this.current === null ? null : this.screens[this.current];
    const { offered, settled } = screen?.offered?.() ?? { offered: [], settled: false };
    const command = commandFor(event, {
      typing: target?.matches("input, textarea, select, [contenteditable]") ?? false,
      covered: this.banner.open || document.querySelector("dialog[open]") !== null,
      list: screen?.command !== undefined,
      offered,
      settled,
    });
    if (command !== null) {
      event.preventDefault();
      this.carryOut(command, screen);
    }
  }

  private carryOut(command: Command, screen: Screen | null): void {
    switch (command.kind) {
      case "help":
        this.help.showModal();
        return;
      case "screen": {
        const name = NAMES[command.index];
        if (name !== undefined) {
          this.go(name);
        }
        return;
      }
      case "move":
      case "comment":
      case "answer":
        screen?.command?.(command);
        return;
    }
  }

  private news(news: News): void {
    switch (news.kind) {
      case "linked":
        this.link = this.watch.link;
        this.showLink();
        if (news.link.state === "token-needed") {
          this.token.ask(this.gate.holder !== "");
        }
        break;
      case "halt-raised":
        this.help.close();
        this.banner.update();
        this.assertive.textContent = `Attack halt. A run of session ${oneLine(news.item.sessionId)} was halted.`;
        this.banner.focus();
        break;
      case "halt-told":
        this.assertive.textContent = `A run of session ${oneLine(news.item.sessionId)} was halted. Nobody is waited for.`;
        this.addTold(news.item);
        break;
      case "escalation-raised":
        this.heard.textContent = `New question from session ${oneLine(news.item.sessionId)}. ${news.item.prompt?.headline ?? ""}`;
        break;
      case "settled":
      case "gone": {
        const had = this.banner.open;
        this.banner.update();
        if (had) {
          if (this.banner.open) {
            this.banner.focus();
          } else {
            this.focusHeading();
          }
        }
        break;
      }
    }
    this.screens.now.news?.(news);
    this.showCount();
  }

  private addTold(halt: AttackHalt): void {
    const close = h("button", { type: "button" }, "Seen");
    const line = h(
      "p",
      {},
      icon("stop"),
      h("b", {}, "Run halted, nobody was listening: "),
      callLine(halt.subject, halt.call),
      close,
    );
    close.addEventListener("click", () => {
      line.remove();
      this.told.hidden = this.told.childElementCount === 0;
    });
    while (this.told.childElementCount >= 5) {
      this.told.firstElementChild?.remove();
    }
    this.told.append(line);
    this.told.hidden = false;
  }

  private showCount(): void {
    const waiting = this.watch.escalations.length;
    const halted = this.watch.halts.length;
    this.count.hidden = waiting === 0;
    this.count.textContent = String(waiting);
    const mark = halted > 0 ? "HALT " : "";
    document.title = `${mark}${waiting > 0 ? `(${waiting}) ` : ""}haltgate`;
  }

  private showLink(): void {
    const { link, follows } = this;
    const text = follows ? linkWords(link, Date.now()) : "Followed in other tabs";
    if (this.statusText.textContent !== text) {
      this.statusText.textContent = text;
    }
    this.status.className = follows ? `status status-${link.state}` : "status status-elsewhere";
    this.status.title = link.state === "waiting" || link.state === "token-needed" ? link.problem : "";
    this.retryButton.hidden = follows && link.state !== "waiting";
    this.retryButton.textContent = follows ? "Retry now" : "Follow here";
    document.body.classList.toggle("stale", link.state === "waiting" || link.state === "token-needed");
  }

  private chooseProject(project: string): void {
    const next = project === "" ? DEFAULT_PROJECT : project;
    this.projectInput.value = next;
    if (next === this.project) {
      return;
    }
    this.project = next;
    this.told.replaceChildren();
    this.told.hidden = true;
    for (const name of NAMES) {
      this.screens[name].reset();
    }
    this.watchAnew();
    for (const link of this.nav.querySelectorAll("a")) {
      link.setAttribute("href", this.addressOf((link.dataset.screen ?? "now") as ScreenName, {}));
    }
    this.remember({});
    this.refresh();
    void this.aboutServer();
  }

  // Shows the current screen anew, with the parameters of its address.
  private refresh(): void {
    if (this.current !== null) {
      this.screens[this.current].shown(this.address().parameters);
    }
  }

  private address(): { readonly screen: ScreenName; readonly parameters: URLSearchParams } {
    const [path = "", query = ""] = window.location.hash.replace(/^#\/?/, "").split("?", 2);
    const screen = NAMES.find((name) => name === path) ?? "now";
    return { screen, parameters: new URLSearchParams(query) };
  }

  private addressOf(screen: ScreenName, parameters: Readonly<Record<string, string>>): string {
    const all = this.project === DEFAULT_PROJECT ? parameters : { project: this.project, ...parameters };
    const query = new URLSearchParams(all).toString();
    return query === "" ? `#/${screen}` : `#/${screen}?${query}`;
  }

  private route(): void {
    const { screen, parameters } = this.address();
    const project = parameters.get("project") ?? DEFAULT_PROJECT;
    const first = this.current === null;
    const moved = this.current !== screen;
    this.current = screen;
    if (moved) {
      replace(this.main, this.screens[screen].element);
      for (const link of this.nav.querySelectorAll("a")) {
        if (link.dataset.screen === screen) {
          link.setAttribute("aria-current", "page");
        } else {
          link.removeAttribute("aria-current");
        }
      }
    }
    if (project !== this.project) {
      this.chooseProject(project);
    }
    for (const [name, value] of Object.entries(this.handed ?? {})) {
      parameters.set(name, value);
    }
    this.handed = null;
    this.screens[screen].shown(parameters);
    if (moved && !first && !this.banner.open) {
      this.focusHeading();
      window.scrollTo(0, 0);
    }
  }

  private showHolder(): void {
    this.signedIn.hidden = this.gate.holder === "";
    this.holder.textContent = `Signed in ${this.gate.holder}`;
  }

  // What is on screen goes with the token: the page begins anew.
  private signOut(): void {
    this.gate.useToken("");
    window.location.reload();
  }

  private async aboutServer(): Promise<void> {
    try {
      const info = await this.gate.client.getServerInfo({ project: this.project }, patiently());
      replace(
        this.about,
        `haltgate ${info.version} · policy ${info.policyRevision}${info.ephemeral ? " · nothing is kept after it stops" : ""}`,
      );
    } catch (thrown) {
      replace(this.about, problemOf(thrown).text);
    }
  }
}

// How the connection stands, in words.
export function linkWords(link: Link, now: number): string {
  switch (link.state) {
    case "connecting":
      return "Connecting…";
    case "live":
      return "Live";
    case "waiting":
      return `Not connected. Retry ${link.attempt} in ${Math.max(0, Math.ceil((link.until - now) / 1000))} s`;
    case "token-needed":
      return "A token is needed";
  }
}
