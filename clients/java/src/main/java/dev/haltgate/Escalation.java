package dev.haltgate;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A decision that waits for a human, or did. */
public final class Escalation {
  private final dev.haltgate.v1.Escalation raw;

  Escalation(dev.haltgate.v1.Escalation raw) {
    this.raw = raw;
  }

  /**
   * What is answered.
   *
   * @return its id
   */
  public String escalationId() {
    return raw.getEscalationId();
  }

  /**
   * The project that the session belongs to.
   *
   * @return its name
   */
  public String project() {
    return raw.getProject();
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
   * The state: {@code OPEN}, {@code APPROVED}, {@code REJECTED}, {@code WITHDRAWN} or {@code
   * EXPIRED}.
   *
   * @return the state; empty for one that this client does not know
   */
  public String state() {
    return Words.word(raw.getState(), "ESCALATION_STATE_");
  }

  /**
   * When the human was asked.
   *
   * @return the time
   */
  public Instant raisedAt() {
    return Read.instant(raw.getRaisedAt());
  }

  /**
   * When waiting ends without an approval.
   *
   * @return the time; absent: never
   */
  public Optional<Instant> expiresAt() {
    return raw.hasExpiresAt() ? Optional.of(Read.instant(raw.getExpiresAt())) : Optional.empty();
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
   * Why the human is asked.
   *
   * @return the stage
   */
  public Optional<Stage> stage() {
    return Read.stage(raw.getStage());
  }

  /**
   * The rating of the call.
   *
   * @return the rating; absent when it was not rated
   */
  public Optional<Rating> rating() {
    return raw.hasRating() ? Optional.of(Read.rating(raw.getRating())) : Optional.empty();
  }

  /**
   * The question as people should see it.
   *
   * @return the prompt
   */
  public Prompt prompt() {
    return Read.prompt(raw.getPrompt());
  }

  /**
   * The labels of the session.
   *
   * @return the labels
   */
  public Map<String, String> labels() {
    return raw.getLabelsMap();
  }

  /**
   * The answer that settled it.
   *
   * @return the answer; absent unless a human did
   */
  public Optional<HumanAnswer> answer() {
    return raw.hasAnswer() ? Optional.of(Read.human(raw.getAnswer())) : Optional.empty();
  }

  /**
   * What an answer may do.
   *
   * @return the offer
   */
  public Offer offer() {
    return Read.offer(raw.getOffer());
  }

  /**
   * All of it.
   *
   * @return the message of the contract
   */
  public dev.haltgate.v1.Escalation raw() {
    return raw;
  }
}
