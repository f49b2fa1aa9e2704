package dev.haltgate;

import com.google.protobuf.Message;
import dev.haltgate.v1.ApprovalGateGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Sends requests within a deadline, again where that is safe, and gives failures their types. */
final class Transport implements AutoCloseable {
  private static final int MAX_ATTEMPTS = 4;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ManagedChannel channel;
  private final Duration deadline;

  Transport(ManagedChannel channel, Duration deadline) {
    this.channel = channel;
    this.deadline = deadline;
  }

  Duration deadline() {
    return deadline;
  }

  Channel channel() {
    return channel;
  }

  ApprovalGateGrpc.ApprovalGateBlockingStub stub() {
    return ApprovalGateGrpc.newBlockingStub(channel);
  }

  /**
   * Sends a request that may arrive twice: it reads, or carries an id that makes the second a
   * replay of the first.
   */
  <Q extends Message, A extends Message> A repeatable(MethodDescriptor<Q, A> method, Q request) {
    long end = System.nanoTime() + deadline.toNanos();
    for (int attempt = 1; ; attempt++) {
      try {
        return send(method, request, Duration.ofNanos(end - System.nanoTime()));
      } catch (StatusRuntimeException failure) {
        Duration pause = pauseAfter(attempt, failure);
        boolean again =
            attempt < MAX_ATTEMPTS && mayPass(failure) && end - System.nanoTime() > pause.toNanos();
        if (!again) {
          throw Failures.of(failure);
        }
        sleep(pause);
      }
    }
  }

  /** Sends a request that changes something each time that it arrives. */
  <Q extends Message, A extends Message> A once(MethodDescriptor<Q, A> method, Q request) {
    try {
      return send(method, request, deadline);
    } catch (StatusRuntimeException failure) {
      throw Failures.of(failure);
    }
  }

  /** Sends a request a single time. The failure is gRPC's own. */
  <Q extends Message, A extends Message> A send(
      MethodDescriptor<Q, A> method, Q request, Duration limit) {
    hurry();
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(Math.max(limit.toNanos(), 1), TimeUnit.NANOSECONDS);
    return ClientCalls.blockingUnaryCall(channel, method, options, request);
  }

  /**
   * A gate that comes back is looked for at once: how often is this package's to decide, not the
   * channel's.
   */
  void hurry() {
    channel.resetConnectBackoff();
  }

  /**
   * Whether asking again is of use: the gate is out of reach, or it did not begin and says when it
   * can.
   */
  boolean mayPass(StatusRuntimeException failure) {
    boolean gone = failure.getStatus().getCode() == Status.Code.UNAVAILABLE;
    return (gone || Failures.isOverload(failure)) && !isClosed();
  }

  /**
   * A random part of a limit that doubles with each attempt, but never less than the server asks
   * for.
   */
  static Duration pauseAfter(int attempt, Throwable failure) {
    long limit =
        Math.min(FIRST_PAUSE.toNanos() << Math.min(attempt - 1, 10), LONGEST_PAUSE.toNanos());
    Duration random = Duration.ofNanos(ThreadLocalRandom.current().nextLong(limit));
    Duration asked = Failures.retryAfter(failure);
    return random.compareTo(asked) > 0 ? random : asked;
  }

  static void sleep(Duration pause) {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new GateUnavailableException(
          "", Duration.ZERO, new InterruptedException("the thread was interrupted"));
    }
  }

  boolean isClosed() {
    return channel.isShutdown();
  }

  /** Ends the connection, and what is under way on it. */
  @Override
  public void close() {
    channel.shutdownNow();
  }
}
