package dev.haltgate;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One connection of a feed. It holds one message at most that nobody has taken: a slow reader slows
 * the server down.
 */
final class FeedConnection<I> implements AutoCloseable {
  private final ClientCall<?, ?> call;
  private final BlockingQueue<Arrival<I>> arrivals = new LinkedBlockingQueue<>();

  /** What arrived: a message, or the end. */
  private record Arrival<I>(Optional<Feeds.Message<I>> message, Status end, Metadata trailers) {}

  private FeedConnection(ClientCall<?, ?> call) {
    this.call = call;
  }

  static <Q, A, I> FeedConnection<I> open(
      Channel channel,
      MethodDescriptor<Q, A> method,
      Q request,
      Function<A, Feeds.Message<I>> read) {
    ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
    FeedConnection<I> connection = new FeedConnection<>(call);
    call.start(
        new ClientCall.Listener<A>() {
          @Override
          public void onMessage(A message) {
            connection.arrivals.add(
                new Arrival<>(Optional.of(read.apply(message)), Status.OK, new Metadata()));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            Status end =
                status.isOk()
                    ? Status.UNAVAILABLE.withDescription("the server ended the feed")
                    : status;
            connection.arrivals.add(new Arrival<>(Optional.empty(), end, trailers));
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
    return connection;
  }

  /**
   * The next message.
   *
   * @throws StatusRuntimeException if the connection ended, or was silent for too long
   * @throws InterruptedException if the thread was interrupted
   */
  Feeds.Message<I> next(Duration silence) throws InterruptedException {
    Arrival<I> arrival = arrivals.poll(silence.toNanos(), TimeUnit.NANOSECONDS);
    if (arrival == null) {
      throw new StatusRuntimeException(
          Status.UNAVAILABLE.withDescription("the feed was silent for too long"));
    }
    if (arrival.message().isEmpty()) {
      throw new StatusRuntimeException(arrival.end(), arrival.trailers());
    }
    call.request(1);
    return arrival.message().get();
  }

  /** Ends the connection, and whoever waits for its next message learns of it. */
  @Override
  public void close() {
    call.cancel("closed", null);
    arrivals.add(
        new Arrival<>(
            Optional.empty(), Status.CANCELLED.withDescription("closed"), new Metadata()));
  }
}
