package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.haltgate.v1.DecideRequest;
import dev.haltgate.v1.DecideResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is unknown, missing or another's is relied on by nobody. */
class ChecksTest {
  private static final DecideRequest REQUEST =
      DecideRequest.newBuilder().setSessionId("s").setRunId("r").setRequestId("q").build();

  private static DecideResponse.Builder approval() {
    return DecideResponse.newBuilder()
        .setAction(dev.haltgate.v1.Action.ACTION_APPROVE)
        .setStage(dev.haltgate.v1.Stage.STAGE_ALLOW_LIST)
        .setScope(dev.haltgate.v1.Scope.SCOPE_SESSION)
        .setRung(dev.haltgate.v1.Rung.RUNG_ASSISTED)
        .setDecisionId("d")
        .setRequestId("q")
        .setSessionId("s")
        .setRunId("r");
  }

  @Test
  void only_a_complete_and_known_answer_to_this_very_request_is_approved() {
    assertTrue(Checks.settle(REQUEST, approval().build()).approved());
    List<Consumer<DecideResponse.Builder>> wrong =
        List.of(
            answer -> answer.setActionValue(0),
            answer -> answer.setActionValue(77),
            answer -> answer.setStageValue(0),
            answer -> answer.setStageValue(77),
            answer -> answer.setScopeValue(0),
            answer -> answer.setScopeValue(77),
            answer -> answer.setRungValue(0),
            answer -> answer.setRungValue(-1),
            answer -> answer.setRequestId(""),
            answer -> answer.setRequestId("Q"),
            answer -> answer.setSessionId("t"),
            answer -> answer.setRunId(""),
            answer -> answer.setDecisionId(""),
            answer -> answer.setAction(dev.haltgate.v1.Action.ACTION_ESCALATE).setScopeValue(0),
            DecideResponse.Builder::clear);
    for (Consumer<DecideResponse.Builder> spoil : wrong) {
      DecideResponse.Builder answer = approval();
      spoil.accept(answer);
      assertThrows(
          UnexpectedAnswerException.class,
          () -> Checks.settle(REQUEST, answer.build()),
          answer::toString);
    }
  }

  @Test
  void a_run_that_is_halted_ends_whatever_was_settled_before() {
    for (dev.haltgate.v1.Action action :
        List.of(
            dev.haltgate.v1.Action.ACTION_APPROVE,
            dev.haltgate.v1.Action.ACTION_REJECT,
            dev.haltgate.v1.Action.ACTION_HALT)) {
      DecideResponse answer = approval().setAction(action).setRunHalted(true).build();
      assertThrows(AttackHaltedException.class, () -> Checks.settle(REQUEST, answer));
    }
  }

  private static void assertSameWords(
      String prefix, Class<? extends Enum<?>> ours, Class<? extends Enum<?>> contract) {
    List<String> words =
        Stream.of(contract.getEnumConstants())
            .map(Enum::name)
            .filter(name -> !name.equals("UNRECOGNIZED") && !name.endsWith("_UNSPECIFIED"))
            .map(name -> name.substring(prefix.length()))
            .toList();
    assertEquals(words, Stream.of(ours.getEnumConstants()).map(Enum::name).toList());
  }

  @Test
  void every_value_of_the_contract_has_its_word() {
    assertSameWords("ACTION_", Action.class, dev.haltgate.v1.Action.class);
    assertSameWords("STAGE_", Stage.class, dev.haltgate.v1.Stage.class);
    assertSameWords("SCOPE_", Scope.class, dev.haltgate.v1.Scope.class);
    assertSameWords("RUNG_", Rung.class, dev.haltgate.v1.Rung.class);
    assertSameWords("OUTCOME_", Outcome.class, dev.haltgate.v1.Outcome.class);
    assertSameWords("SHELL_DIALECT_", Dialect.class, dev.haltgate.v1.ShellDialect.class);
    assertSameWords("VERDICT_", Verdict.class, dev.haltgate.v1.Verdict.class);
    assertSameWords("ENTRY_TYPE_", EntryType.class, dev.haltgate.v1.EntryType.class);
    assertSameWords("MATCHER_", Matcher.class, dev.haltgate.v1.Matcher.class);
    assertSameWords("HINT_", Hint.class, dev.haltgate.v1.Hint.class);
    assertSameWords("ERROR_REASON_", ErrorReason.class, dev.haltgate.v1.ErrorReason.class);
  }

