package dev.haltgate;

/** How an entry's pattern is compared. */
public enum Matcher {
  /** The pattern is the whole command or name. */
  EXACT,
  /** {@code *} stands for any run of characters. */
  GLOB,
  /** A regular expression, unanchored. */
  REGEXP,
  /** The tool's effective annotations are compared with the hints. */
  HINT
}
