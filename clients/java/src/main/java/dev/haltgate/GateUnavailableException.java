package dev.haltgate;

import java.time.Duration;
import java.util.Optional;

/**
 * No answer came: the gate cannot be reached, the connection broke, time ran out, the thread was
 * interrupted, or the server is shutting down or cannot record.
 */
public final class GateUnavailableException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  /** The reason of the server; empty when it gave none. */
  private final String reason;

  /** How long the server asks to be left alone. */
  private final Duration retryAfter;

  GateUnavailableException(String reason, Duration retryAfter, Throwable cause) {
    super("the gate gave no answer, so the call is not approved: " + cause.getMessage(), cause);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /**
   * The reason of the server.
   *
   * @return the reason; absent when it gave none, or one that this client does not know
   */
  public Optional<ErrorReason> reason() {
    return Words.named(ErrorReason.class, reason);
  }

  /**
   * The reason as it was sent, such as {@code DRAINING}.
   *
   * @return the reason; empty when it gave none
   */
  public String reasonText() {
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
