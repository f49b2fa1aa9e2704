// The attack banner: above everything, on every screen. It asks for one typed phrase; whatever else is sent stops the
// run. A halt that is settled elsewhere takes what was typed for it along.

import { type AttackHalt, Verdict } from "@haltgate/client/haltgate/v1/human";
import { Scope } from "@haltgate/client/haltgate/v1/vocabulary";
import { h, icon, replace } from "./dom.ts";
import { freshId, patiently, problemOf } from "./gate.ts";
import { framed, raw, wholeTextOnDemand } from "./parts/text.ts";
import { facts, judgedText, labelsView } from "./parts/call.ts";
import { edited, meaning, NOTHING_TYPED, RUN_ANYWAY, type Typed } from "./phrase.ts";
import type { Page } from "./screen.ts";
import { ago } from "./time.ts";
import { rungWord, stageWord } from "./words.ts";

// A key that was meant for what was on screen before must not stop a run, in milliseconds.
const ARMED_AFTER = 600;

const REFUSED_WAYS = new Set([
  "insertFromPaste",
  "insertFromPasteAsQuotation",
  "insertFromDrop",
  "insertFromYank",
  "insertReplacementText",
]);

export class Banner {
  readonly element = h("section", { class: "banner", "aria-label": "Halted runs", hidden: true });
  private shownId: string | null = null;
  private readonly requestIds = new Map<string, string>();

  constructor(private readonly page: Page) {}

  get open(): boolean {
    return this.shownId !== null;
  }

  reset(): void {
    this.requestIds.clear();
    this.shownId = null;
    this.update();
  }

  // Shows the halt that waits longest. One that is on show already stays as it is, with what was typed.
  update(): void {
    const halts = this.page.watch.halts;
    const current = halts.find((halt) => halt.haltId === this.shownId) ?? halts[0];
    if (current === undefined) {
      this.shownId = null;
      this.element.hidden = true;
      this.element.replaceChildren();
      return;
    }
    this.element.hidden = false;
    if (current.haltId !== this.shownId) {
      this.shownId = current.haltId;
      this.build(current);
    }
    const count = this.element.querySelector(".banner-count");
    if (count !== null) {
      count.textContent = halts.length === 1 ? "" : `1 of ${halts.length} halted runs`;
    }
  }

  focus(): void {
    this.element.querySelector<HTMLInputElement>("input")?.focus();
    this.element.scrollIntoView({ block: "start" });
  }

  private build(halt: AttackHalt): void {
    const shownAt = performance.now();
    let typed: Typed = NOTHING_TYPED;
    let sent: Verdict | null = null;
    const hint = h("p", { class: "banner-hint", id: "banner-hint", "aria-live": "polite" });
    const input = h("input", {
      id: "banner-phrase",
      type: "text",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      enterkeyhint: "send",
      "aria-describedby": "banner-hint",
    });
    const send = h("button", { type: "submit", class: "danger" });
    const stop = h("button", { type: "button" }, "Stop the run", h("kbd", {}, "Esc"));
    const problem = h("p", { class: "problem", role: "alert" });
    const show = (): void => {
      const runs = meaning(typed.text) === "run-anyway";
      send.textContent = runs ? "Run this one command" : "Send";
      hint.textContent = typed.refused
        ? "That was not typed, so it was dropped. Type the phrase letter by letter."
        : runs
          ? "Enter now runs this one command. Nothing is remembered."
          : "Enter now stops the run.";
      hint.classList.toggle("runs", runs);
    };
    const answer = async (verdict: Verdict): Promise<void> => {
      // One attempt. Only the same answer can be sent again, when it did not get through.
      if (sent !== null && sent !== verdict) {
        return;
      }
      sent = verdict;
      input.disabled = true;
      send.disabled = true;
      stop.disabled = true;
      problem.textContent = "";
      await this.send(halt, verdict, (text) => {
        problem.textContent = `Not answered: ${text}.`;
        hint.textContent = "Only the same answer can be sent again.";
        const again = verdict === Verdict.STOP ? stop : send;
        again.disabled = false;
        again.textContent =
          verdict === Verdict.STOP ? "Stop the run: send again" : "Run this one command: send again";
        again.focus();
      });
    };
    const refuse = (event: Event): void => {
      event.preventDefault();
      typed = { text: typed.text, refused: true };
      show();
    };
    input.addEventListener("beforeinput", (event) => {
      if (REFUSED_WAYS.has(event.inputType)) {
        refuse(event);
      }
    });
    input.addEventListener("paste", refuse);
    input.addEventListener("drop", refuse);
    input.addEventListener("input", () => {
      typed = edited(typed, input.value);
      if (input.value !== typed.text) {
        input.value = typed.text;
      }
      show();
    });
    const armed = (): boolean => performance.now() - shownAt >= ARMED_AFTER;
    const form = h(
      "form",
      {
        class: "banner-form",
        on: {
          submit: (event) => {
            event.preventDefault();
            if (sent !== null) {
              void answer(sent);
            } else if (armed()) {
              void answer(meaning(typed.text) === "run-anyway" ? Verdict.RUN_ANYWAY : Verdict.STOP);
            }
          },
          keydown: (event) => {
            if (event.key === "Escape" && armed() && sent === null) {
              event.preventDefault();
              void answer(Verdict.STOP);
            }
          },
        },
      },
      h(
        "label",
        { for: "banner-phrase" },
        "Type the phrase ",
        h("b", {}, RUN_ANYWAY),
        ", or anything else to stop:",
      ),
      h("div", { class: "banner-answer" }, input, send, stop),
      hint,
      problem,
    );
    stop.addEventListener("click", () => void answer(Verdict.STOP));
    show();
    replace(
      this.element,
      h(
        "div",
        { class: "banner-head" },
        h("h2", { id: "banner-title" }, icon("stop"), "Run halted: a command was rated an attack"),
        h("span", { class: "banner-count" }),
      ),
      facts([
        ["Session", raw(halt.sessionId)],
        ["Run", raw(halt.runId, "the session's unnamed run")],
        ["Rung", rungWord(halt.rung)],
        ["By", stageWord(halt.stage)],
        ["Halted", ago(halt.raisedAt)],
        ["Waits until", halt.expiresAt !== undefined && ago(halt.expiresAt)],
        ["Labels", labelsView(halt.labels)],
      ]),
      framed((halt.prompt?.framedLines ?? []).filter((line) => !line.startsWith("RUN HALTED:"))),
      wholeTextOnDemand("The whole call, unshortened", judgedText(halt.call)),
      form,
    );
  }

  private async send(halt: AttackHalt, verdict: Verdict, failed: (text: string) => void): Promise<void> {
    const { haltId } = halt;
    const requestId = this.requestIds.get(haltId) ?? freshId();
    this.requestIds.set(haltId, requestId);
    try {
      const { settled } = await this.page.gate.client.answer(
        {
          project: this.page.project,
          target: { case: "haltId", value: haltId },
          verdict,
          scope: Scope.ONCE,
          requestId,
        },
        patiently(),
      );
      const item = settled.case === "halt" ? settled.value : halt;
      this.page.say(
        verdict === Verdict.RUN_ANYWAY
          ? "This one command runs now. Nothing was remembered: the next one like it halts the run again."
          : "The run stays halted.",
      );
      this.page.watch.settle({ kind: "halt", id: haltId, item });
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.reason === "ALREADY_ANSWERED" || problem.reason === "NO_LONGER_OPEN") {
        this.page.fail("Somebody or something settled this halt first", problem);
        this.page.watch.settle({ kind: "halt", id: haltId, item: halt });
        return;
      }
      failed(problem.text);
    }
  }
}
