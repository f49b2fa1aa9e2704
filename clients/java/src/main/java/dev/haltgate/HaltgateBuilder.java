package dev.haltgate;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ManagedChannelRegistry;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Sets up a connection to a gate. */
public final class HaltgateBuilder {
  // A page of records holds many commands of up to 1 MiB.
  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  private final String target;
  private String token = "";
  private boolean insecureToken;
  private boolean encrypted;
  private byte[] authorities;
  private byte[] certificate;
  private byte[] key;
  private Duration deadline = Haltgate.DEFAULT_DEADLINE;
  private Duration reconnectFor = Haltgate.DEFAULT_RECONNECT_FOR;
  private String project = "";
  private final List<ClientInterceptor> interceptors = new ArrayList<>();

  HaltgateBuilder(String target) {
    this.target = Objects.requireNonNull(target, "target");
  }

  /**
   * Sends a bearer token with every request. It is refused over an unencrypted connection to
   * another machine.
   *
   * @param bearer the token
   * @return this builder
   */
  public HaltgateBuilder token(String bearer) {
    token = Objects.requireNonNull(bearer, "token");
    return this;
  }

  /**
   * Lets the token travel unencrypted to another machine, where anybody on the way can read it. It
   * is for networks that encrypt by themselves.
   *
   * @return this builder
   */
  public HaltgateBuilder insecureToken() {
    insecureToken = true;
    return this;
  }

  /**
   * Encrypts the connection, and believes the certificates that Java believes. A target with {@code
   * https://} does the same.
   *
   * @return this builder
   */
  public HaltgateBuilder tls() {
    encrypted = true;
    return this;
  }

  /**
   * Encrypts the connection, and believes only the certificates in this PEM file.
   *
   * @param path the file
   * @return this builder
   * @throws UncheckedIOException if it cannot be read
   */
  public HaltgateBuilder caFile(Path path) {
    return caCertificates(read(path));
  }

  /**
   * Encrypts the connection, and believes only these certificates.
   *
   * @param pem certificates in PEM form
   * @return this builder
   */
  public HaltgateBuilder caCertificates(byte[] pem) {
    authorities = pem.clone();
    return tls();
  }

  /**
   * Encrypts the connection, and shows the server this certificate.
   *
   * @param certificateFile a PEM file with the certificate
   * @param keyFile a PEM file with its key, in PKCS#8 form
   * @return this builder
   * @throws UncheckedIOException if one cannot be read
   */
  public HaltgateBuilder clientCertificateFiles(Path certificateFile, Path keyFile) {
    certificate = read(certificateFile);
    key = read(keyFile);
    return tls();
  }

  /**
   * Bounds every request. Waiting for a human comes on top, and feeds have none. Default: {@link
   * Haltgate#DEFAULT_DEADLINE}.
   *
   * @param limit more than nothing
   * @return this builder
   */
  public HaltgateBuilder deadline(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("the deadline must be more than nothing");
    }
    deadline = limit;
    return this;
  }

  /**
   * How long a decision that waits for a human looks for a gate that is gone before it gives up.
   * Default: {@link Haltgate#DEFAULT_RECONNECT_FOR}.
   *
   * @param limit the time
   * @return this builder
   */
  public HaltgateBuilder reconnectFor(Duration limit) {
    reconnectFor = Objects.requireNonNull(limit, "limit");
    return this;
  }

  /**
   * Names the project of all requests. Default: the server's, {@code default}.
   *
   * @param name the project
   * @return this builder
   */
  public HaltgateBuilder project(String name) {
    project = Objects.requireNonNull(name, "project");
    return this;
  }

  /**
   * Sees every request, before the token is added: for what observes requests, such as the client
   * interceptor of OpenTelemetry, which hands the current trace on.
   *
   * @param interceptor an interceptor of gRPC
   * @return this builder
   */
  public HaltgateBuilder interceptor(ClientInterceptor interceptor) {
    interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /**
   * Sets the connection up. It does not wait for the gate: the first request does.
   *
   * @return the connection
   * @throws IllegalArgumentException if it can never work
   */
  public Haltgate build() {
    Target parsed = Target.parse(target, System.getenv(Target.VARIABLE));
    if (encrypted && parsed.security() == Target.Security.PLAIN) {
      throw new IllegalArgumentException(
          "TLS was asked for, and the target is one without: write https://HOST:PORT");
    }
    boolean encrypts = encrypted || parsed.security() == Target.Security.ENCRYPTED;
    if (!token.isEmpty() && !encrypts && !parsed.local() && !insecureToken) {
      throw new IllegalArgumentException(
          "a token would travel unencrypted to another machine: use https://HOST:PORT, or"
              + " insecureToken() where the network encrypts by itself");
    }
    ManagedChannelBuilder<?> builder =
        channelTo(
                parsed.address(), encrypts ? tlsCredentials() : InsecureChannelCredentials.create())
            .userAgent("haltgate-java/" + Haltgate.VERSION)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            // Retries are this package's: only it knows what may be sent twice.
            .disableRetry()
            .disableServiceConfigLookUp()
            // A connection that is dead without a word is found while a human is waited for.
            .keepAliveTime(30, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS);
    if (parsed.socket()) {
      builder.overrideAuthority("localhost");
    }
    if (!token.isEmpty()) {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
      builder.intercept(MetadataUtils.newAttachHeadersInterceptor(headers));
    }
    builder.intercept(interceptors);
    ManagedChannel channel = builder.build();
    return new Haltgate(new Transport(channel, deadline), project, reconnectFor);
  }

  private static ManagedChannelBuilder<?> channelTo(
      String address, ChannelCredentials credentials) {
    try {
      return Grpc.newChannelBuilder(address, credentials);
    } catch (ManagedChannelRegistry.ProviderNotFoundException unusable) {
      throw new IllegalArgumentException(
          "no connection can be set up like this: " + Texts.oneLine(unusable.getMessage()),
          unusable);
    }
  }

  private ChannelCredentials tlsCredentials() {
    TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
    try {
      if (authorities != null) {
        credentials.trustManager(new ByteArrayInputStream(authorities));
      }
      if (certificate != null) {
        credentials.keyManager(
            new ByteArrayInputStream(certificate), new ByteArrayInputStream(key));
      }
      return credentials.build();
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "the certificates or the key are not what they should be", unreadable);
    }
  }

  private static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read " + path, unreadable);
    }
  }
}
