package dev.haltgate;

import java.time.Instant;
import java.util.Optional;

/**
 * More about an import.
 *
 * @param fileModifiedAt the time that grants without one are taken to be granted at; absent: now
 * @param dryRun whether to report what would be taken over, and store nothing
 */
public record ImportOptions(Optional<Instant> fileModifiedAt, boolean dryRun) {
  /**
   * The defaults.
   *
   * @return the options
   */
  public static ImportOptions defaults() {
    return new ImportOptions(Optional.empty(), false);
  }
}
