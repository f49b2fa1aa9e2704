package dev.haltgate;

import java.util.List;

/**
 * Which hints of one MCP server are believed.
 *
 * @param server the server's key
 * @param trusted the hints believed
 * @param configured whether the session has a server of this key
 * @param changed whether the trust was changed in this session
 */
public record ServerTrust(String server, List<Hint> trusted, boolean configured, boolean changed) {}
