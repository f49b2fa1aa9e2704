package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plays every scenario of tests/conformance, whose README says what each part means. */
class ConformanceTest {
  @TestFactory
  Stream<DynamicTest> every_scenario() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of("../../tests/conformance"))) {
      files =
          found
              .filter(file -> file.toString().endsWith(".json") && !file.endsWith("schema.json"))
              .sorted()
              .toList();
    }
    assertFalse(files.isEmpty(), "there are no scenarios");
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) throws IOException {
    Values scenario = Values.parse(Files.readString(file));
    try (Player player = new Player(scenario)) {
      int number = 0;
      for (Object step : scenario.list("steps")) {
        player.step(number++, Values.of(step));
      }
    }
  }

  @Test
  void a_result_is_held_against_each_kind_of_expectation() {
    Map<String, Object> got =
        Map.of("text", "abc", "empty", "", "list", List.of("a", "b"), "number", 1.0);
    for (String fits :
        List.of(
            "{}",
            "{'text': 'abc', 'empty': null, 'missing': null}",
            "{'text': {'$contains': 'b'}, 'list': {'$contains': 'b'}}",
            "{'text': '$present', 'number': 1, 'list': ['a', '$present']}")) {
      assertEquals("", Matching.differs(Values.parse(fits).fields(), got), fits);
    }
    for (String unfit :
        List.of(
            "{'text': null}",
            "{'text': 'abcd'}",
            "{'empty': '$present'}",
            "{'missing': '$present'}",
            "{'text': {'$contains': 'x'}}",
            "{'list': {'$contains': 'x'}}",
            "{'list': ['a']}",
            "{'list': ['b', 'a']}",
            "{'number': 2}",
            "{'number': '1'}",
            "{'text': {'a': 1}}")) {
      assertFalse(Matching.differs(Values.parse(unfit).fields(), got).isEmpty(), unfit);
    }
  }
}
