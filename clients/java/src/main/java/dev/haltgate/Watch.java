package dev.haltgate;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A feed that reconnects by itself, and then misses nothing and repeats nothing.
 *
 * <p>Iterating yields what happens until the watch is closed, its thread is interrupted or the gate
 * is closed: then it ends without an exception. While the gate is gone it is looked for, for as
 * long as it takes. A cursor that the gate refuses begins the feed anew, which {@link
 * Event.Restarted} says. Any other refusal is thrown and ends the feed.
 *
 * <p>One thread iterates; any may close it. Another loop over it goes on where the last one
 * stopped.
 *
 * @param <I> {@link Escalation} or {@link AttackHalt}
 */
public final class Watch<I> implements Iterable<Event<I>>, AutoCloseable {
  /** How long a feed may be silent, heartbeats included, before its connection counts as broken. */
  public static final Duration DEFAULT_SILENCE = Duration.ofSeconds(45);

  private final Transport transport;
  private final Feeds.Source<I> source;
  private final Duration silence;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String cursor;
  private volatile Optional<FeedConnection<I>> connection = Optional.empty();
  private Optional<Event<I>> ahead = Optional.empty();
  private int failures;
  // Events of a snapshot that has not ended were told.
  private boolean told;

  Watch(Transport transport, WatchOptions options, Feeds.Source<I> source) {
    this.transport = transport;
    this.source = source;
    this.silence = options.silence();
    this.cursor = options.after();
  }

  /**
   * The cursor of the last message that was seen, to resume behind with {@link WatchOptions#after}.
   * Heartbeats move it on too.
   *
   * @return the cursor; empty until the snapshot has ended
   */
  public String cursor() {
    return cursor;
  }

  @Override
  public Iterator<Event<I>> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (ahead.isEmpty()) {
          ahead = advance();
        }
        return ahead.isPresent();
      }

      @Override
      public Event<I> next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the feed was closed");
        }
        Event<I> event = ahead.orElseThrow();
        ahead = Optional.empty();
        return event;
      }
    };
  }

  /** The next event; absent at the end. */
  private Optional<Event<I>> advance() {
    try {
      while (!isOver()) {
        if (connection.isEmpty()) {
          if (told && cursor.isEmpty()) {
            return restart();
          }
          connect();
        }
        Optional<Event<I>> event = step(connection.orElseThrow());
        if (event.isPresent()) {
          return event;
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      disconnect();
    }
    return Optional.empty();
  }

  private boolean isOver() {
    return closed.getCount() == 0 || transport.isClosed();
  }

  private void connect() {
    transport.hurry();
    FeedConnection<I> made = source.open(transport.channel(), cursor);
    connection = Optional.of(made);
    if (isOver()) {
      // Closed meanwhile, by somebody who did not see this connection yet.
      made.close();
    }
  }

  private void disconnect() {
    connection.ifPresent(FeedConnection::close);
    connection = Optional.empty();
  }

  /** Takes one message; the event to tell, if it is one. */
  private Optional<Event<I>> step(FeedConnection<I> from) throws InterruptedException {
    Feeds.Message<I> message;
    try {
      message = from.next(silence);
    } catch (StatusRuntimeException failure) {
      disconnect();
      return isOver() ? Optional.empty() : survive(failure);
    }
    if (!message.cursor().isEmpty()) {
      cursor = message.cursor();
    }
    if (message instanceof Feeds.Message.Resume) {
      disconnect();
      failures++;
      // The first time at once: the server has said that it is time to come back.
      if (failures > 1) {
        pause(Transport.pauseAfter(failures, null));
      }
      return Optional.empty();
    }
    failures = 0;
    if (message instanceof Feeds.Message.Told<I> news) {
      told = true;
      return Optional.of(news.event());
    }
    return Optional.empty();
  }

  /** Pauses after a failure that may pass, and throws one that may not. */
  private Optional<Event<I>> survive(StatusRuntimeException failure) throws InterruptedException {
    Status.Code code = failure.getStatus().getCode();
    NotApprovedException typed = Failures.of(failure);
    boolean isFinal = false;
    Optional<ErrorReason> reason = Optional.empty();
    if (typed instanceof RefusedException refused) {
      reason = refused.reason();
      isFinal = code != Status.Code.RESOURCE_EXHAUSTED && code != Status.Code.INTERNAL;
    } else if (typed instanceof InvalidRequestException invalid) {
      reason = invalid.reason();
      isFinal = true;
    }
    // A gate that forgot everything does not know its own cursors any more.
    boolean refusedCursor =
        reason
            .filter(EnumSet.of(ErrorReason.CURSOR_TOO_OLD, ErrorReason.CURSOR_INVALID)::contains)
            .isPresent();
    if (refusedCursor && !cursor.isEmpty()) {
      return restart();
    }
    if (isFinal) {
      close();
      throw typed;
    }
    failures++;
    pause(Transport.pauseAfter(failures, failure));
    return Optional.empty();
  }

  private void pause(Duration length) throws InterruptedException {
    // Whether it was closed meanwhile is asked anyway.
    boolean ended = closed.await(length.toNanos(), TimeUnit.NANOSECONDS);
    if (ended) {
      disconnect();
    }
  }

  /** Forgets the cursor, and tells the caller to forget what was open. */
  private Optional<Event<I>> restart() {
    cursor = "";
    told = false;
    return Optional.of(new Event.Restarted<>(""));
  }

  /** Ends the feed. Whoever iterates over it comes to its end. */
  @Override
  public void close() {
    closed.countDown();
    connection.ifPresent(FeedConnection::close);
  }
}
