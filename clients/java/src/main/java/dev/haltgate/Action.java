package dev.haltgate;

/** What the caller must do. */
public enum Action {
  /** Run the call, once. */
  APPROVE,
  /** Do not run the call; hand the message to the model as the tool's result. */
  REJECT,
  /** Do not run the call yet; a human was asked. */
  ESCALATE,
  /** End the run now; the model gets nothing. */
  HALT,
  /** End the run with a non-zero exit; approval was needed and nobody can answer. */
  UNATTENDED
}
