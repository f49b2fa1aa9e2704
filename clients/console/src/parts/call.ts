// What an agent wants to do, by the kind of its subject.

import { type Call, ShellDialect, type Subject } from "@haltgate/client/haltgate/v1/call";
import { type Child, h } from "../dom.ts";
import { annotationsView } from "./badges.ts";
import { raw, rawExcerpt } from "./text.ts";

// The raw text that a human judges: the command, or the arguments.
export function judgedText(call: Call | undefined): string {
  switch (call?.kind.case) {
    case "shell":
      return call.kind.value.command;
    case "tool":
    case "mcpTool":
    case "registered":
      return call.kind.value.argumentsJson === "" ? "{}" : call.kind.value.argumentsJson;
    case undefined:
      return "";
  }
}

// The call in one line of a list. The kind comes from the subject, never from a name.
export function callLine(subject: Subject | undefined, call: Call | undefined): HTMLElement {
  switch (subject?.kind.case) {
    case "shell":
      return rawExcerpt(subject.kind.value.command);
    case "tool":
      return h("span", {}, raw(subject.kind.value.name, "a tool"), " ", rawExcerpt(judgedText(call)));
    case "mcpTool": {
      const { server, name } = subject.kind.value;
      return h(
        "span",
        {},
        raw(server, "unknown server"),
        " / ",
        raw(name),
        " ",
        rawExcerpt(judgedText(call)),
      );
    }
    case undefined:
      return h("span", {}, "a call");
  }
}

export function kindWord(subject: Subject | undefined): string {
  switch (subject?.kind.case) {
    case "shell":
      return "shell";
    case "tool":
      return "tool";
    case "mcpTool":
      return "MCP tool";
    case undefined:
      return "call";
  }
}

// What the rules see in the call, for a list of facts.
export function subjectFacts(subject: Subject | undefined, call: Call | undefined): [string, Child][] {
  const facts: [string, Child][] = [];
  switch (subject?.kind.case) {
    case "shell": {
      const { command, canonical } = subject.kind.value;
      if (canonical === "") {
        facts.push(["Canonical", "not one simple command"]);
      } else if (canonical !== command) {
        facts.push(["Canonical", rawExcerpt(canonical)]);
      }
      if (call?.kind.case === "shell" && call.kind.value.dialect > ShellDialect.BASH) {
        facts.push(["Dialect", ShellDialect[call.kind.value.dialect]?.toLowerCase() ?? "unknown"]);
      }
      break;
    }
    case "tool":
      facts.push(["Tool", raw(subject.kind.value.name)]);
      addHosts(facts, subject.kind.value.hosts);
      facts.push(["Annotations", annotationsView(subject.kind.value.annotations) ?? "none"]);
      break;
    case "mcpTool":
      facts.push(["MCP server", raw(subject.kind.value.server, "could not be told")]);
      facts.push(["Tool", raw(subject.kind.value.name)]);
      facts.push(["Registered as", raw(subject.kind.value.registeredName)]);
      addHosts(facts, subject.kind.value.hosts);
      facts.push(["Annotations", annotationsView(subject.kind.value.annotations) ?? "none"]);
      break;
    case undefined:
      break;
  }
  const { cwd = "", justification = "" } = call?.kind.value ?? {};
  if (cwd !== "") {
    facts.push(["Working folder", raw(cwd)]);
  }
  if (justification !== "") {
    facts.push(["The agent says", raw(justification)]);
  }
  return facts;
}

function addHosts(facts: [string, Child][], hosts: readonly string[]): void {
  if (hosts.length > 0) {
    facts.push([hosts.length === 1 ? "Host" : "Hosts", raw(hosts.join(" "))]);
  }
}

export function facts(list: readonly (readonly [string, Child])[]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...list
      .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
      .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

export function labelsView(labels: Readonly<Record<string, string>>): Child {
  const entries = Object.entries(labels);
  return (
    entries.length > 0 &&
    h("ul", { class: "labels" }, ...entries.map(([key, value]) => h("li", {}, raw(`${key}=${value}`))))
  );
}
