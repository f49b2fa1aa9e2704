// What humans granted and refused, and which claims of tool providers are believed.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Client } from "./client.js";
import { type Entry, entryMessage } from "./entry.js";
import { UnexpectedAnswer } from "./errors.js";
import { Hint } from "./gen/haltgate/v1/entry_pb.js";
import type {
  Denial,
  Grant,
  GrantsExported,
  GrantsImported,
  ManageGrantsRequestSchema,
  ManageGrantsResponse,
  TrustChanged,
  TrustView,
} from "./gen/haltgate/v1/grants_pb.js";
import { Scope } from "./gen/haltgate/v1/vocabulary_pb.js";
import { freshId, send } from "./retry.js";
import { type HintName, type ScopeName, valueNamed } from "./vocabulary.js";

/** Bounds of a grant. */
export interface Terms {
  readonly expiresAt?: Date | undefined;
  /** How many calls it lets through. */
  readonly maxUses?: number | undefined;
  readonly note?: string | undefined;
}

/** What every change takes. */
export interface ChangeOptions {
  /** Makes retries safe, over processes too. Default: one is made. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An entry, or its text as lists show it. */
export type Named = Entry | { readonly objectText: string };

/** Hints of a server's tools that are believed, or are not any more. */
export interface TrustChange {
  readonly believe?: readonly HintName[] | undefined;
  readonly disbelieve?: readonly HintName[] | undefined;
}

type Request = MessageInitShape<typeof ManageGrantsRequestSchema>;
type Operation = NonNullable<Request["operation"]>;
type Result = ManageGrantsResponse["result"];
type Results = { [Given in Result as NonNullable<Given["case"]>]: NonNullable<Given["value"]> };

/** The grants of a project, and what belongs to one session of it. */
export class Grants {
  /** @internal */
  constructor(
    private readonly client: Client,
    private readonly sessionId: string,
  ) {}

