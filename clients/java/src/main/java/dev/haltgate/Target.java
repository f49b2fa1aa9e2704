package dev.haltgate;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a gate listens, and how it is spoken to.
 *
 * @param address as gRPC takes it
 * @param local whether nothing leaves this machine
 * @param security whether the target itself asks for encryption, or rules it out
 * @param socket whether it is a Unix socket
 */
record Target(String address, boolean local, Security security, boolean socket) {
  static final String DEFAULT = "127.0.0.1:7557";
  static final String VARIABLE = "HALTGATE_TARGET";
  private static final String UNIX = "unix:";
  private static final int HTTPS_PORT = 443;

  /** Whether a target says something about encryption. */
  enum Security {
    ENCRYPTED,
    PLAIN,
    OPEN
  }

  /** An empty text is the one of the environment, and else the default. */
  static Target parse(String text, String environment) {
    String named = text.isEmpty() ? environment : text;
    String chosen = named == null || named.isEmpty() ? DEFAULT : named;
    if (chosen.startsWith(UNIX)) {
      String path = chosen.substring(UNIX.length());
      path = path.startsWith("//") ? path.substring(2) : path;
      if (path.isEmpty()) {
        throw problem(chosen, null);
      }
      return new Target(UNIX + path, true, Security.PLAIN, true);
    }
    Security security = Security.OPEN;
    String authority = chosen;
    int scheme = chosen.indexOf("://");
    if (scheme >= 0) {
      security =
          switch (chosen.substring(0, scheme)) {
            case "http" -> Security.PLAIN;
            case "https" -> Security.ENCRYPTED;
            default -> throw problem(chosen, null);
          };
      authority = chosen.substring(scheme + "://".length());
      authority =
          authority.endsWith("/") ? authority.substring(0, authority.length() - 1) : authority;
    }
    return tcp(chosen, authority, security);
  }

  private static Target tcp(String text, String authority, Security security) {
    URI read;
    try {
      read = new URI("dns://" + authority).parseServerAuthority();
    } catch (URISyntaxException invalid) {
      throw problem(text, invalid);
    }
    int port = read.getPort() < 0 && security == Security.ENCRYPTED ? HTTPS_PORT : read.getPort();
    String host = read.getHost();
    boolean more =
        read.getUserInfo() != null
            || !read.getPath().isEmpty()
            || read.getQuery() != null
            || read.getFragment() != null;
    if (host == null || port < 0 || port > 0xffff || more) {
      throw problem(text, null);
    }
    return new Target("dns:///" + host + ":" + port, isLoopback(host), security, false);
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
  }

  private static IllegalArgumentException problem(String text, Throwable cause) {
    return new IllegalArgumentException(
        "a gate is HOST:PORT, http://HOST:PORT, https://HOST:PORT or unix:/PATH, not \""
            + Texts.oneLine(text)
            + "\"",
        cause);
  }
}
