package dev.haltgate;

import java.util.Map;

/** What an agent wants to do. */
public sealed interface Call {
  /**
   * A shell command.
   *
   * @param command exactly as the model wrote it
   */
  record Shell(String command) implements Call {}

  /**
   * A tool of the agent itself.
   *
   * @param name the tool's name
   * @param arguments texts, numbers, booleans, nulls, and maps, lists and arrays of them
   */
  record Tool(String name, Map<String, ?> arguments) implements Call {}

  /**
   * A tool of an MCP server.
   *
   * @param server the key that the operator configured the server under
   * @param name the tool's name at that server
   * @param arguments as for {@link Tool}
   */
  record McpTool(String server, String name, Map<String, ?> arguments) implements Call {}

  /**
   * A tool by the one name that the agent registered it under, as in {@code
   * mcp__jira__create_issue}.
   *
   * @param name the name
   * @param arguments as for {@link Tool}
   */
  record Registered(String name, Map<String, ?> arguments) implements Call {}
}
