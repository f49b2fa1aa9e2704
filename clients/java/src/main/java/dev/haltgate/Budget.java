package dev.haltgate;

/**
 * Counts the rejections of the rater at the rung auto.
 *
 * @param consecutiveRejections since the last approval
 * @param rejectionsSinceHuman since a human was last involved
 * @param maxConsecutiveRejections the one that reaches it asks a human
 * @param maxRejectionsSinceHuman the one that reaches it asks a human
 */
public record Budget(
    int consecutiveRejections,
    int rejectionsSinceHuman,
    int maxConsecutiveRejections,
    int maxRejectionsSinceHuman) {}
