package dev.haltgate;

import java.util.List;

/**
 * What became of a file of grants.
 *
 * @param grants what was taken over; in a dry run, what would be
 * @param alreadyGranted how many items were granted before
 * @param dropped what is not a grant
 * @param fileVersion the version of the file
 * @param notices about the import
 */
public record Imported(
    List<Grant> grants,
    int alreadyGranted,
    List<DroppedItem> dropped,
    int fileVersion,
    List<Notice> notices) {}
