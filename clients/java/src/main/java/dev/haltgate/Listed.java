package dev.haltgate;

/** What a list of grants holds: grants and denials. */
public sealed interface Listed permits Grant, Denial {
  /**
   * The entry that was granted or refused.
   *
   * @return the entry
   */
  RenderedEntry entry();
}
