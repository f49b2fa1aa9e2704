package dev.haltgate;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a human allowed.
 *
 * @param project the project that it belongs to
 * @param sessionId the session that it holds in; empty: in every session of the project
 * @param scope {@link Scope#SESSION} or {@link Scope#ALWAYS}
 * @param entry the entry that was granted
 * @param grantedAt when
 * @param grantedBy by whom
 * @param terms what bounds it
 * @param usesLeft how many uses are left; absent when they are not limited
 * @param lastUsedAt when it last let a call through; absent: never
 */
public record Grant(
    String project,
    String sessionId,
    Optional<Scope> scope,
    RenderedEntry entry,
    Instant grantedAt,
    String grantedBy,
    Terms terms,
    OptionalInt usesLeft,
    Optional<Instant> lastUsedAt)
    implements Listed {}
