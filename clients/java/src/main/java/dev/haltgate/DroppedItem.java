package dev.haltgate;

/**
 * An item of a file that is not a grant.
 *
 * @param index its place in its list, from 0
 * @param reason one sentence
 */
public record DroppedItem(int index, String reason) {}
