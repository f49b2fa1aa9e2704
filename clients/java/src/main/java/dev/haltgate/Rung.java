package dev.haltgate;

/** How much a session's agent may do unasked, from the strictest to the loosest. */
public enum Rung {
  /** Everything but built-in reads asks a human. */
  MANUAL,
  /** Everything but built-in reads and writes asks a human. */
  WRITE,
  /** Commands are rated; what is not safe asks a human. */
  ASSISTED,
  /**
   * Commands are rated; what is destructive goes back to the agent a few times before a human is
   * asked.
   */
  AUTO,
  /** Nothing is rated or asked; deny entries, denials and the hardline floor still hold. */
  BYPASS
}
