package dev.haltgate;

import java.util.List;
import java.util.Optional;

/**
 * What an answer to an escalation may do. What is not offered is refused.
 *
 * @param approveScopes what may be answered with an approval
 * @param rejectScopes what may be answered with a rejection
 * @param grant exactly the entry that an approval for longer would store
 * @param denial exactly the entry that a rejection for the session would store
 */
public record Offer(
    List<Scope> approveScopes,
    List<Scope> rejectScopes,
    Optional<RenderedEntry> grant,
    Optional<RenderedEntry> denial) {}
