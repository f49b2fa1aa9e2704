package dev.haltgate;

import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.StreamAttackHaltsRequest;
import dev.haltgate.v1.StreamAttackHaltsResponse;
import dev.haltgate.v1.StreamEscalationsRequest;
import dev.haltgate.v1.StreamEscalationsResponse;
import io.grpc.Channel;

/** The feeds there are: how each is opened, and what its messages say. */
final class Feeds {
  private Feeds() {}

  /** One message of a feed, read. */
  sealed interface Message<I> {
    /** Something that the caller is told. */
    record Told<I>(Event<I> event, String cursor) implements Message<I> {}

    /** A heartbeat, or an event of a newer contract. */
    record Nothing<I>(String cursor) implements Message<I> {}

    /** The last message of a feed that the server ends. */
    record Resume<I>(String cursor) implements Message<I> {}

    /** Where to resume behind this message; empty inside a snapshot. */
    String cursor();
  }

  /** Opens a feed behind a cursor. */
  interface Source<I> {
    FeedConnection<I> open(Channel channel, String after);
  }

  /** The feed of escalations. */
  record OfEscalations(String project, WatchOptions options) implements Source<Escalation> {
    @Override
    public FeedConnection<Escalation> open(Channel channel, String after) {
      StreamEscalationsRequest request =
          StreamEscalationsRequest.newBuilder()
              .setProject(project)
              .setSessionId(options.sessionId())
              .setRunId(options.runId())
              .setAfter(after)
              .build();
      return FeedConnection.open(
          channel, ApprovalGateGrpc.getStreamEscalationsMethod(), request, OfEscalations::read);
    }

    private static Message<Escalation> read(StreamEscalationsResponse answer) {
      String cursor = answer.getCursor();
      return switch (answer.getEventCase()) {
        case RAISED ->
            new Message.Told<>(
                new Event.Raised<>(new Escalation(answer.getRaised()), cursor), cursor);
        case ANSWERED ->
            new Message.Told<>(
                new Event.Answered<>(new Escalation(answer.getAnswered()), cursor), cursor);
        case WITHDRAWN ->
            new Message.Told<>(
                new Event.Withdrawn<>(new Escalation(answer.getWithdrawn()), cursor), cursor);
        case EXPIRED ->
            new Message.Told<>(
                new Event.Expired<>(new Escalation(answer.getExpired()), cursor), cursor);
        case SNAPSHOT_END ->
            new Message.Told<>(
                new Event.SnapshotEnd<>(answer.getSnapshotEnd().getOpen(), cursor), cursor);
        case RESUME_HINT -> new Message.Resume<>(cursor);
        case HEARTBEAT, EVENT_NOT_SET -> new Message.Nothing<>(cursor);
      };
    }
  }

  /** The feed of attack halts. */
  record OfHalts(String project, WatchOptions options) implements Source<AttackHalt> {
    @Override
    public FeedConnection<AttackHalt> open(Channel channel, String after) {
      StreamAttackHaltsRequest request =
          StreamAttackHaltsRequest.newBuilder()
              .setProject(project)
              .setSessionId(options.sessionId())
              .setRunId(options.runId())
              .setAfter(after)
              .setObserveOnly(options.isObserving())
              .build();
      return FeedConnection.open(
          channel, ApprovalGateGrpc.getStreamAttackHaltsMethod(), request, OfHalts::read);
    }

    private static Message<AttackHalt> read(StreamAttackHaltsResponse answer) {
      String cursor = answer.getCursor();
      return switch (answer.getEventCase()) {
        case RAISED ->
            new Message.Told<>(
                new Event.Raised<>(new AttackHalt(answer.getRaised()), cursor), cursor);
        case ANSWERED ->
            new Message.Told<>(
                new Event.Answered<>(new AttackHalt(answer.getAnswered()), cursor), cursor);
        case WITHDRAWN ->
            new Message.Told<>(
                new Event.Withdrawn<>(new AttackHalt(answer.getWithdrawn()), cursor), cursor);
        case EXPIRED ->
            new Message.Told<>(
                new Event.Expired<>(new AttackHalt(answer.getExpired()), cursor), cursor);
        case SNAPSHOT_END ->
            new Message.Told<>(
                new Event.SnapshotEnd<>(answer.getSnapshotEnd().getOpen(), cursor), cursor);
        case RESUME_HINT -> new Message.Resume<>(cursor);
        case HEARTBEAT, EVENT_NOT_SET -> new Message.Nothing<>(cursor);
      };
    }
  }
}
