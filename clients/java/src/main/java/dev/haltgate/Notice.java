package dev.haltgate;

/**
 * A message for the people who run the agent.
 *
 * @param level {@code INFO} or {@code WARNING}
 * @param code what it is about, such as {@code RATING_TIMEOUT}; empty for something that has no
 *     code yet
 * @param text one or two sentences, safe to print on one row
 */
public record Notice(String level, String code, String text) {}
