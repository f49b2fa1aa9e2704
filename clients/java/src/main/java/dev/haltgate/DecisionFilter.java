package dev.haltgate;

import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.ListDecisionsRequest;
import dev.haltgate.v1.ListDecisionsResponse;
import dev.haltgate.v1.SortOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which records are listed: all conditions must hold. The defaults list all, the newest first. Each
 * method returns changed options and leaves these as they are.
 */
public final class DecisionFilter {
  private String sessionId = "";
  private String runId = "";
  private List<Action> actions = List.of();
  private List<Stage> stages = List.of();
  private String text = "";
  private Optional<Instant> arrivedFrom = Optional.empty();
  private Optional<Instant> arrivedBefore = Optional.empty();
  private boolean oldest = false;
  private int pageSize = 0;
  private String pageToken = "";

  private DecisionFilter() {}

  private DecisionFilter copy() {
    DecisionFilter copy = new DecisionFilter();
    copy.sessionId = sessionId;
    copy.runId = runId;
    copy.actions = actions;
    copy.stages = stages;
    copy.text = text;
    copy.arrivedFrom = arrivedFrom;
    copy.arrivedBefore = arrivedBefore;
    copy.oldest = oldest;
    copy.pageSize = pageSize;
    copy.pageToken = pageToken;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static DecisionFilter defaults() {
    return new DecisionFilter();
  }

  /**
   * Only those of this session.
   *
   * @param id the session's id
   * @return the options
   */
  public DecisionFilter sessionId(String id) {
    DecisionFilter changed = copy();
    changed.sessionId = id;
    return changed;
  }

  /**
   * Only those of this run.
   *
   * @param id the run's id
   * @return the options
   */
  public DecisionFilter runId(String id) {
    DecisionFilter changed = copy();
    changed.runId = id;
    return changed;
  }

  /**
   * Only those with one of these actions.
   *
   * @param wanted the actions
   * @return the options
   */
  public DecisionFilter actions(List<Action> wanted) {
    DecisionFilter changed = copy();
    changed.actions = List.copyOf(wanted);
    return changed;
  }

  /**
   * Only those with one of these stages.
   *
   * @param wanted the stages
   * @return the options
   */
  public DecisionFilter stages(List<Stage> wanted) {
    DecisionFilter changed = copy();
    changed.stages = List.copyOf(wanted);
    return changed;
  }

  /**
   * Only those whose command, tool's name, arguments or message contain this.
   *
   * @param part the text
   * @return the options
   */
  public DecisionFilter text(String part) {
    DecisionFilter changed = copy();
    changed.text = part;
    return changed;
  }

  /**
   * Only those that arrived at this time or later.
   *
   * @param time the time
   * @return the options
   */
  public DecisionFilter arrivedFrom(Instant time) {
    DecisionFilter changed = copy();
    changed.arrivedFrom = Optional.of(time);
    return changed;
  }

  /**
   * Only those that arrived before this time.
   *
   * @param time the time
   * @return the options
   */
  public DecisionFilter arrivedBefore(Instant time) {
    DecisionFilter changed = copy();
    changed.arrivedBefore = Optional.of(time);
    return changed;
  }

  /**
   * Turns the order around.
   *
   * @return the options
   */
  public DecisionFilter oldestFirst() {
    DecisionFilter changed = copy();
    changed.oldest = true;
    return changed;
  }

  /**
   * How many are asked for at once. Default: as the server likes.
   *
   * @param size the number
   * @return the options
   */
  public DecisionFilter pageSize(int size) {
    DecisionFilter changed = copy();
    changed.pageSize = size;
    return changed;
  }

  /**
   * Begins with the page of this token, from {@link Haltgate#stub}. Default: the first page.
   *
   * @param token the token
   * @return the options
   */
  public DecisionFilter pageToken(String token) {
    DecisionFilter changed = copy();
    changed.pageToken = token;
    return changed;
  }

  Iterable<DecisionRecord> list(Haltgate gate) {
    return () ->
        new Pages<>(
            pageToken,
            token -> {
              ListDecisionsResponse answer =
                  gate.transport()
                      .repeatable(
                          ApprovalGateGrpc.getListDecisionsMethod(),
                          message(gate.project(), token));
              return new Pages.Page<>(
                  answer.getDecisionsList().stream().map(DecisionRecord::new).toList(),
                  answer.getNextPageToken());
            });
  }

  private ListDecisionsRequest message(String project, String token) {
    ListDecisionsRequest.Builder message =
        ListDecisionsRequest.newBuilder()
            .setProject(project)
            .setSessionId(sessionId)
            .setRunId(runId)
            .setText(text)
            .setOrder(
                oldest ? SortOrder.SORT_ORDER_OLDEST_FIRST : SortOrder.SORT_ORDER_NEWEST_FIRST)
            .setPageSize(pageSize)
            .setPageToken(token);
    for (Action action : actions) {
      message.addActions(Words.number(dev.haltgate.v1.Action.class, "ACTION_", action));
    }
    for (Stage stage : stages) {
      message.addStages(Words.number(dev.haltgate.v1.Stage.class, "STAGE_", stage));
    }
    arrivedFrom.ifPresent(time -> message.setArrivedFrom(Read.timestamp(time)));
    arrivedBefore.ifPresent(time -> message.setArrivedBefore(Read.timestamp(time)));
    return message.build();
  }
}
