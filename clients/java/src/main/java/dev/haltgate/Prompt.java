package dev.haltgate;

import java.util.List;

/**
 * A question as people should see it.
 *
 * @param headline one sentence, safe to print on one row
 * @param framedLines a complete prompt without its menu, ready to print row by row
 */
public record Prompt(String headline, List<String> framedLines) {}
