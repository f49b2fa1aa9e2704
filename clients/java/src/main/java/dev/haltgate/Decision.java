package dev.haltgate;

import dev.haltgate.v1.DecideResponse;
import java.util.List;
import java.util.Optional;

/** What the gate decided about one call. Only the gate's own answer makes one. */
public final class Decision {
  private final Action action;
  private final Stage stage;
  private final DecideResponse raw;
  private final boolean dryRun;

  Decision(Action action, Stage stage, DecideResponse raw, boolean dryRun) {
    this.action = action;
    this.stage = stage;
    this.raw = raw;
    this.dryRun = dryRun;
  }

  /**
   * Whether the call may run, once. True only for a complete and known {@link Action#APPROVE} that
   * answers the very request that was sent, in a run that is not halted. A dry run decides nothing,
   * and is never approved.
   *
   * @return whether it may
   */
  public boolean approved() {
    return action == Action.APPROVE && !dryRun && !raw.getRunHalted();
  }

  /**
   * What the caller must do.
   *
   * @return the action
   */
  public Action action() {
    return action;
  }

  /**
   * The step that decided.
   *
   * @return the stage
   */
  public Stage stage() {
    return stage;
  }

  /**
   * How far an approval or a human's rejection reaches.
   *
   * @return the scope; absent with the other actions
   */
  public Optional<Scope> scope() {
    return Read.scope(raw.getScope());
  }

  /**
   * After {@link Action#REJECT}: what to give the model as the tool's result; otherwise what a
   * person should read. Raw text: it may quote the command.
   *
   * @return the message; empty after most approvals
   */
  public String message() {
    return raw.getMessage();
  }

  /**
   * The message, ready to print row by row.
   *
   * @return the rows
   */
  public List<String> framedLines() {
    return List.copyOf(raw.getFramedLinesList());
  }

  /**
   * The id of the decision and of its durable record.
   *
   * @return the id; empty for a dry run
   */
  public String decisionId() {
    return raw.getDecisionId();
  }

  /**
   * The id that the call was asked about under.
   *
   * @return the id
   */
  public String requestId() {
    return raw.getRequestId();
  }

  /**
   * The session that decided.
   *
   * @return its id
   */
  public String sessionId() {
    return raw.getSessionId();
  }

  /**
   * The run of the request.
   *
   * @return its id; may be empty
   */
  public String runId() {
    return raw.getRunId();
  }

  /**
   * What a human answers who was asked about an escalation.
   *
   * @return the id; empty when none was
   */
  public String escalationId() {
    return raw.getEscalationId();
  }

  /**
   * What a human answers about an attack halt: with {@link Action#ESCALATE}, whether the command
   * may run all the same.
   *
   * @return the id; empty unless this call halted its run
   */
  public String haltId() {
    return raw.getHaltId();
  }

  /**
   * The rung in force when the call arrived.
   *
   * @return the rung; absent only where the server named none
   */
  public Optional<Rung> rung() {
    return Read.rung(raw.getRung());
  }

  /**
   * The revision of the policy that the decision was made under.
   *
   * @return the revision
   */
  public String policyRevision() {
    return raw.getPolicyRevision();
  }

  /**
   * The forbidden kind of command.
   *
   * @return its description; empty unless the stage is {@link Stage#HARDLINE_FLOOR}
   */
  public String hardline() {
    return raw.getHardline();
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
   * The entry that decided, or that led to the rating or the human.
   *
   * @return the rule; absent when no entry matched
   */
  public Optional<MatchedRule> matchedRule() {
    return raw.hasMatchedRule()
        ? Optional.of(Read.matchedRule(raw.getMatchedRule()))
        : Optional.empty();
  }

  /**
   * What the people who run the agent should know. It never changes the decision.
   *
   * @return the notices, in order
   */
  public List<Notice> notices() {
    return Read.notices(raw.getNoticesList());
  }

  /**
   * The human's answer that settled the decision.
   *
   * @return the answer; absent when no human was involved, or none has answered yet
   */
  public Optional<HumanAnswer> human() {
    return raw.hasHuman() ? Optional.of(Read.human(raw.getHuman())) : Optional.empty();
  }

  /**
   * The budget of the negotiation at the rung auto, after this decision.
   *
   * @return the budget
   */
  public Budget budget() {
    return Read.budget(raw.getBudget());
  }

  /**
   * Whether the run that the call belongs to is halted.
   *
   * @return whether it is
   */
  public boolean runHalted() {
    return raw.getRunHalted();
  }

  /**
   * Whether the decision was made for an earlier request with this request id.
   *
   * @return whether it was
   */
  public boolean replayed() {
    return raw.getReplayed();
  }

  /**
   * Whether this is only an explanation: {@code raw().getExplanation()} has every step.
   *
   * @return whether it is
   */
  public boolean dryRun() {
    return dryRun;
  }

  /**
   * The whole answer.
   *
   * @return the message of the contract
   */
  public DecideResponse raw() {
    return raw;
  }

  @Override
  public String toString() {
    return "Decision["
        + action
        + ", "
        + stage
        + ", approved="
        + approved()
        + ", "
        + decisionId()
        + "]";
  }
}
