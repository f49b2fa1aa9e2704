package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.DecideRequest;
import dev.haltgate.v1.DecideResponse;
import dev.haltgate.v1.ManageGrantsRequest;
import dev.haltgate.v1.ManageGrantsResponse;
import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only what is safe is sent again, and an answer that is none is relied on by nobody. */
@Timeout(120)
class RetryTest {
  /** Answers every request with a status, and counts them. */
  private static final class Refusing extends HandlerRegistry {
    final AtomicInteger count = new AtomicInteger();
    private final StatusRuntimeException refusal;

    Refusing(StatusRuntimeException refusal) {
      this.refusal = refusal;
    }

    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
      MethodDescriptor<byte[], byte[]> method =
          MethodDescriptor.newBuilder(NOTHING, NOTHING)
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(name)
              .build();
      return ServerMethodDefinition.create(
          method,
          (call, headers) -> {
            count.incrementAndGet();
            Metadata trailers = refusal.getTrailers();
            call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
            return new ServerCall.Listener<>() {};
          });
    }

    private static final MethodDescriptor.Marshaller<byte[]> NOTHING =
        new MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
          }

          @Override
          public byte[] parse(InputStream stream) {
            return new byte[0];
          }
        };
  }

  /** A request, what refuses it, and how often it is sent. */
  private record Example(
      String name, StatusRuntimeException refusal, Consumer<Haltgate> ask, int sent) {}

  private static final String OURS = "haltgate.dev";
  private static final Duration HOUR = Duration.newBuilder().setSeconds(3600).build();
  private static final Duration SOON = Duration.newBuilder().setNanos(1_000_000).build();

  private static StatusRuntimeException later(
      Status.Code code, String reason, String domain, Duration wait) {
    ErrorInfo info = ErrorInfo.newBuilder().setReason(reason).setDomain(domain).build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .addDetails(Any.pack(info))
            .addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(wait).build()))
            .build());
  }

  private static StatusRuntimeException full(String reason, String domain, Duration wait) {
    return later(Status.Code.RESOURCE_EXHAUSTED, reason, domain, wait);
  }

  private static Example reading(String name, StatusRuntimeException refusal, int sent) {
    return new Example(name, refusal, Haltgate::serverInfo, sent);
  }

  private static Server serve(Consumer<ServerBuilder<?>> setUp) throws IOException {
    ServerBuilder<?> builder = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create());
    setUp.accept(builder);
    return builder.build().start();
  }

  @Test
  void only_what_is_safe_is_sent_again_and_only_while_that_may_help() throws IOException {
    StatusRuntimeException gone = Status.UNAVAILABLE.asRuntimeException();
    DecideOptions atOnce = DecideOptions.defaults().withoutWaiting();
    List<Example> examples =
        List.of(
            reading("a gate that is gone", gone, 4),
            new Example("deciding", gone, gate -> gate.session("s").decideShell("ls", atOnce), 4),
            new Example("answering", gone, gate -> gate.approve("e", AnswerOptions.defaults()), 4),
            new Example("granting", gone, gate -> gate.grants().exportFile(), 4),
            new Example("opening", gone, gate -> gate.openSession(OpenOptions.defaults()), 1),
            reading(
                "draining for an hour", later(Status.Code.UNAVAILABLE, "DRAINING", OURS, HOUR), 1),
            reading("too much to do", full("OVERLOADED", OURS, SOON), 4),
            new Example(
                "opening while there is too much to do",
                full("OVERLOADED", OURS, SOON),
                gate -> gate.openSession(OpenOptions.defaults()),
                1),
            reading("too much to do for an hour", full("OVERLOADED", OURS, HOUR), 1),
            reading("too many open questions", full("TOO_MANY_OPEN", OURS, SOON), 1),
            reading("a limit of somebody else", full("OVERLOADED", "proxy.example", SOON), 1),
            reading("it does not say when", Status.RESOURCE_EXHAUSTED.asRuntimeException(), 1),
            reading("no credentials", Status.UNAUTHENTICATED.asRuntimeException(), 1),
            reading("no permission", Status.PERMISSION_DENIED.asRuntimeException(), 1),
            reading("a fault", Status.INTERNAL.asRuntimeException(), 1));
    for (Example example : examples) {
      Refusing refusing = new Refusing(example.refusal());
      Server server = serve(builder -> builder.fallbackHandlerRegistry(refusing));
      try (Haltgate gate = Haltgate.connect("127.0.0.1:" + server.getPort())) {
        assertThrows(NotApprovedException.class, () -> example.ask().accept(gate), example.name());
      } finally {
        server.shutdownNow();
      }
      assertEquals(example.sent(), refusing.count.get(), example.name());
    }
  }

  /** Answers with a later contract's action, or with nothing. */
  private static final class Careless extends ApprovalGateGrpc.ApprovalGateImplBase {
    @Override
    public void decide(DecideRequest request, StreamObserver<DecideResponse> answers) {
      answers.onNext(
          DecideResponse.newBuilder()
              .setActionValue(99)
              .setStage(dev.haltgate.v1.Stage.STAGE_RATER)
              .setScope(dev.haltgate.v1.Scope.SCOPE_ONCE)
              .setRung(dev.haltgate.v1.Rung.RUNG_AUTO)
              .setDecisionId("d")
              .setRequestId(request.getRequestId())
              .setSessionId(request.getSessionId())
              .build());
      answers.onCompleted();
    }

    @Override
    public void manageGrants(
        ManageGrantsRequest request, StreamObserver<ManageGrantsResponse> answers) {
      answers.onNext(ManageGrantsResponse.getDefaultInstance());
      answers.onCompleted();
    }
  }

  @Test
  void an_answer_that_is_none_is_not_approved() throws IOException {
    BindableService careless = new Careless();
    Server server = serve(builder -> builder.addService(careless));
    DecideOptions defaults = DecideOptions.defaults();
    try (Haltgate gate = Haltgate.connect("127.0.0.1:" + server.getPort())) {
      for (DecideOptions options :
          List.of(defaults, defaults.withoutWaiting(), defaults.dryRun())) {
        assertThrows(
            UnexpectedAnswerException.class, () -> gate.session("s").decideShell("ls", options));
      }
      assertThrows(UnexpectedAnswerException.class, () -> gate.grants().exportFile());
    } finally {
      server.shutdownNow();
    }
  }
}
