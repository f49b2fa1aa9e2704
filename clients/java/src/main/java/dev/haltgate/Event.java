package dev.haltgate;

/**
 * What happened in a feed of items.
 *
 * @param <I> {@link Escalation} or {@link AttackHalt}
 */
public sealed interface Event<I> {
  /**
   * Where to resume behind this event, with {@link WatchOptions#after}.
   *
   * @return the cursor; empty until the snapshot has ended
   */
  String cursor();

  /**
   * It waits for an answer. Also each item that was open when the feed began.
   *
   * @param <I> the kind of item
   * @param item what it happened to
   * @param cursor where to resume
   */
  record Raised<I>(I item, String cursor) implements Event<I> {}

  /**
   * A human settled it; its state says how.
   *
   * @param <I> the kind of item
   * @param item what it happened to
   * @param cursor where to resume
   */
  record Answered<I>(I item, String cursor) implements Event<I> {}

  /**
   * It needs no answer any more.
   *
   * @param <I> the kind of item
   * @param item what it happened to
   * @param cursor where to resume
   */
  record Withdrawn<I>(I item, String cursor) implements Event<I> {}

  /**
   * Nobody answered in time.
   *
   * @param <I> the kind of item
   * @param item what it happened to
   * @param cursor where to resume
   */
  record Expired<I>(I item, String cursor) implements Event<I> {}

  /**
   * Everything that was open when the feed began has been told.
   *
   * @param <I> the kind of item
   * @param open how many items that were
   * @param cursor where to resume
   */
  record SnapshotEnd<I>(int open, String cursor) implements Event<I> {}

  /**
   * The feed begins anew, since the gate cannot tell what happened behind the cursor. Forget what
   * was open: what still is comes again.
   *
   * @param <I> the kind of item
   * @param cursor empty
   */
  record Restarted<I>(String cursor) implements Event<I> {}
}
