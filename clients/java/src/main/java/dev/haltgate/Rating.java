package dev.haltgate;

import java.time.Duration;

/**
 * An outcome for one call.
 *
 * @param outcome the outcome in force; one that this client does not know is {@link
 *     Outcome#DESTRUCTIVE}
 * @param reason one sentence; raw text, since a model may have written it
 * @param suggestedTool a tool that is approved already and does the same; empty when there is none
 * @param source {@code BUILT_IN}, {@code MODEL} or {@code FLOOR}
 * @param cause why the call could not be assessed, such as {@code TIMEOUT}; empty when it was
 * @param profile the rater's profile; empty for the built-in one
 * @param model the model that rated; empty when none was asked
 * @param duration how long the rating took
 * @param reused whether an earlier rating of the same call was taken over
 * @param raw the whole rating, with the floors that found something
 */
public record Rating(
    Outcome outcome,
    String reason,
    String suggestedTool,
    String source,
    String cause,
    String profile,
    String model,
    Duration duration,
    boolean reused,
    dev.haltgate.v1.Rating raw) {}
