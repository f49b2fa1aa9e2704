package dev.haltgate;

import static dev.haltgate.FaultsTest.raised;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may do what, and how long a connection and a caller's patience last. */
@Timeout(120)
class AccessTest {
  /** Asks a human about everything, and lets nobody in without a token. */
  private static final String GUARDED =
      "{ \"approvals\": \"manual\", \"auth\": { \"tokens_file\": \"tokens.json\" } }";

  private static final DecideOptions AT_ONCE = DecideOptions.defaults().withoutWaiting();

  @Test
  void an_agent_may_decide_and_only_an_operator_may_answer() throws IOException {
    try (GateServer server = new GateServer(GUARDED, "agent", "operator");
        Haltgate agent = server.connectAs("agent");
        Haltgate operator = server.connectAs("operator");
        Watch<Escalation> watch = operator.watchEscalations(WatchOptions.defaults())) {
      Background<Decision> deciding =
          new Background<>(() -> agent.session("s").decideShell("mend docs"));
      String id = raised(watch.iterator()).escalationId();
      RefusedException refused =
          assertThrows(RefusedException.class, () -> agent.approve(id, AnswerOptions.defaults()));
      assertEquals("PERMISSION_DENIED", refused.code());
      assertEquals(Optional.of(ErrorReason.ROLE_NOT_ALLOWED), refused.reason());
      assertEquals("agent", refused.role());
      assertEquals(List.of("operator", "admin"), refused.needed());
      Escalation answered = operator.approve(id, AnswerOptions.defaults());
      assertEquals("operator", answered.answer().orElseThrow().answeredBy());
      assertTrue(deciding.join().approved());
    }
  }

  @Test
  void who_shows_no_token_is_told_what_is_needed_and_who_shows_a_wrong_one_is_refused()
      throws IOException {
    try (GateServer server = new GateServer(GUARDED, "agent");
        Haltgate nobody = server.connect();
        Haltgate stranger = Haltgate.builder(server.address()).token("made-up").build()) {
      RefusedException missing =
          assertThrows(RefusedException.class, () -> nobody.session("s").decideShell("mend docs"));
      assertEquals("UNAUTHENTICATED", missing.code());
      assertEquals(Optional.of(ErrorReason.CREDENTIALS_MISSING), missing.reason());
      assertTrue(missing.needed().contains("bearer"));
      RefusedException wrong =
          assertThrows(
              RefusedException.class, () -> stranger.session("s").decideShell("mend docs"));
      assertEquals(Optional.of(ErrorReason.CREDENTIALS_INVALID), wrong.reason());
      assertEquals("", wrong.role());
      assertEquals(List.of(), wrong.needed());
    }
  }

  @Test
  void a_feed_ends_with_the_reason_when_its_token_is_taken_back() throws IOException {
    try (GateServer server = new GateServer(GUARDED, "operator");
        Haltgate operator = server.connectAs("operator");
        Watch<Escalation> watch = operator.watchEscalations(WatchOptions.defaults())) {
      Iterator<Event<Escalation>> events = watch.iterator();
      assertInstanceOf(Event.SnapshotEnd.class, events.next());
      server.token("revoke", "operator");
      RefusedException refused = assertThrows(RefusedException.class, events::hasNext);
      assertEquals(Optional.of(ErrorReason.CREDENTIALS_INVALID), refused.reason());
      assertFalse(events.hasNext());
    }
  }

  /** Counts the requests that are sent. */
  private static final class Counting implements ClientInterceptor {
    final AtomicInteger sent = new AtomicInteger();

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      sent.incrementAndGet();
      return next.newCall(method, options);
    }
  }

  @Test
  void a_feed_outlives_the_age_of_its_connections_and_tells_nothing_of_it() throws IOException {
    String aging = "{ \"approvals\": \"manual\", \"server\": { \"max_connection_age\": \"1s\" } }";
    Counting opened = new Counting();
    try (GateServer server = new GateServer(aging);
        Haltgate gate = Haltgate.builder(server.address()).interceptor(opened).build();
        Haltgate agent = server.connect();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      Iterator<Event<Escalation>> events = watch.iterator();
      assertInstanceOf(Event.SnapshotEnd.class, events.next());
      Background<Event<Escalation>> following = new Background<>(events::next);
      while (opened.sent.get() < 3) {
        Transport.sleep(Duration.ofMillis(20));
      }
      String asked = agent.session("s").decideShell("mend docs", AT_ONCE).escalationId();
      Event<Escalation> event = following.join();
      assertTrue(event instanceof Event.Raised<Escalation>);
      assertEquals(asked, ((Event.Raised<Escalation>) event).item().escalationId());
    }
  }

  @Test
  void a_gate_that_is_asked_too_often_is_asked_again_when_it_says() throws IOException {
    String seldom = "{ \"requests_per_second\": 2, \"burst\": 1 }";
    String limited = "{ \"limits\": { \"bound_local\": true, \"caller\": " + seldom + " } }";
    try (GateServer server = new GateServer(limited);
        Haltgate gate = server.connect()) {
      for (int asked = 0; asked < 4; asked++) {
        assertFalse(gate.serverInfo().version().isEmpty());
      }
      assertTrue(gate.session("s").decideShell("ls").approved());
    }
  }
}
