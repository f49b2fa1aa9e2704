package dev.haltgate;

import java.util.OptionalInt;

/**
 * An entry that matched a call.
 *
 * @param list {@code DENY}, {@code ESCALATE} or {@code ALLOW}
 * @param layer {@code DECLARED}, {@code SESSION_GRANT}, {@code PERSISTED_GRANT} or {@code DENIAL}
 * @param entry the entry
 * @param undecided why the entry could not be compared and counts as a match; empty when it could
 * @param rated whether the match still leads to a rating
 * @param index its place in the declared list, from 0; absent for what a human added
 */
public record MatchedRule(
    String list,
    String layer,
    RenderedEntry entry,
    String undecided,
    boolean rated,
    OptionalInt index) {}
