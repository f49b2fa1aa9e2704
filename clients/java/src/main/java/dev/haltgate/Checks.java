package dev.haltgate;

import dev.haltgate.v1.DecideRequest;
import dev.haltgate.v1.DecideResponse;

/**
 * Holds answers against their requests: what is unknown, missing or another's is relied on by
 * nobody.
 */
final class Checks {
  private Checks() {}

  static void same(String field, String given, String asked) {
    if (!given.equals(asked)) {
      throw new UnexpectedAnswerException(
          field, "is \"" + Texts.oneLine(given) + "\" where \"" + asked + "\" was asked about");
    }
  }

  /** Makes a decision of an answer, or the exception that ends a run. A dry run ends nothing. */
  static Decision settle(DecideRequest request, DecideResponse answer) {
    Action action =
        Read.action(answer.getAction())
            .orElseThrow(() -> unknown("action", answer.getActionValue()));
    Stage stage =
        Read.stage(answer.getStage()).orElseThrow(() -> unknown("stage", answer.getStageValue()));
    if (request.getDryRun()) {
      // Nothing was decided, so that there is nothing more to rely on.
      return new Decision(action, stage, answer, true);
    }
    complete(request, answer, action);
    Decision decision = new Decision(action, stage, answer, false);
    return switch (action) {
      case HALT -> throw new AttackHaltedException(decision);
      case UNATTENDED -> throw new UnattendedException(decision);
      case APPROVE, REJECT -> {
        // What was settled before its run was halted ends with the run.
        if (answer.getRunHalted()) {
          throw new AttackHaltedException(decision);
        }
        yield decision;
      }
      case ESCALATE -> decision;
    };
  }

  private static void complete(DecideRequest request, DecideResponse answer, Action action) {
    if (Read.rung(answer.getRung()).isEmpty()) {
      throw unknown("rung", answer.getRungValue());
    }
    boolean needsScope = action == Action.APPROVE || answer.getScopeValue() != 0;
    if (needsScope && Read.scope(answer.getScope()).isEmpty()) {
      throw unknown("scope", answer.getScopeValue());
    }
    same("request_id", answer.getRequestId(), request.getRequestId());
    same("run_id", answer.getRunId(), request.getRunId());
    same("session_id", answer.getSessionId(), request.getSessionId());
    if (answer.getDecisionId().isEmpty()) {
      throw new UnexpectedAnswerException("decision_id", "is missing");
    }
    if (action == Action.ESCALATE
        && answer.getEscalationId().isEmpty()
        && answer.getHaltId().isEmpty()) {
      throw new UnexpectedAnswerException("escalation_id", "is missing: nobody is waited for");
    }
  }

  private static UnexpectedAnswerException unknown(String field, int value) {
    return new UnexpectedAnswerException(
        field, "is " + value + ", which this client does not know");
  }
}
