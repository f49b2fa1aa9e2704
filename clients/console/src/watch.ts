// What waits for a human in one project, and what was settled lately: both feeds, followed for as long as the project
// is on screen.

import { type AttackHalt, AttackHaltState, type Escalation } from "@haltgate/client/haltgate/v1/human";
import type { FeedChange } from "./feed.ts";
import { attackHalts, endingOf, escalations } from "./feeds.ts";
import { Follow, type Link, type Surroundings } from "./follow.ts";
import type { Gate } from "./gate.ts";

// Something that needs no answer any more.
export type Settled =
  | { readonly kind: "escalation"; readonly id: string; readonly item: Escalation }
  | { readonly kind: "halt"; readonly id: string; readonly item: AttackHalt };

// What a listener is told.
export type News =
  | { readonly kind: "escalation-raised"; readonly item: Escalation }
  | { readonly kind: "halt-raised"; readonly item: AttackHalt }
  // A run was halted, and nobody is waited for.
  | { readonly kind: "halt-told"; readonly item: AttackHalt }
  | { readonly kind: "settled"; readonly settled: Settled }
  // It is gone, and how it was settled is not known here.
  | { readonly kind: "gone"; readonly id: string }
  // How one of the two connections stands now.
  | { readonly kind: "linked"; readonly link: Link };

// How many settled items are kept for a look back.
const LOOK_BACK = 30;

export class Watch {
  // The latest first.
  settled: readonly Settled[] = [];
  private readonly links: { escalations: Link; halts: Link } = {
    escalations: { state: "connecting" },
    halts: { state: "connecting" },
  };
  private readonly escalationFeed: Follow<Escalation>;
  private readonly haltFeed: Follow<AttackHalt>;
  // Settled here, while the feed has not said so yet.
  private readonly closed = new Set<string>();

  constructor(
    gate: Gate,
    readonly project: string,
    private readonly tell: (news: News) => void,
  ) {
    this.escalationFeed = new Follow<Escalation>({
      ...time,
      open: (after, signal, accepted) => escalations(gate, project, after, signal, accepted),
      changed: (changes) => {
        for (const change of changes) {
          this.escalationChanged(change);
        }
      },
      linked: (link) => this.linked("escalations", link),
    });
    this.haltFeed = new Follow<AttackHalt>({
      ...time,
      open: (after, signal, accepted) => attackHalts(gate, project, after, signal, accepted),
      changed: (changes) => {
        for (const change of changes) {
          this.haltChanged(change);
        }
      },
      linked: (link) => this.linked("halts", link),
    });
  }

  start(): void {
    void this.escalationFeed.run();
    void this.haltFeed.run();
  }

  stop(): void {
    this.escalationFeed.stop();
    this.haltFeed.stop();
  }

  // Tries again now, where a connection waits for that.
  retry(): void {
    this.escalationFeed.retry();
    this.haltFeed.retry();
  }

  // What waits, the longest first.
  get escalations(): readonly Escalation[] {
    return [...this.escalationFeed.open.values()].filter((item) => !this.closed.has(item.escalationId));
  }

  get halts(): readonly AttackHalt[] {
    return [...this.haltFeed.open.values()].filter((item) => !this.closed.has(item.haltId));
  }

  escalation(id: string): Escalation | undefined {
    return this.closed.has(id) ? undefined : this.escalationFeed.open.get(id);
  }

  // How the worse of the two connections stands.
  get link(): Link {
    const order: readonly Link["state"][] = ["token-needed", "waiting", "connecting", "live"];
    const { escalations: first, halts: second } = this.links;
    return order.indexOf(first.state) <= order.indexOf(second.state) ? first : second;
  }

  // It was settled by an answer from here.
  settle(settled: Settled): void {
    if (this.settled.some((known) => known.id === settled.id)) {
      return;
    }
    this.closed.add(settled.id);
    this.settled = [settled, ...this.settled].slice(0, LOOK_BACK);
    this.tell({ kind: "settled", settled });
  }

  private escalationChanged(change: FeedChange<Escalation>): void {
    switch (change.kind) {
      case "added":
      case "told":
        this.tell({ kind: "escalation-raised", item: change.item });
        return;
      case "settled":
        this.settle({ kind: "escalation", id: change.id, item: change.item });
        return;
      case "gone":
        this.tell({ kind: "gone", id: change.id });
        return;
    }
  }

  private haltChanged(change: FeedChange<AttackHalt>): void {
    switch (change.kind) {
      case "added":
        this.tell({ kind: "halt-raised", item: change.item });
        return;
      case "told":
        this.closed.add(change.id);
        this.settled = [{ kind: "halt" as const, id: change.id, item: change.item }, ...this.settled].slice(
          0,
          LOOK_BACK,
        );
        this.tell({ kind: "halt-told", item: change.item });
        return;
      case "settled":
        this.settle({ kind: "halt", id: change.id, item: change.item });
        return;
      case "gone":
        this.tell({ kind: "gone", id: change.id });
        return;
    }
  }

  private linked(feed: "escalations" | "halts", link: Link): void {
    this.links[feed] = link;
    this.tell({ kind: "linked", link });
  }
}

// A halt that ended without anybody being asked.
export function wasUnattended(halt: AttackHalt): boolean {
  return halt.state === AttackHaltState.UNATTENDED;
}

// The browser's own time and chance.
const time: Pick<Surroundings<never>, "sleep" | "now" | "random" | "ending"> = {
  ending: endingOf,
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const timer =
        milliseconds === Number.POSITIVE_INFINITY
          ? undefined
          : window.setTimeout(() => resolve(), milliseconds);
      signal.addEventListener(
        "abort",
        () => {
          window.clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    }),
};