  @Test
  void what_a_model_wrote_stays_on_the_line_of_a_log() {
    assertEquals("a b [31m c d e", Texts.oneLine("a\nb\u001b[31m\u009bc\u202ed\u2028e"));
  }

  @Test
  void a_rating_that_is_not_known_is_destructive() {
    for (int outcome : new int[] {0, 77}) {
      dev.haltgate.v1.Rating rating =
          dev.haltgate.v1.Rating.newBuilder().setOutcomeValue(outcome).build();
      assertEquals(Outcome.DESTRUCTIVE, Read.rating(rating).outcome());
    }
  }

  private static StatusRuntimeException failure(Status.Code code, String reason) {
    com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder().setCode(code.value());
    if (!reason.isEmpty()) {
      ErrorInfo info =
          ErrorInfo.newBuilder()
              .setReason(reason)
              .setDomain("haltgate.dev")
              .putMetadata("key", "value")
              .build();
      com.google.protobuf.Duration delay =
          com.google.protobuf.Duration.newBuilder().setSeconds(3).build();
      status
          .addDetails(Any.pack(info))
          .addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  @Test
  void every_status_is_an_exception_of_its_own() {
    for (Status.Code code : Status.Code.values()) {
      if (code == Status.Code.OK) {
        continue;
      }
      for (String reason : List.of("", "SOME")) {
        StatusRuntimeException failure = failure(code, reason);
        NotApprovedException typed = Failures.of(failure);
        assertSame(failure, typed.getCause());
        Duration asked = Duration.ofSeconds(reason.isEmpty() ? 0 : 3);
        switch (code) {
          case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> {
            GateUnavailableException gone = assertInstanceOf(GateUnavailableException.class, typed);
            assertEquals(reason, gone.reasonText());
            assertEquals(asked, gone.retryAfter());
          }
          case INVALID_ARGUMENT ->
              assertEquals(
                  reason, assertInstanceOf(InvalidRequestException.class, typed).reasonText());
          case UNKNOWN, INTERNAL, DATA_LOSS ->
              assertEquals(
                  reason.isEmpty() ? GateUnavailableException.class : RefusedException.class,
                  typed.getClass());
          default -> {
            RefusedException refused = assertInstanceOf(RefusedException.class, typed);
            assertEquals(
                List.of(code.name(), reason), List.of(refused.code(), refused.reasonText()));
            assertEquals(reason.isEmpty() ? Map.of() : Map.of("key", "value"), refused.metadata());
            assertEquals(asked, refused.retryAfter());
          }
        }
      }
    }
  }

  @Test
  void pauses_have_a_bound_that_doubles_and_are_not_shorter_than_the_gate_asks_for() {
    Map<Integer, Integer> bounds = Map.of(1, 50, 2, 100, 3, 200, 5, 800, 6, 1000, 1 << 30, 1000);
    bounds.forEach(
        (attempt, most) -> {
          for (int again = 0; again < 100; again++) {
            Duration pause = Transport.pauseAfter(attempt, failure(Status.Code.UNAVAILABLE, ""));
            assertTrue(!pause.isNegative() && pause.toMillis() <= most, pause::toString);
          }
        });
    assertEquals(
        Duration.ofSeconds(3), Transport.pauseAfter(1, failure(Status.Code.UNAVAILABLE, "SOME")));
  }

  @Test
  void arguments_are_written_as_they_are_meant() {
    Map<String, Object> arguments = new java.util.TreeMap<>();
    arguments.put("flags", new int[] {1, 2});
    arguments.put("nothing", null);
    arguments.put("some", List.of(true, 1.5, Map.of("deep", "down")));
    arguments.put("text", "a<b & \"c\"");
    assertEquals(
        "{\"flags\":[1,2],\"nothing\":null,\"some\":[true,1.5,{\"deep\":\"down\"}],\"text\":\"a<b &"
            + " \\\"c\\\"\"}",
        Arguments.json("arguments", arguments));
    assertEquals("", Arguments.json("arguments", Map.of()));
  }
}
