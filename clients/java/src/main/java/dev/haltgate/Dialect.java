package dev.haltgate;

/**
 * The language that a shell command is written in. Only bash is read; a command in another matches
 * no allow entry and is never rated safe.
 */
public enum Dialect {
  /** bash, and sh as bash reads it. */
  BASH,
  /** Accepted and never read. */
  POWERSHELL,
  /** Accepted and never read. */
  CMD
}
