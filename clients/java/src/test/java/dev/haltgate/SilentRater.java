package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Accepts connections and never answers. */
final class SilentRater implements Closeable {
  private final ServerSocket listener;
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final CountDownLatch asked = new CountDownLatch(1);

  SilentRater() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Thread accepting =
        new Thread(
            () -> {
              while (!listener.isClosed()) {
                try {
                  connections.add(listener.accept());
                  asked.countDown();
                } catch (IOException closed) {
                  return;
                }
              }
            });
    accepting.setDaemon(true);
    accepting.start();
  }

  String address() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  void awaitAsked() {
    try {
      assertTrue(asked.await(60, TimeUnit.SECONDS), "nobody asked the rater");
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
