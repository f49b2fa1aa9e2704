package dev.haltgate;

/** What a rating says of a call. */
public enum Outcome {
  /** Every effect is known and harmless. */
  SAFE,
  /** Everything that is none of the others, and everything that was not assessed. */
  DESTRUCTIVE,
  /** Undoing it would need something outside the session. */
  CATASTROPHIC,
  /** The command's own structure shows a hostile purpose. */
  ATTACK
}
