package dev.haltgate;

/**
 * A grant that is in force.
 *
 * @param grant the grant
 * @param alreadyGranted whether it was granted before; then it stays as it was
 */
public record AddedGrant(Grant grant, boolean alreadyGranted) {}
