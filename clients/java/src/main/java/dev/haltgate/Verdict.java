package dev.haltgate;

/** What a human answers. */
public enum Verdict {
  /** Lets an escalated call run. */
  APPROVE,
  /** Refuses an escalated call. */
  REJECT,
  /** Lets the one halted command run and its run go on. */
  RUN_ANYWAY,
  /** Leaves the run halted. */
  STOP
}
