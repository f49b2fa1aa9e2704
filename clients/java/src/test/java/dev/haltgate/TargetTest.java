package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.haltgate.Target.Security;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a gate may be called, and what is refused before anything is sent. */
class TargetTest {
  @Test
  void a_target_is_a_host_with_a_port_or_a_socket() {
    Map<String, Target> targets =
        Map.of(
            "", new Target("dns:///127.0.0.1:7557", true, Security.OPEN, false),
            "gate.example:80", new Target("dns:///gate.example:80", false, Security.OPEN, false),
            "localhost:1", new Target("dns:///localhost:1", true, Security.OPEN, false),
            "[::1]:7557", new Target("dns:///[::1]:7557", true, Security.OPEN, false),
            "http://127.0.0.9:80/", new Target("dns:///127.0.0.9:80", true, Security.PLAIN, false),
            "https://gate.example",
                new Target("dns:///gate.example:443", false, Security.ENCRYPTED, false),
            "https://gate.example:8",
                new Target("dns:///gate.example:8", false, Security.ENCRYPTED, false),
            "unix:/run/gate.sock", new Target("unix:/run/gate.sock", true, Security.PLAIN, true),
            "unix:///run/gate.sock", new Target("unix:/run/gate.sock", true, Security.PLAIN, true));
    targets.forEach((text, expected) -> assertEquals(expected, Target.parse(text, null)));
    for (String text :
        List.of(
            "unix:",
            "127.0.0.1",
            "http://gate.example",
            "ftp://gate.example:1",
            "gate.example:80/path",
            "a b:80",
            "user@gate.example:80",
            "gate.example:99999",
            "gate.example:",
            ":80",
            "gate.example:80?query")) {
      assertThrows(IllegalArgumentException.class, () -> Target.parse(text, null), text);
    }
    assertEquals("dns:///gate.example:80", Target.parse("", "gate.example:80").address());
    assertEquals("dns:///localhost:1", Target.parse("localhost:1", "gate.example:80").address());
  }

  @Test
  void a_token_does_not_travel_unencrypted_to_another_machine() {
    List<HaltgateBuilder> fine =
        List.of(
            Haltgate.builder("gate.example:7557").insecureToken(),
            Haltgate.builder("gate.example:7557").tls(),
            Haltgate.builder("https://gate.example"),
            Haltgate.builder("127.0.0.1:7557"),
            Haltgate.builder("localhost:7557"),
            Haltgate.builder("unix:/run/gate.sock"));
    for (HaltgateBuilder builder : fine) {
      builder.token("secret").build().close();
    }
    for (String target :
        List.of(
            "192.0.2.1:7557",
            "gate.example:7557",
            "http://gate.example:7557",
            "127.evil.example:80")) {
      HaltgateBuilder builder = Haltgate.builder(target).token("secret");
      assertThrows(IllegalArgumentException.class, builder::build, target);
    }
  }

  @Test
  void what_cannot_work_is_found_before_it_is_used() {
    HaltgateBuilder plain = Haltgate.builder("http://127.0.0.1:1").tls();
    assertThrows(IllegalArgumentException.class, plain::build);
    HaltgateBuilder builder = Haltgate.builder("127.0.0.1:1");
    assertThrows(RuntimeException.class, () -> builder.caFile(Path.of("/nowhere")));
    assertThrows(
        RuntimeException.class,
        () -> builder.clientCertificateFiles(Path.of("/nowhere"), Path.of("/nowhere")));
    assertThrows(IllegalArgumentException.class, () -> builder.deadline(Duration.ZERO));
    byte[] none = "none".getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> builder.caCertificates(none).build());
  }
}
