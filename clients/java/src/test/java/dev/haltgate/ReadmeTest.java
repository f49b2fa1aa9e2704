package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples do what they say. */
@Timeout(120)
class ReadmeTest {
  @TempDir Path folder;

  /** Runs a program in front of a gate. */
  private static String run(GateServer server, Path program)
      throws IOException, InterruptedException {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-classpath",
            System.getProperty("java.class.path"),
            program.toString());
    ProcessBuilder builder = new ProcessBuilder(java).redirectErrorStream(true);
    builder.environment().put(Haltgate.TARGET_VARIABLE, server.address());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  @Test
  void the_first_example_of_the_readme_runs() throws IOException, InterruptedException {
    String readme = Files.readString(Path.of("README.md"));
    Matcher example = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL).matcher(readme);
    assertTrue(example.find());
    String lines = example.group(1);
    assertEquals(6, lines.lines().count());
    Path program = folder.resolve("Main.java");
    Files.writeString(
        program,
        "import dev.haltgate.*;\nclass Main {\n  public static void main(String[] a) {\n"
            + lines
            + "\n  }\n}\n");
    try (GateServer server = new GateServer("{}")) {
      assertEquals("true\n", run(server, program));
    }
  }

  @Test
  void the_example_agent_runs_only_what_is_approved() throws IOException, InterruptedException {
    Path agent = Path.of("examples/Agent.java");
    assertTrue(Files.readAllLines(agent).size() < 60);
    try (GateServer server = new GateServer("{}")) {
      String said = run(server, agent);
      for (String expected :
          List.of(
              "got hello\n(exit 0)",
              "would send a credential to another machine",
              "got done\n(exit 0)")) {
        assertTrue(said.contains(expected), said);
      }
    }
  }
}
