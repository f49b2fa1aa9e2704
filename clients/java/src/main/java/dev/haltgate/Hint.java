package dev.haltgate;

/** One of the hints of the MCP tool annotations, in their canonical order. */
public enum Hint {
  /** The tool changes nothing. */
  READ_ONLY,
  /** The tool may destroy what it changes. */
  DESTRUCTIVE,
  /** Repeating a call changes nothing more. */
  IDEMPOTENT,
  /** The tool reaches parties outside. */
  OPEN_WORLD
}
