package dev.haltgate;

/**
 * A tool as its provider describes it. Nothing in it is believed unless the policy says so.
 *
 * @param registeredName the name that the agent calls it by: {@code mcp__<server>__<tool>} for a
 *     tool of an MCP server
 * @param description for people; may be empty
 * @param annotations what the provider declares
 */
public record ToolDeclaration(String registeredName, String description, Hints annotations) {}
