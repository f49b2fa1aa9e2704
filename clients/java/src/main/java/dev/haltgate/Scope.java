package dev.haltgate;

/** How far an approval, a rejection or a grant reaches. */
public enum Scope {
  /** This one call. */
  ONCE,
  /** Until the session is over. */
  SESSION,
  /** Kept for the project, for every session. */
  ALWAYS
}
