package dev.haltgate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The request itself is wrong. A retry is of no use. */
public final class InvalidRequestException extends NotApprovedException {
  private static final long serialVersionUID = 1L;

  /** The reason of the server; empty when it gave none. */
  private final String reason;

  private final transient Map<String, String> metadata;
  private final transient List<FieldViolation> violations;

  InvalidRequestException(
      String reason,
      Map<String, String> metadata,
      List<FieldViolation> violations,
      Throwable cause) {
    super("the request is invalid: " + said(violations, cause), cause);
    this.reason = reason;
    this.metadata = Map.copyOf(metadata);
    this.violations = List.copyOf(violations);
  }

  InvalidRequestException(String field, String problem) {
    this("", Map.of(), List.of(new FieldViolation(field, problem)), null);
  }

  private static String said(List<FieldViolation> violations, Throwable cause) {
    if (violations.isEmpty()) {
      return cause == null ? "" : cause.getMessage();
    }
    return violations.stream()
        .map(violation -> violation.field() + ": " + violation.description())
        .collect(Collectors.joining("; "));
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
   * The reason as it was sent, such as {@code INVALID_FIELD}.
   *
   * @return the reason; empty when the request was not even sent
   */
  public String reasonText() {
    return reason;
  }

  /**
   * What the contract gives with the reason, such as {@code field} and {@code limit}.
   *
   * @return the metadata
   */
  public Map<String, String> metadata() {
    return metadata;
  }

  /**
   * What is wrong, field by field.
   *
   * @return the violations
   */
  public List<FieldViolation> violations() {
    return violations;
  }
}
