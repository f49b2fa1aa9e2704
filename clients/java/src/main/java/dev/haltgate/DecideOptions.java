package dev.haltgate;

import java.time.Duration;
import java.util.Optional;

/** More about one decision. Each method returns changed options and leaves these as they are. */
public final class DecideOptions {
  private static final DecideOptions DEFAULTS =
      new DecideOptions(Reading.DEFAULT, "", "", true, Optional.empty(), false);

  private final Reading reading;
  private final String runId;
  private final String requestId;
  private final boolean wait;
  private final Optional<Duration> maxWait;
  private final boolean dryRun;

  private DecideOptions(
      Reading reading,
      String runId,
      String requestId,
      boolean wait,
      Optional<Duration> maxWait,
      boolean dryRun) {
    this.reading = reading;
    this.runId = runId;
    this.requestId = requestId;
    this.wait = wait;
    this.maxWait = maxWait;
    this.dryRun = dryRun;
  }

  /**
   * The defaults: a human is waited for.
   *
   * @return the options
   */
  public static DecideOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Names the uninterrupted execution that the call belongs to: what an attack halts. Default: the
   * session's calls that name no run.
   *
   * @param id the run's id
   * @return the options
   */
  public DecideOptions runId(String id) {
    return new DecideOptions(reading, id, requestId, wait, maxWait, dryRun);
  }

  /**
   * Asks under an id of the caller's own, 1 to 128 printable ASCII characters. The same id with the
   * same call gets the same decision, also in another process. Default: a new one for each
   * decision.
   *
   * @param id the request's id
   * @return the options
   */
  public DecideOptions requestId(String id) {
    return new DecideOptions(reading, runId, id, wait, maxWait, dryRun);
  }

  /**
   * Bounds the wait for a human. What still waits then comes back as {@link Action#ESCALATE}.
   * Default: no bound.
   *
   * @param limit the time; nothing or less does not wait
   * @return the options
   */
  public DecideOptions maxWait(Duration limit) {
    boolean some = !limit.isZero() && !limit.isNegative();
    return new DecideOptions(reading, runId, requestId, some, Optional.of(limit), dryRun);
  }

  /**
   * Returns {@link Action#ESCALATE} at once where a human is asked. Decide again under the same
   * request id to pick up the answer.
   *
   * @return the options
   */
  public DecideOptions withoutWaiting() {
    return new DecideOptions(reading, runId, requestId, false, maxWait, dryRun);
  }

  /**
   * Explains what would be decided, and does nothing. It is never approved.
   *
   * @return the options
   */
  public DecideOptions dryRun() {
    return new DecideOptions(reading, runId, requestId, wait, maxWait, true);
  }

  /**
   * The folder that the call starts from: an absolute path. Default: the session's.
   *
   * @param path the folder
   * @return the options
   */
  public DecideOptions cwd(String path) {
    return with(new Reading(path, reading.home(), reading.dialect(), reading.justification()));
  }

  /**
   * The home folder of the account that would run the call: an absolute path. Default: the
   * session's.
   *
   * @param path the folder
   * @return the options
   */
  public DecideOptions home(String path) {
    return with(new Reading(reading.cwd(), path, reading.dialect(), reading.justification()));
  }

  /**
   * The language of a shell command. Default: {@link Dialect#BASH}.
   *
   * @param language the language
   * @return the options
   */
  public DecideOptions dialect(Dialect language) {
    return with(new Reading(reading.cwd(), reading.home(), language, reading.justification()));
  }

  /**
   * What the agent says for repeating a refused command, at most 4,000 characters.
   *
   * @param text the agent's words
   * @return the options
   */
  public DecideOptions justification(String text) {
    return with(new Reading(reading.cwd(), reading.home(), reading.dialect(), text));
  }

  private DecideOptions with(Reading changed) {
    return new DecideOptions(changed, runId, requestId, wait, maxWait, dryRun);
  }

  Reading reading() {
    return reading;
  }

  String runId() {
    return runId;
  }

  String requestId() {
    return requestId;
  }

  boolean waits() {
    return wait && !dryRun;
  }

  Optional<Duration> maxWait() {
    return maxWait;
  }

  boolean isDryRun() {
    return dryRun;
  }
}
