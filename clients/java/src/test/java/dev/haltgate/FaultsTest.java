package dev.haltgate;

import static dev.haltgate.GateServer.ATTACK;
import static dev.haltgate.GateServer.MANUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever goes wrong, nothing is approved. */
@Timeout(120)
class FaultsTest {
  private static final DecideOptions DEFAULTS = DecideOptions.defaults();

  static <I> I raised(Iterator<Event<I>> events) {
    while (true) {
      if (events.next() instanceof Event.Raised<I> raised) {
        return raised.item();
      }
    }
  }

  /** Answers once the gate is back. */
  private static Escalation approve(Haltgate gate, String id) {
    while (true) {
      try {
        return gate.approve(id, AnswerOptions.defaults().comment("go on"));
      } catch (GateUnavailableException notYet) {
        assertNotNull(notYet.getCause());
      }
    }
  }

  @Test
  void an_answer_is_picked_up_after_the_server_was_killed_in_the_middle_of_the_wait()
      throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      Background<Decision> waiting =
          new Background<>(() -> gate.session("s").decideShell("mend docs"));
      Escalation question = raised(watch.iterator());
      server.kill();
      server.start();
      approve(gate, question.escalationId());
      Decision decision = waiting.join();
      assertTrue(decision.approved());
      assertEquals("go on", decision.human().orElseThrow().comment());
      assertEquals(question.decisionId(), decision.decisionId());
      Set<String> decisions = new HashSet<>();
      for (DecisionRecord record :
          gate.listDecisions(DecisionFilter.defaults().sessionId("s").pageSize(1))) {
        decisions.add(record.decisionId());
      }
      assertEquals(Set.of(question.decisionId()), decisions, "it is decided once");
    }
  }

  @Test
  void a_decision_whose_gate_is_gone_for_good_is_not_approved() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate =
            Haltgate.builder(server.address()).reconnectFor(Duration.ofMillis(300)).build();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      Session session = gate.session("s");
      Background<Decision> waiting = new Background<>(() -> session.decideShell("mend docs"));
      raised(watch.iterator());
      server.kill();
      assertNotNull(assertThrows(GateUnavailableException.class, waiting::join).getCause());
      for (DecideOptions options :
          List.of(DEFAULTS, DEFAULTS.withoutWaiting(), DEFAULTS.dryRun())) {
        assertThrows(GateUnavailableException.class, () -> session.decideShell("ls", options));
      }
    }
  }

  @Test
  void a_decision_that_is_out_of_time_is_not_approved() throws IOException {
    // Accepts, and never says a word.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Haltgate gate =
            Haltgate.builder("127.0.0.1:" + silent.getLocalPort())
                .deadline(Duration.ofMillis(200))
                .build()) {
      assertThrows(
          GateUnavailableException.class,
          () -> gate.session("s").decideShell("ls", DEFAULTS.withoutWaiting()));
    }
  }

  // Closing early is what is tested.
  @SuppressWarnings("try")
  @Test
  void a_wait_that_is_interrupted_or_whose_gate_is_closed_is_not_approved() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect();
        Haltgate closing = server.connect();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      Iterator<Event<Escalation>> events = watch.iterator();
      Background<Decision> waiting =
          new Background<>(() -> gate.session("s").decideShell("mend docs"));
      raised(events);
      waiting.interrupt();
      assertThrows(GateUnavailableException.class, waiting::join);
      Background<Decision> other =
          new Background<>(() -> closing.session("s").decideShell("mend more"));
      raised(events);
      closing.close();
      assertThrows(GateUnavailableException.class, other::join);
    }
  }

  @Test
  void a_wait_that_ends_without_an_answer_is_escalated_and_goes_on_under_the_same_request()
      throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect()) {
      Session session = gate.session("s");
      DecideOptions turn = DEFAULTS.requestId("turn-1");
      Decision first = session.decideShell("mend docs", turn.maxWait(Duration.ofMillis(50)));
      assertEquals(Action.ESCALATE, first.action());
      assertFalse(first.approved());
      Decision again = session.decideShell("mend docs", turn.withoutWaiting());
      assertEquals(
          List.of(Action.ESCALATE, first.decisionId()),
          List.of(again.action(), again.decisionId()));
      gate.reject(first.escalationId(), AnswerOptions.defaults().comment("not today"));
      Decision last = session.decideShell("mend docs", turn);
      assertEquals(Action.REJECT, last.action());
      assertFalse(last.approved());
      assertEquals(Verdict.REJECT, last.human().orElseThrow().verdict().orElseThrow());
    }
  }

  @Test
  void an_attack_halts_the_run_and_every_later_call_of_it() throws IOException {
    try (GateServer server = new GateServer("{}");
        Haltgate gate = server.connect()) {
      Session session = gate.session("s");
      DecideOptions run = DEFAULTS.runId("r");
      Decision first =
          assertThrows(AttackHaltedException.class, () -> session.decideShell(ATTACK, run))
              .decision();
      Decision later =
          assertThrows(AttackHaltedException.class, () -> session.decideShell("ls", run))
              .decision();
      assertEquals(
          List.of(false, true), List.of(first.haltId().isEmpty(), later.haltId().isEmpty()));
      assertEquals(List.of(true, true), List.of(first.runHalted(), later.runHalted()));
      assertEquals(List.of(false, false), List.of(first.approved(), later.approved()));
      Decision other = session.decideShell("ls", DEFAULTS.runId("another"));
      assertTrue(other.approved());
      assertEquals(Outcome.SAFE, other.rating().orElseThrow().outcome());
    }
  }

  @Test
  void a_halt_that_somebody_watches_waits_for_the_answer() throws IOException {
    try (GateServer server = new GateServer("{}");
        Haltgate gate = server.connect();
        Watch<AttackHalt> watch = gate.watchHalts(WatchOptions.defaults())) {
      Iterator<Event<AttackHalt>> events = watch.iterator();
      assertEquals(0, assertInstanceOf(Event.SnapshotEnd.class, events.next()).open());
      Background<Decision> waiting = new Background<>(() -> gate.session("s").decideShell(ATTACK));
      AttackHalt halt = raised(events);
      assertEquals("OPEN", halt.state());
      assertFalse(halt.prompt().framedLines().isEmpty());
      AttackHalt settled = gate.runAnyway(halt.haltId(), AnswerOptions.defaults());
      assertEquals("RAN_ANYWAY", settled.state());
      Decision decision = waiting.join();
      assertTrue(decision.approved());
      assertEquals(halt.haltId(), decision.haltId());
      RefusedException second =
          assertThrows(
              RefusedException.class, () -> gate.stop(halt.haltId(), AnswerOptions.defaults()));
      assertEquals(
          List.of("ALREADY_ANSWERED", "haltgate.dev"),
          List.of(second.reasonText(), second.domain()));
      assertEquals("VERDICT_RUN_ANYWAY", second.metadata().get("verdict"));
    }
  }

  @Test
  void a_call_that_nobody_can_approve_ends_the_run() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect()) {
      Session session = gate.openSession(OpenOptions.defaults().interactive(false));
      UnattendedException unattended =
          assertThrows(UnattendedException.class, () -> session.decideShell("mend docs"));
      assertEquals(Action.UNATTENDED, unattended.decision().action());
      assertFalse(unattended.decision().approved());
      assertFalse(unattended.decision().message().isEmpty());
    }
  }

  @Test
  void a_dry_run_approves_nothing() throws IOException {
    try (GateServer server = new GateServer("{ \"approvals\": \"bypass\" }");
        Haltgate gate = server.connect()) {
      Decision explained = gate.session("s").decideShell("ls", DEFAULTS.dryRun());
      assertEquals(Action.APPROVE, explained.action());
      assertFalse(explained.approved());
      assertTrue(explained.dryRun() && explained.raw().hasExplanation());
      assertTrue(gate.session("s").decideShell("ls").approved());
    }
  }

  @Test
  void a_wrong_request_is_an_exception_that_names_each_field() throws IOException {
    try (GateServer server = new GateServer("{}");
        Haltgate gate = server.connect()) {
      Session session = gate.session("s");
      Map<String, Object> endless = new HashMap<>();
      endless.put("itself", endless);
      Map<String, Supplier<Decision>> wrong =
          Map.of(
              "call.shell.command", () -> session.decideShell(""),
              "call.shell.cwd", () -> session.decideShell("ls", DEFAULTS.cwd("here")),
              "call.tool.arguments_json", () -> session.decideTool("read", endless, DEFAULTS),
              "call.mcp_tool.arguments_json",
                  () -> session.decideMcp("jira", "read", Map.of("n", Double.NaN), DEFAULTS),
              "call.registered.arguments_json",
                  () -> session.decideRegistered("read", Map.of("n", new Object()), DEFAULTS));
      wrong.forEach(
          (field, ask) -> {
            InvalidRequestException invalid = assertThrows(InvalidRequestException.class, ask::get);
            assertEquals(
                List.of(field), invalid.violations().stream().map(FieldViolation::field).toList());
            assertFalse(invalid.violations().get(0).description().isEmpty());
          });
    }
  }
}
