// What a feed has told so far: the open items and the cursor to resume behind. Pure: knows no network, clock or screen.

// One message of a feed, whatever its kind of items.
export type FeedMessage<T> =
  | {
      readonly kind: "raised";
      readonly cursor: string;
      readonly id: string;
      readonly item: T;
      readonly waits: boolean;
    }
  | { readonly kind: "settled"; readonly cursor: string; readonly id: string; readonly item: T }
  | { readonly kind: "snapshot-end"; readonly cursor: string }
  | { readonly kind: "resume-hint"; readonly cursor: string; readonly draining: boolean }
  // A heartbeat, or an event that this page does not know.
  | { readonly kind: "nothing"; readonly cursor: string };

// What a message changed.
export type FeedChange<T> =
  // It waits for an answer.
  | { readonly kind: "added"; readonly id: string; readonly item: T }
  // It happened and needs no answer.
  | { readonly kind: "told"; readonly id: string; readonly item: T }
  | { readonly kind: "settled"; readonly id: string; readonly item: T }
  // It was settled while nobody listened; how is not known here.
  | { readonly kind: "gone"; readonly id: string; readonly item: T };

export interface FeedState<T> {
  readonly open: ReadonlyMap<string, T>;
  // Where to resume. Empty: the next connection begins with a snapshot.
  readonly cursor: string;
  // The open items that the snapshot under way has named. Null when none is.
  readonly snapshot: ReadonlySet<string> | null;
}

export function emptyFeed<T>(): FeedState<T> {
  return { open: new Map(), cursor: "", snapshot: null };
}

// A connection begins. What was open stays on screen until a snapshot says otherwise.
export function connected<T>(state: FeedState<T>): FeedState<T> {
  return { ...state, snapshot: state.cursor === "" ? new Set() : null };
}

// The cursor is of no use any more: the next connection begins with a snapshot.
export function startedOver<T>(state: FeedState<T>): FeedState<T> {
  return { ...state, cursor: "", snapshot: null };
}

export function received<T>(
  state: FeedState<T>,
  message: FeedMessage<T>,
): { readonly state: FeedState<T>; readonly changes: readonly FeedChange<T>[] } {
  const cursor = message.cursor === "" ? state.cursor : message.cursor;
  switch (message.kind) {
    case "raised": {
      if (!message.waits) {
        return {
          state: { ...state, cursor },
          changes: [{ kind: "told", id: message.id, item: message.item }],
        };
      }
      const known = state.open.has(message.id);
      const open = new Map(state.open).set(message.id, message.item);
      const snapshot = state.snapshot === null ? null : new Set(state.snapshot).add(message.id);
      return {
        state: { open, cursor, snapshot },
        changes: known ? [] : [{ kind: "added", id: message.id, item: message.item }],
      };
    }
    case "settled": {
      const open = new Map(state.open);
      open.delete(message.id);
      return {
        state: { ...state, open, cursor },
        changes: [{ kind: "settled", id: message.id, item: message.item }],
      };
    }
    case "snapshot-end": {
      const named = state.snapshot;
      if (named === null) {
        return { state: { ...state, cursor }, changes: [] };
      }
      const gone = [...state.open].filter(([id]) => !named.has(id));
      const open = new Map([...state.open].filter(([id]) => named.has(id)));
      return {
        state: { open, cursor, snapshot: null },
        changes: gone.map(([id, item]) => ({ kind: "gone", id, item })),
      };
    }
    case "resume-hint":
    case "nothing":
      return { state: { ...state, cursor }, changes: [] };
  }
}
