package dev.haltgate;

import java.time.Duration;

/** What a feed is about. Each method returns changed options and leaves these as they are. */
public final class WatchOptions {
  private String sessionId = "";
  private String runId = "";
  private String after = "";
  private boolean observing = false;
  private Duration silence = Watch.DEFAULT_SILENCE;

  private WatchOptions() {}

  private WatchOptions copy() {
    WatchOptions copy = new WatchOptions();
    copy.sessionId = sessionId;
    copy.runId = runId;
    copy.after = after;
    copy.observing = observing;
    copy.silence = silence;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static WatchOptions defaults() {
    return new WatchOptions();
  }

  /**
   * Narrows the feed to one session.
   *
   * @param id the session's id
   * @return the options
   */
  public WatchOptions sessionId(String id) {
    WatchOptions changed = copy();
    changed.sessionId = id;
    return changed;
  }

  /**
   * Narrows the feed to one run.
   *
   * @param id the run's id
   * @return the options
   */
  public WatchOptions runId(String id) {
    WatchOptions changed = copy();
    changed.runId = id;
    return changed;
  }

  /**
   * Continues behind a cursor of the same feed with the same filters. Default: begin with
   * everything that is open.
   *
   * @param cursor the cursor
   * @return the options
   */
  public WatchOptions after(String cursor) {
    WatchOptions changed = copy();
    changed.after = cursor;
    return changed;
  }

  /**
   * Says that nobody at this feed will answer, so that no halt waits for it. It is for {@link
   * Haltgate#watchHalts}.
   *
   * @return the options
   */
  public WatchOptions observeOnly() {
    WatchOptions changed = copy();
    changed.observing = true;
    return changed;
  }

  /**
   * How long the feed may be silent, heartbeats included, before its connection counts as broken.
   * It must be longer than the server's heartbeat, which is 15 seconds unless configured. Default:
   * {@link Watch#DEFAULT_SILENCE}.
   *
   * @param limit the time
   * @return the options
   */
  public WatchOptions silence(Duration limit) {
    WatchOptions changed = copy();
    changed.silence = limit;
    return changed;
  }

  String sessionId() {
    return sessionId;
  }

  String runId() {
    return runId;
  }

  String after() {
    return after;
  }

  boolean isObserving() {
    return observing;
  }

  Duration silence() {
    return silence;
  }
}
