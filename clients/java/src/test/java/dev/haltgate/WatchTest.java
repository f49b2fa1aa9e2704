package dev.haltgate;

import static dev.haltgate.FaultsTest.raised;
import static dev.haltgate.GateServer.MANUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.ResumeHint;
import dev.haltgate.v1.SnapshotEnd;
import dev.haltgate.v1.StreamEscalationsRequest;
import dev.haltgate.v1.StreamEscalationsResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A feed misses nothing and repeats nothing. */
@Timeout(120)
class WatchTest {
  /** Leaves a question open, also with a gate that was just started again. */
  private static String ask(Haltgate gate, String command) {
    DecideOptions options =
        DecideOptions.defaults().withoutWaiting().requestId(command.replace(' ', '-'));
    while (true) {
      try {
        Decision decision = gate.session("s").decideShell(command, options);
        assertEquals(Action.ESCALATE, decision.action());
        return decision.escalationId();
      } catch (GateUnavailableException notYet) {
        assertNotNull(notYet.getCause());
      }
    }
  }

  private static String line(Event<Escalation> event) {
    String kind = event.getClass().getSimpleName();
    if (event instanceof Event.Raised<Escalation> raised) {
      return kind + " " + raised.item().escalationId();
    }
    if (event instanceof Event.Answered<Escalation> answered) {
      return kind + " " + answered.item().escalationId();
    }
    return kind;
  }

  @Test
  void a_watch_tells_each_event_once_over_a_restart() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      String first = ask(gate, "mend one");
      Iterator<Event<Escalation>> events = watch.iterator();
      List<String> told = new ArrayList<>(List.of(line(events.next()), line(events.next())));
      server.stop();
      server.start();
      String second = ask(gate, "mend two");
      gate.approve(first, AnswerOptions.defaults());
      told.add(line(events.next()));
      told.add(line(events.next()));
      server.kill();
      server.start();
      String third = ask(gate, "mend three");
      told.add(line(events.next()));
      assertEquals(
          List.of(
              "Raised " + first,
              "SnapshotEnd",
              "Raised " + second,
              "Answered " + first,
              "Raised " + third),
          told);
    }
  }

  @Test
  void a_watch_goes_on_behind_a_cursor() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect()) {
      ask(gate, "mend one");
      String cursor;
      try (Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
        Iterator<Event<Escalation>> events = watch.iterator();
        events.next();
        assertEquals("", watch.cursor());
        cursor = events.next().cursor();
        assertEquals(cursor, watch.cursor());
      }
      String second = ask(gate, "mend two");
      try (Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults().after(cursor))) {
        assertEquals("Raised " + second, line(watch.iterator().next()));
      }
      try (Watch<Escalation> watch =
          gate.watchEscalations(WatchOptions.defaults().after("made-up"))) {
        assertEquals("Restarted", line(watch.iterator().next()));
      }
      try (Watch<Escalation> watch =
          gate.watchEscalations(WatchOptions.defaults().sessionId("has a space"))) {
        assertThrows(InvalidRequestException.class, () -> watch.iterator().hasNext());
        assertFalse(watch.iterator().hasNext());
      }
    }
  }

  @Test
  void a_watch_makes_a_silent_connection_anew() throws IOException, InterruptedException {
    // Far shorter than the server's heartbeat: the connection is made anew again and again.
    WatchOptions options = WatchOptions.defaults().silence(Duration.ofMillis(100));
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect();
        Watch<Escalation> watch = gate.watchEscalations(options)) {
      Iterator<Event<Escalation>> events = watch.iterator();
      for (int number = 0; number < 5; number++) {
        String command = "mend " + number;
        Background<String> asked =
            new Background<>(
                () -> {
                  Transport.sleep(Duration.ofMillis(300));
                  return ask(gate, command);
                });
        String id = raised(events).escalationId();
        assertEquals(asked.join(), id);
      }
    }
  }

  // Closing early is what is tested.
  @SuppressWarnings("try")
  @Test
  void closing_a_watch_ends_its_loop() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      Iterator<Event<Escalation>> events = watch.iterator();
      events.next();
      Background<Boolean> waiting = new Background<>(events::hasNext);
      watch.close();
      assertFalse(waiting.join());
      Watch<Escalation> other = gate.watchEscalations(WatchOptions.defaults());
      Iterator<Event<Escalation>> others = other.iterator();
      others.next();
      Background<Boolean> interrupted = new Background<>(others::hasNext);
      interrupted.interrupt();
      assertFalse(interrupted.join());
      Iterator<Event<Escalation>> last = gate.watchEscalations(WatchOptions.defaults()).iterator();
      last.next();
      Background<Boolean> closed = new Background<>(last::hasNext);
      gate.close();
      assertFalse(closed.join());
    }
  }

  /** Plays feeds that only a server in trouble gives. */
  private static final class Troubled extends ApprovalGateGrpc.ApprovalGateImplBase {
    final List<String> after = new CopyOnWriteArrayList<>();

    @Override
    public void streamEscalations(
        StreamEscalationsRequest request, StreamObserver<StreamEscalationsResponse> answers) {
      after.add(request.getAfter());
      StreamEscalationsResponse raised =
          StreamEscalationsResponse.newBuilder()
              .setRaised(dev.haltgate.v1.Escalation.newBuilder().setEscalationId("1"))
              .build();
      StreamEscalationsResponse end =
          StreamEscalationsResponse.newBuilder()
              .setSnapshotEnd(SnapshotEnd.getDefaultInstance())
              .setCursor("c")
              .build();
      StreamEscalationsResponse hint =
          StreamEscalationsResponse.newBuilder()
              .setResumeHint(ResumeHint.getDefaultInstance())
              .setCursor("d")
              .build();
      switch (after.size()) {
        case 1 -> {
          answers.onNext(raised);
          answers.onError(Status.UNAVAILABLE.asRuntimeException());
        }
        case 2 -> {
          answers.onNext(raised);
          answers.onNext(end);
          answers.onNext(hint);
          answers.onCompleted();
        }
        case 3 -> {
          ErrorInfo info =
              ErrorInfo.newBuilder().setReason("CURSOR_TOO_OLD").setDomain("haltgate.dev").build();
          answers.onError(
              StatusProto.toStatusRuntimeException(
                  com.google.rpc.Status.newBuilder()
                      .setCode(Status.Code.OUT_OF_RANGE.value())
                      .addDetails(Any.pack(info))
                      .build()));
        }
        default -> {
          answers.onNext(raised);
          answers.onNext(end);
        }
      }
    }
  }

  @Test
  void a_feed_that_cannot_be_resumed_begins_anew_and_says_so() throws IOException {
    Troubled troubled = new Troubled();
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(troubled)
            .build()
            .start();
    List<String> told = new ArrayList<>();
    try (Haltgate gate = Haltgate.connect("127.0.0.1:" + server.getPort());
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      for (Event<Escalation> event : watch) {
        told.add(line(event));
        if (told.size() == 7) {
          break;
        }
      }
    } finally {
      server.shutdownNow();
    }
    assertEquals(
        List.of(
            "Raised 1",
            "Restarted",
            "Raised 1",
            "SnapshotEnd",
            "Restarted",
            "Raised 1",
            "SnapshotEnd"),
        told);
    assertEquals(List.of("", "", "d", ""), troubled.after);
  }
}
