package dev.haltgate;

/** The run must end with a non-zero exit: approval was needed and nobody can give it. */
public final class UnattendedException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  UnattendedException(Decision decision) {
    super("approval is needed and nobody can answer: " + decision.message(), null);
    this.decision = decision;
  }

  /**
   * The decision that says so. Its message is for people.
   *
   * @return the decision
   */
  public Decision decision() {
    return decision;
  }
}
