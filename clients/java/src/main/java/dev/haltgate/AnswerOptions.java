package dev.haltgate;

import dev.haltgate.v1.AnswerRequest;
import dev.haltgate.v1.AnswerResponse;
import dev.haltgate.v1.ApprovalGateGrpc;

/** More about an answer. Each method returns changed options and leaves these as they are. */
public final class AnswerOptions {
  private Scope scope = Scope.ONCE;
  private String comment = "";
  private Terms terms = Terms.none();
  private String requestId = "";

  private AnswerOptions() {}

  private AnswerOptions copy() {
    AnswerOptions copy = new AnswerOptions();
    copy.scope = scope;
    copy.comment = comment;
    copy.terms = terms;
    copy.requestId = requestId;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static AnswerOptions defaults() {
    return new AnswerOptions();
  }

  /**
   * Says how far the answer reaches. It must be on offer. Default: {@link Scope#ONCE}.
   *
   * @param reach the scope
   * @return the options
   */
  public AnswerOptions scope(Scope reach) {
    AnswerOptions changed = copy();
    changed.scope = reach;
    return changed;
  }

  /**
   * Says something to the agent. After a rejection it is part of the message that the model gets.
   *
   * @param text the comment
   * @return the options
   */
  public AnswerOptions comment(String text) {
    AnswerOptions changed = copy();
    changed.comment = text;
    return changed;
  }

  /**
   * Bounds the grant that an approval for longer stores. Default: no bounds.
   *
   * @param bounds the terms
   * @return the options
   */
  public AnswerOptions terms(Terms bounds) {
    AnswerOptions changed = copy();
    changed.terms = bounds;
    return changed;
  }

  /**
   * Answers under an id of the caller's own, so that a retry is a replay. Default: a new one.
   *
   * @param id the request's id
   * @return the options
   */
  public AnswerOptions requestId(String id) {
    AnswerOptions changed = copy();
    changed.requestId = id;
    return changed;
  }

  Escalation escalation(Haltgate gate, String id, Verdict verdict) {
    AnswerResponse answer = send(gate, AnswerRequest.newBuilder().setEscalationId(id), verdict);
    Checks.same("escalation.escalation_id", answer.getEscalation().getEscalationId(), id);
    return new Escalation(answer.getEscalation());
  }

  AttackHalt halt(Haltgate gate, String id, Verdict verdict) {
    AnswerResponse answer = send(gate, AnswerRequest.newBuilder().setHaltId(id), verdict);
    Checks.same("halt.halt_id", answer.getHalt().getHaltId(), id);
    return new AttackHalt(answer.getHalt());
  }

  private AnswerResponse send(Haltgate gate, AnswerRequest.Builder request, Verdict verdict) {
    request
        .setProject(gate.project())
        .setVerdict(Words.number(dev.haltgate.v1.Verdict.class, "VERDICT_", verdict))
        .setScope(Words.number(dev.haltgate.v1.Scope.class, "SCOPE_", scope))
        .setComment(comment)
        .setRequestId(RequestIds.orNew(requestId));
    if (!terms.unbounded()) {
      request.setTerms(terms.message());
    }
    return gate.transport().repeatable(ApprovalGateGrpc.getAnswerMethod(), request.build());
  }
}
