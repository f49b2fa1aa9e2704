package dev.haltgate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server refused to serve the request. It says nothing about the call that was to be judged,
 * except that it is not approved.
 */
public final class RefusedException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  /** The name of the status code. */
  private final String code;

  /** The reason of the server; empty when it gave none. */
  private final String reason;

  /** Whose reason it is. */
  private final String domain;

  private final transient Map<String, String> metadata;

  /** How long the server asks to be left alone. */
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
            + cause.getMessage(),
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
   * The reason of the server.
   *
   * @return the reason; absent when it gave none, or one that this client does not know
   */
  public Optional<ErrorReason> reason() {
    return Words.named(ErrorReason.class, reason);
  }

  /**
   * The reason as it was sent, such as {@code SESSION_CLOSED}.
   *
   * @return the reason; empty when it gave none
   */
  public String reasonText() {
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
   * The role of the caller, such as {@code agent}.
   *
   * @return the role; empty unless the reason is {@link ErrorReason#ROLE_NOT_ALLOWED}
   */
  public String role() {
    return reason.equals(ErrorReason.ROLE_NOT_ALLOWED.name())
        ? metadata.getOrDefault("role", "")
        : "";
  }

  /**
   * What would have been let in.
   *
   * @return the roles that may, for {@link ErrorReason#ROLE_NOT_ALLOWED}; the kinds of credentials,
   *     for {@link ErrorReason#CREDENTIALS_MISSING}; empty for every other reason
   */
  public List<String> needed() {
    String names = "";
    if (reason.equals(ErrorReason.ROLE_NOT_ALLOWED.name())) {
      names = metadata.getOrDefault("needed", "");
    } else if (reason.equals(ErrorReason.CREDENTIALS_MISSING.name())) {
      names = metadata.getOrDefault("accepted", "");
    }
    return names.isEmpty() ? List.of() : List.of(names.split(","));
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
