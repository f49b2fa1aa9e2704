package dev.haltgate;

/** Which kind of call an entry speaks of. */
public enum EntryType {
  /** Shell commands. */
  SHELL,
  /** Tools of the agent itself. */
  TOOL,
  /** Tools of MCP servers. */
  MCP_TOOL
}
