package dev.haltgate;

/**
 * The server's answer is not one that this client knows: a value that is unknown or not set, or a
 * field that is missing or answers another request.
 */
public final class UnexpectedAnswerException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  /** The field of the answer. */
  private final String field;

  UnexpectedAnswerException(String field, String problem) {
    super(
        "the gate's answer cannot be relied on, so the call is not approved: "
            + field
            + " "
            + problem,
        null);
    this.field = field;
  }

  /**
   * The field of the answer, as in {@code action}.
   *
   * @return the field
   */
  public String field() {
    return field;
  }
}
