package dev.haltgate;

import java.util.List;

/**
 * What a change of trust does.
 *
 * @param server the server's key
 * @param configured whether the session has a server of this key
 * @param trusted the hints believed after the change
 * @param added believed now and not before
 * @param removed believed before and not now
 * @param weakening the removed hints without which a grant can be lost
 * @param invalidates the grants that are lost at their tool's next call, if it describes itself as
 *     it does now
 */
public record TrustChanged(
    String server,
    boolean configured,
    List<Hint> trusted,
    List<Hint> added,
    List<Hint> removed,
    List<Hint> weakening,
    List<Grant> invalidates) {}
