package dev.haltgate;

/**
 * A file of grants.
 *
 * @param content JSON text
 * @param grants how many it holds
 * @param skipped how many were left out, since the format cannot say their bounds
 */
public record Exported(String content, int grants, int skipped) {}
