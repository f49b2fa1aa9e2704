package dev.haltgate;

import java.time.Duration;

/**
 * No answer came: the gate cannot be reached, the connection broke, time ran out, the thread was interrupted, or the server
 * is shutting down or cannot record.
 */
public final class GateUnavailableException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final Duration retryAfter;

  GateUnavailableException(String reason, Duration retryAfter, Throwable cause) {
    super("the gate gave no answer, so the call is not approved: " + Texts.oneLine(cause.getMessage()), cause);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /**
   * The reason of the server, such as {@code DRAINING}.
   *
   * @return the reason; empty when it gave none
   */
  public String reason() {
    return reason;
  }

  /**
   * How long the server asks to be left alone.
   *
   * @return the time; zero when it said nothing
   */
  public Duration retryAfter() {
    return retryAfter;
  }
}
