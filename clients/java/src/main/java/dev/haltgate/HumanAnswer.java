package dev.haltgate;

import java.time.Instant;
import java.util.Optional;

/**
 * What a human answered.
 *
 * @param verdict the verdict; absent for one that this client does not know
 * @param scope the scope that was stored: {@link Scope#ONCE} when nothing was
 * @param comment the comment; it is part of the message that the agent gets after a rejection
 * @param answeredBy who answered, as the server authenticated them
 * @param answeredAt when the answer was accepted
 * @param stored the grant's or the denial's entry; absent when nothing was stored
 */
public record HumanAnswer(
    Optional<Verdict> verdict,
    Optional<Scope> scope,
    String comment,
    String answeredBy,
    Instant answeredAt,
    Optional<RenderedEntry> stored) {}
