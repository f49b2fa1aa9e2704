package dev.haltgate;

import java.util.List;

/**
 * Believes or disbelieves hints of one MCP server.
 *
 * @param server the server's key
 * @param believe hints to believe
 * @param disbelieve hints to believe no more
 */
public record TrustChange(String server, List<Hint> believe, List<Hint> disbelieve) {
  dev.haltgate.v1.TrustChange message() {
    return dev.haltgate.v1.TrustChange.newBuilder()
        .setServer(server)
        .addAllBelieve(numbers(believe))
        .addAllDisbelieve(numbers(disbelieve))
        .build();
  }

  private static List<dev.haltgate.v1.Hint> numbers(List<Hint> hints) {
    return hints.stream()
        .map(hint -> Words.number(dev.haltgate.v1.Hint.class, "HINT_", hint))
        .toList();
  }
}
