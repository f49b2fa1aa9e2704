package dev.haltgate;

import java.util.Optional;

/**
 * One entry of a rule list. What is empty imposes no condition.
 *
 * @param type the kind of call that it speaks of
 * @param matcher how it compares
 * @param pattern what the command or the tool's name is compared with; empty for {@link
 *     Matcher#HINT}
 * @param hints what the effective annotations are compared with; only for {@link Matcher#HINT}
 * @param server the key that the tool must belong to, or {@code *}; only for {@link
 *     EntryType#MCP_TOOL}, and required there
 * @param host the host that the call's arguments must name; not for {@link EntryType#SHELL}
 * @param rate whether a command that the entry lets through is still rated; absent: the server's
 *     default
 */
public record Entry(
    EntryType type,
    Matcher matcher,
    String pattern,
    Hints hints,
    String server,
    String host,
    Optional<Boolean> rate)
    implements EntryName {

  /**
   * An entry about shell commands.
   *
   * @param matcher how it compares
   * @param pattern what the command is compared with
   * @return the entry
   */
  public static Entry shell(Matcher matcher, String pattern) {
    return new Entry(EntryType.SHELL, matcher, pattern, Hints.none(), "", "", Optional.empty());
  }

  /**
   * An entry about tools of the agent itself.
   *
   * @param matcher how it compares
   * @param pattern what the tool's name is compared with
   * @return the entry
   */
  public static Entry tool(Matcher matcher, String pattern) {
    return new Entry(EntryType.TOOL, matcher, pattern, Hints.none(), "", "", Optional.empty());
  }

  /**
   * An entry about tools of MCP servers.
   *
   * @param server the server's key, or {@code *} for every server
   * @param matcher how it compares
   * @param pattern what the tool's name is compared with
   * @return the entry
   */
  public static Entry mcpTool(String server, Matcher matcher, String pattern) {
    return new Entry(
        EntryType.MCP_TOOL, matcher, pattern, Hints.none(), server, "", Optional.empty());
  }

  dev.haltgate.v1.Entry message() {
    dev.haltgate.v1.Entry.Builder message =
        dev.haltgate.v1.Entry.newBuilder()
            .setType(Words.number(dev.haltgate.v1.EntryType.class, "ENTRY_TYPE_", type))
            .setMatcher(Words.number(dev.haltgate.v1.Matcher.class, "MATCHER_", matcher))
            .setServer(server)
            .setHost(host);
    if (matcher == Matcher.HINT) {
      message.setHints(hints.message());
    } else {
      message.setPattern(pattern);
    }
    rate.ifPresent(message::setRate);
    return message.build();
  }
}
