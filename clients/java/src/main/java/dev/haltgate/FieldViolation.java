package dev.haltgate;

/**
 * One thing that is wrong with a request.
 *
 * @param field the field by its path, as in {@code call.shell.command}
 * @param description what is wrong, and what to write instead
 */
public record FieldViolation(String field, String description) {}
