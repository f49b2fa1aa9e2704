package dev.haltgate;

import java.util.List;

/**
 * The trust in force for a session.
 *
 * @param defaults the hints believed of a server that is not named
 * @param servers the servers that are named
 */
public record Trust(List<Hint> defaults, List<ServerTrust> servers) {}
