package dev.haltgate;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gives failures of gRPC their types. */
final class Failures {
  static final String DOMAIN = "haltgate.dev";

  private Failures() {}

  static NotApprovedException of(StatusRuntimeException failure) {
    Details details = details(failure);
    Status.Code code = failure.getStatus().getCode();
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED ->
          new GateUnavailableException(details.reason, details.retryAfter, failure);
      case INVALID_ARGUMENT ->
          new InvalidRequestException(
              details.reason, details.metadata, details.violations, failure);
      // Without a reason of the gate, something on the way failed.
      case UNKNOWN, INTERNAL, DATA_LOSS ->
          details.domain.equals(DOMAIN)
              ? refused(code, details, failure)
              : new GateUnavailableException("", Duration.ZERO, failure);
      case OK,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          UNIMPLEMENTED,
          UNAUTHENTICATED ->
          refused(code, details, failure);
    };
  }

  private static RefusedException refused(Status.Code code, Details details, Throwable cause) {
    return new RefusedException(
        code.name(), details.reason, details.domain, details.metadata, details.retryAfter, cause);
  }

  /** How long the server asks to be left alone; zero when it said nothing. */
  static Duration retryAfter(Throwable failure) {
    return failure instanceof StatusRuntimeException status
        ? details(status).retryAfter
        : Duration.ZERO;
  }

  /** Whether the gate has too much to do, did not begin, and says when it can. */
  static boolean isOverload(StatusRuntimeException failure) {
    if (failure.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
      return false;
    }
    Details details = details(failure);
    return details.domain.equals(DOMAIN)
        && details.reason.equals(ErrorReason.OVERLOADED.name())
        && details.saysWhen;
  }

  private record Details(
      String reason,
      String domain,
      Map<String, String> metadata,
      List<FieldViolation> violations,
      Duration retryAfter,
      boolean saysWhen) {}

  private static Details details(StatusRuntimeException failure) {
    ErrorInfo info = ErrorInfo.getDefaultInstance();
    List<FieldViolation> violations = new ArrayList<>();
    Duration retryAfter = Duration.ZERO;
    boolean saysWhen = false;
    com.google.rpc.Status status = StatusProto.fromThrowable(failure);
    try {
      for (Any detail : status == null ? List.<Any>of() : status.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          info = detail.unpack(ErrorInfo.class);
        } else if (detail.is(BadRequest.class)) {
          for (BadRequest.FieldViolation violation :
              detail.unpack(BadRequest.class).getFieldViolationsList()) {
            violations.add(new FieldViolation(violation.getField(), violation.getDescription()));
          }
        } else if (detail.is(RetryInfo.class)) {
          Duration asked = Read.duration(detail.unpack(RetryInfo.class).getRetryDelay());
          retryAfter = asked.isNegative() ? Duration.ZERO : asked;
          saysWhen = true;
        }
      }
    } catch (InvalidProtocolBufferException unreadable) {
      // What cannot be read says nothing; the status itself stands.
      failure.addSuppressed(unreadable);
    }
    return new Details(
        info.getReason(),
        info.getDomain(),
        info.getMetadataMap(),
        violations,
        retryAfter,
        saysWhen);
  }
}
