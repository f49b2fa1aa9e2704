package dev.haltgate;

/**
 * The run must end now: this call, or an earlier one of its run, looked like an attack. The model
 * gets nothing.
 */
public final class AttackHaltedException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  AttackHaltedException(Decision decision) {
    super("the run is halted: " + decision.message(), null);
    this.decision = decision;
  }

  /**
   * The decision that says so. Its message is for people, and its halt id is empty when an earlier
   * call halted the run.
   *
   * @return the decision
   */
  public Decision decision() {
    return decision;
  }
}
