package dev.haltgate;

import java.time.Instant;

/**
 * What a human refused for a session.
 *
 * @param project the project that the session belongs to
 * @param sessionId the session that it holds in
 * @param entry the entry that was refused
 * @param deniedAt when
 * @param deniedBy by whom
 * @param note a note for people
 */
public record Denial(
    String project,
    String sessionId,
    RenderedEntry entry,
    Instant deniedAt,
    String deniedBy,
    String note)
    implements Listed {}
