package dev.haltgate;

import java.time.Instant;
import java.util.Optional;

/**
 * A durable record of one decision. A decision that waited for a human has two: from when the human
 * was asked, and from when it was settled.
 */
public final class DecisionRecord {
  private final dev.haltgate.v1.DecisionRecord raw;

  DecisionRecord(dev.haltgate.v1.DecisionRecord raw) {
    this.raw = raw;
  }

  /**
   * This record.
   *
   * @return its id
   */
  public String recordId() {
    return raw.getRecordId();
  }

  /**
   * The decision.
   *
   * @return its id
   */
  public String decisionId() {
    return raw.getDecisionId();
  }

  /**
   * The session that the call belongs to.
   *
   * @return its id
   */
  public String sessionId() {
    return raw.getSessionId();
  }

  /**
   * The run that the call belongs to.
   *
   * @return its id; empty when the caller named none
   */
  public String runId() {
    return raw.getRunId();
  }

  /**
   * The request.
   *
   * @return its id
   */
  public String requestId() {
    return raw.getRequestId();
  }

  /**
   * Who asked, as the server authenticated it.
   *
   * @return the caller
   */
  public String caller() {
    return raw.getCaller();
  }

  /**
   * When the call arrived.
   *
   * @return the time
   */
  public Instant arrivedAt() {
    return Read.instant(raw.getArrivedAt());
  }

  /**
   * When it was settled.
   *
   * @return the time; absent in the record from when a human was asked
   */
  public Optional<Instant> settledAt() {
    return raw.hasSettledAt() ? Optional.of(Read.instant(raw.getSettledAt())) : Optional.empty();
  }

  /**
   * What was decided.
   *
   * @return the action; absent when deciding failed
   */
  public Optional<Action> action() {
    return Read.action(raw.getAction());
  }

  /**
   * The step that decided.
   *
   * @return the stage
   */
  public Optional<Stage> stage() {
    return Read.stage(raw.getStage());
  }

  /**
   * How far an approval or a human's rejection reaches.
   *
   * @return the scope
   */
  public Optional<Scope> scope() {
    return Read.scope(raw.getScope());
  }

  /**
   * The rung in force when the call arrived.
   *
   * @return the rung
   */
  public Optional<Rung> rung() {
    return Read.rung(raw.getRung());
  }

  /**
   * The message that the caller got. Raw text.
   *
   * @return the message
   */
  public String message() {
    return raw.getMessage();
  }

  /**
   * The rating in force.
   *
   * @return the rating; absent when the call was not rated
   */
  public Optional<Rating> rating() {
    return raw.hasRating() ? Optional.of(Read.rating(raw.getRating())) : Optional.empty();
  }

  /**
   * The entry that decided or directed the decision.
   *
   * @return the rule; absent when no entry matched
   */
  public Optional<MatchedRule> matchedRule() {
    return raw.hasMatchedRule()
        ? Optional.of(Read.matchedRule(raw.getMatchedRule()))
        : Optional.empty();
  }

  /**
   * A human's part in it: {@code WAITING}, {@code APPROVED}, {@code REJECTED} or {@code NOBODY}.
   *
   * @return the part; empty when there was none
   */
  public String humanInvolvement() {
    return Words.word(raw.getHumanInvolvement(), "HUMAN_INVOLVEMENT_");
  }

  /**
   * The human's answer.
   *
   * @return the answer; absent when there is none
   */
  public Optional<HumanAnswer> human() {
    return raw.hasHuman() ? Optional.of(Read.human(raw.getHuman())) : Optional.empty();
  }

  /**
   * The escalation, where a human was asked.
   *
   * @return its id; may be empty
   */
  public String escalationId() {
    return raw.getEscalationId();
  }

  /**
   * The attack halt, where the run was halted.
   *
   * @return its id; may be empty
   */
  public String haltId() {
    return raw.getHaltId();
  }

  /**
   * Why deciding failed. The call did not run.
   *
   * @return one sentence; empty otherwise
   */
  public String error() {
    return raw.getError();
  }

  /**
   * The number in the project's chain, from 1.
   *
   * @return the number
   */
  public long sequence() {
    return raw.getSequence();
  }

  /**
   * The hash in the chain.
   *
   * @return hexadecimal digits
   */
  public String hash() {
    return raw.getHash();
  }

  /**
   * All of it.
   *
   * @return the message of the contract
   */
  public dev.haltgate.v1.DecisionRecord raw() {
    return raw;
  }
}
