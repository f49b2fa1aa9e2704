package dev.haltgate;

/**
 * A denial that is in force.
 *
 * @param denial the denial
 * @param alreadyDenied whether it was refused before; then it stays as it was
 */
public record AddedDenial(Denial denial, boolean alreadyDenied) {}
