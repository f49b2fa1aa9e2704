package dev.haltgate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Something that goes on beside a test. */
final class Background<T> {
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final Thread thread;

  Background(Supplier<T> task) {
    thread =
        new Thread(
            () -> {
              try {
                result.complete(task.get());
              } catch (RuntimeException | Error failure) {
                result.completeExceptionally(failure);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  void interrupt() {
    thread.interrupt();
  }

  /** What came of it. The time guards against hanging, and nothing else. */
  T join() {
    try {
      return result.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException own) {
        throw own;
      }
      throw new AssertionError(failure.getCause());
    } catch (InterruptedException | TimeoutException failure) {
      throw new AssertionError(failure);
    }
  }
}
