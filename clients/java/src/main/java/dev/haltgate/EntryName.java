package dev.haltgate;

/**
 * Names an entry that was granted or refused: the entry itself, or the text that it was listed
 * with.
 */
public sealed interface EntryName permits Entry, EntryName.ObjectText {
  /**
   * An entry's text, exactly as it was listed.
   *
   * @param text the text
   */
  record ObjectText(String text) implements EntryName {}
}
