package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Metadata;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS and tokens, through a relay that ends TLS in front of a real gate. */
@Timeout(120)
class TlsTest {
  @TempDir Path folder;

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  @Test
  void a_token_travels_encrypted_with_every_request()
      throws IOException, InterruptedException, GeneralSecurityException {
    Identity ours = new Identity(folder, "gate");
    try (GateServer server = new GateServer("{}");
        Relay relay =
            new Relay(
                server.address(),
                TlsServerCredentials.create(ours.certificate.toFile(), ours.key.toFile()));
        Haltgate gate =
            Haltgate.builder("https://" + relay.address())
                .caFile(ours.certificate)
                .token("secret")
                .build();
        Watch<Escalation> watch = gate.watchEscalations(WatchOptions.defaults())) {
      assertTrue(gate.session("s").decideShell("ls").approved());
      assertTrue(watch.iterator().hasNext());
      assertEquals(2, relay.seen().size());
      for (Metadata headers : relay.seen()) {
        assertEquals("Bearer secret", headers.get(key("authorization")));
        assertTrue(headers.get(key("user-agent")).startsWith("haltgate-java/" + Haltgate.VERSION));
      }
    }
  }

  @Test
  void what_observes_requests_hands_their_trace_on()
      throws IOException, InterruptedException, GeneralSecurityException {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    Metadata headers = new Metadata();
    headers.put(key("traceparent"), trace);
    Identity ours = new Identity(folder, "gate");
    try (GateServer server = new GateServer("{}");
        Relay relay =
            new Relay(
                server.address(),
                TlsServerCredentials.create(ours.certificate.toFile(), ours.key.toFile()));
        Haltgate gate =
            Haltgate.builder("https://" + relay.address())
                .caFile(ours.certificate)
                .token("secret")
                .interceptor(MetadataUtils.newAttachHeadersInterceptor(headers))
                .build()) {
      assertTrue(gate.session("s").decideShell("ls").approved());
      assertEquals(1, relay.seen().size());
      assertEquals(trace, relay.seen().get(0).get(key("traceparent")));
      assertEquals("Bearer secret", relay.seen().get(0).get(key("authorization")));
    }
  }

  @Test
  void only_the_certificates_that_were_named_are_believed()
      throws IOException, InterruptedException, GeneralSecurityException {
    Identity ours = new Identity(folder, "gate");
    Identity others = new Identity(folder, "another");
    TlsServerCredentials.Builder mutual =
        TlsServerCredentials.newBuilder()
            .keyManager(ours.certificate.toFile(), ours.key.toFile())
            .trustManager(others.certificate.toFile())
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
    try (GateServer server = new GateServer("{}");
        Relay relay = new Relay(server.address(), mutual.build())) {
      HaltgateBuilder right =
          Haltgate.builder(relay.address())
              .caCertificates(Files.readAllBytes(ours.certificate))
              .clientCertificateFiles(others.certificate, others.key);
      try (Haltgate gate = right.build()) {
        assertTrue(gate.session("s").decideShell("ls").approved());
      }
      List<HaltgateBuilder> wrong =
          List.of(
              Haltgate.builder(relay.address()).caFile(ours.certificate),
              Haltgate.builder(relay.address())
                  .caFile(others.certificate)
                  .clientCertificateFiles(others.certificate, others.key),
              Haltgate.builder(relay.address())
                  .clientCertificateFiles(others.certificate, others.key));
      for (HaltgateBuilder builder : wrong) {
        try (Haltgate gate = builder.build()) {
          assertThrows(
              GateUnavailableException.class,
              () -> gate.session("s").decideShell("ls", DecideOptions.defaults().withoutWaiting()));
        }
      }
    }
  }
}
