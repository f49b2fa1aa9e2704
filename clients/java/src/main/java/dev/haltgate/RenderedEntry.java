package dev.haltgate;

/**
 * An entry with the two texts that humans know it by. Both are raw text.
 *
 * @param entry the entry
 * @param objectText the entry as one would write it in a policy file; it names the entry exactly
 * @param summary one line, as in {@code git push (glob)}
 */
public record RenderedEntry(Entry entry, String objectText, String summary) {}
