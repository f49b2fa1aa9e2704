package dev.haltgate;

/**
 * Whatever went wrong with a request: the call must not run. Every exception of a request is one of
 * these.
 */
public abstract sealed class NotApprovedException extends RuntimeException
    permits AttackHaltedException,
        UnattendedException,
        GateUnavailableException,
        UnexpectedAnswerException,
        InvalidRequestException,
        RefusedException {
  private static final long serialVersionUID = 1L;

  NotApprovedException(String message, Throwable cause) {
    super(Texts.oneLine(message), cause);
  }
}
