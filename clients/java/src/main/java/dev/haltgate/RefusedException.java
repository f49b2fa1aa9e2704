package dev.haltgate;

import java.time.Duration;
import java.util.Map;

/**
 * The server refused to serve the request. It says nothing about the call that was to be judged, except that it is not
 * approved.
 */
public final class RefusedException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final String reason;
  private final String domain;
  private final transient Map<String, String> metadata;
  private final Duration retryAfter;

  RefusedException(
      String code,
      String reason,
      String domain,
      Map<String, String> metadata,
      Duration retryAfter,
      Throwable cause) {
    super(
        "the gate refused the request ("
            + (reason.isEmpty() ? code : reason)
            + "): "
            + Texts.oneLine(cause.getMessage()),
        cause);
    this.code = code;
    this.reason = reason;
    this.domain = domain;
    this.metadata = Map.copyOf(metadata);
    this.retryAfter = retryAfter;
  }

  /**
   * The status code, such as {@code FAILED_PRECONDITION}.
   *
   * @return the name of the code
   */
  public String code() {
    return code;
  }

  /**
   * The reason of the server, such as {@code SESSION_CLOSED}.
   *
   * @return the reason; empty when it gave none
   */
  public String reason() {
    return reason;
  }

  /**
   * Whose reason it is: {@code haltgate.dev}, unless something on the way refused.
   *
   * @return the domain; empty when there is no reason
   */
  public String domain() {
    return domain;
  }

  /**
   * What the contract gives with the reason.
   *
   * @return the metadata
   */
  public Map<String, String> metadata() {
    return metadata;
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