  /** Every grant and denial, page by page. */
  async *list(
    options: {
      scopes?: readonly ScopeName[];
      /** What the entry's text must contain. */
      text?: string;
      pageSize?: number;
      signal?: AbortSignal;
    } = {},
  ): AsyncGenerator<{ kind: "grant"; grant: Grant } | { kind: "denial"; denial: Denial }, void, undefined> {
    let pageToken = "";
    do {
      const scopes = (options.scopes ?? []).map((scope) => valueNamed(Scope, scope));
      const value = { scopes, text: options.text ?? "", pageSize: options.pageSize ?? 0, pageToken };
      const page = this.of("list", await this.ask({ case: "list", value }, options));
      yield* page.grants.map((grant) => ({ kind: "grant" as const, grant }));
      yield* page.denials.map((denial) => ({ kind: "denial" as const, denial }));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Lets what fits the entry through, in this session or always. */
  async grant(
    entry: Entry,
    scope: "SESSION" | "ALWAYS",
    options: ChangeOptions & { terms?: Terms | undefined } = {},
  ): Promise<{ readonly grant: Grant; readonly alreadyGranted: boolean }> {
    const value = {
      entry: entryMessage(entry),
      scope: valueNamed(Scope, scope),
      ...termsMessage(options.terms),
    };
    const { grant, alreadyGranted } = this.of("grant", await this.ask({ case: "grant", value }, options));
    return { grant: present(grant, "grant"), alreadyGranted };
  }

  /** Refuses what fits the entry for the rest of the session. */
  async deny(
    entry: Entry,
    options: ChangeOptions & { note?: string | undefined } = {},
  ): Promise<{ readonly denial: Denial; readonly alreadyDenied: boolean }> {
    const value = { entry: entryMessage(entry), note: options.note ?? "" };
    const { denial, alreadyDenied } = this.of("deny", await this.ask({ case: "deny", value }, options));
    return { denial: present(denial, "denial"), alreadyDenied };
  }

  /** Takes grants back. Without a scope: wherever they are kept. */
  async revoke(
    named: Named,
    options: ChangeOptions & { scope?: "SESSION" | "ALWAYS" | undefined } = {},
  ): Promise<readonly Grant[]> {
    const value = { target: target(named), scope: valueNamed(Scope, options.scope) };
    return this.of("revoke", await this.ask({ case: "revoke", value }, options)).revoked;
  }

  /** Takes a denial back. */
  async lift(named: Named, options: ChangeOptions = {}): Promise<Denial> {
    const answer = await this.ask({ case: "lift", value: { target: target(named) } }, options);
    return present(this.of("lift", answer).lifted, "denial");
  }

  /** Which hints of which servers are believed. */
  async viewTrust(options: { signal?: AbortSignal } = {}): Promise<TrustView> {
    return this.of("viewTrust", await this.ask({ case: "viewTrust", value: {} }, options));
  }

  /** Believes hints of a server's tools, or no longer. Grants that this weakens are withdrawn. */
  async changeTrust(server: string, change: TrustChange, options: ChangeOptions = {}): Promise<TrustChanged> {
    const value = trustMessage(server, change);
    return this.of("changeTrust", await this.ask({ case: "changeTrust", value }, options));
  }

  /** What a change of trust would do. */
  async predictTrust(
    server: string,
    change: TrustChange,
    options: { signal?: AbortSignal } = {},
  ): Promise<TrustChanged> {
    const value = trustMessage(server, change);
    return this.of("predictTrust", await this.ask({ case: "predictTrust", value }, options));
  }

  /** Takes over the grants of an exported file. */
  async importFile(
    content: string,
    options: ChangeOptions & { dryRun?: boolean | undefined } = {},
  ): Promise<GrantsImported> {
    const value = { content, dryRun: options.dryRun ?? false };
    return this.of("importFile", await this.ask({ case: "importFile", value }, options));
  }

  /** The grants of the project as a file. */
  async exportFile(options: { signal?: AbortSignal } = {}): Promise<GrantsExported> {
    return this.of("exportFile", await this.ask({ case: "exportFile", value: {} }, options));
  }

  private async ask(operation: Operation, options: ChangeOptions): Promise<Result> {
    const { stub, project, deadlineMs } = this.client;
    const requestId = options.requestId ?? freshId();
    const request: Request = { project, sessionId: this.sessionId, requestId, operation };
    const answer = await send(deadlineMs, this.client.until(options.signal), "repeatable", (call) =>
      stub.manageGrants(request, call),
    );
    return answer.result;
  }

  // The result of the operation that was asked for.
  private of<Case extends keyof Results>(wanted: Case, result: Result): Results[Case] {
    if (result.case !== wanted) {
      throw new UnexpectedAnswer(`it is the result of another operation (${result.case ?? "none"})`);
    }
    return result.value as Results[Case];
  }
}

function target(named: Named) {
  return "objectText" in named
    ? { case: "objectText" as const, value: named.objectText }
    : { case: "entry" as const, value: entryMessage(named) };
}

function trustMessage(server: string, { believe = [], disbelieve = [] }: TrustChange) {
  const values = (names: readonly HintName[]) => names.map((name) => valueNamed(Hint, name));
  return { server, believe: values(believe), disbelieve: values(disbelieve) };
}

/** The terms as the contract has them; nothing where there are none. */
export function termsMessage(terms: Terms | undefined) {
  if (terms === undefined) {
    return {};
  }
  const { expiresAt, maxUses, note = "" } = terms;
  const milliseconds = expiresAt?.getTime() ?? 0;
  const seconds = BigInt(Math.floor(milliseconds / 1000));
  const nanos = (milliseconds - Number(seconds) * 1000) * 1_000_000;
  return {
    terms: {
      ...(expiresAt === undefined ? {} : { expiresAt: { seconds, nanos } }),
      ...(maxUses === undefined ? {} : { maxUses }),
      note,
    },
  };
}

function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) {
    throw new UnexpectedAnswer(`it has no ${what}`);
  }
  return value;
}
