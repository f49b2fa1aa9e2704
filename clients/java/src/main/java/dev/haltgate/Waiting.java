package dev.haltgate;

import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.DecideRequest;
import dev.haltgate.v1.DecideResponse;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;

/** One decision that a human may have to make: as many requests as it takes, all under one id. */
final class Waiting {
  /** How long one request is held for a human: less than proxies allow. */
  private static final Duration LONGEST_HOLD = Duration.ofMinutes(1);

  /** A gate that holds no request must not be asked in a tight loop. */
  private static final Duration SHORTEST_ROUND = Duration.ofSeconds(1);

  private final Transport transport;
  private final Duration reconnectFor;
  private final DecideRequest request;
  private final Optional<Duration> limit;
  private final long started = System.nanoTime();
  private Optional<Long> lostSince = Optional.empty();
  private int failures;

  Waiting(Haltgate gate, DecideRequest request, Optional<Duration> limit) {
    this.transport = gate.transport();
    this.reconnectFor = gate.reconnectFor();
    this.request = request;
    this.limit = limit;
  }

  Decision decide() {
    while (true) {
      long asked = System.nanoTime();
      Optional<DecideResponse> answer = ask();
      if (answer.isEmpty()) {
        continue;
      }
      Decision decision = Checks.settle(request, answer.get());
      if (decision.action() != Action.ESCALATE || left().isZero()) {
        return decision;
      }
      Duration rest = SHORTEST_ROUND.minusNanos(System.nanoTime() - asked);
      if (!rest.isNegative()) {
        Transport.sleep(least(rest, left()));
      }
    }
  }

  /** Sends the request once and lets the gate hold it; empty after a fault that may pass. */
  private Optional<DecideResponse> ask() {
    Duration hold = least(LONGEST_HOLD, left());
    DecideRequest held = request.toBuilder().setWait(true).setMaxWait(Read.duration(hold)).build();
    try {
      DecideResponse answer =
          transport.send(ApprovalGateGrpc.getDecideMethod(), held, hold.plus(transport.deadline()));
      failures = 0;
      lostSince = Optional.empty();
      return Optional.of(answer);
    } catch (StatusRuntimeException failure) {
      survive(failure);
      return Optional.empty();
    }
  }

  private void survive(StatusRuntimeException failure) {
    failures++;
    long now = System.nanoTime();
    long lost = lostSince.orElse(now);
    lostSince = Optional.of(lost);
    Duration pause = Transport.pauseAfter(failures, failure);
    boolean givenUp = Duration.ofNanos(now - lost).plus(pause).compareTo(reconnectFor) > 0;
    if (!transport.mayPass(failure) || givenUp || left().isZero()) {
      throw Failures.of(failure);
    }
    Transport.sleep(pause);
  }

  /** How much is left of the wait. */
  private Duration left() {
    Duration left =
        limit.map(most -> most.minusNanos(System.nanoTime() - started)).orElse(LONGEST_HOLD);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
