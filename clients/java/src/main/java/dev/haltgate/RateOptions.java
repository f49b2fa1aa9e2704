package dev.haltgate;

/** More about one rating. Each method returns changed options and leaves these as they are. */
public final class RateOptions {
  private Reading reading = Reading.DEFAULT;
  private String profile = "";
  private boolean fresh = false;

  private RateOptions() {}

  private RateOptions copy() {
    RateOptions copy = new RateOptions();
    copy.reading = reading;
    copy.profile = profile;
    copy.fresh = fresh;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static RateOptions defaults() {
    return new RateOptions();
  }

  /**
   * The folder that the call starts from: an absolute path. Default: the session's.
   *
   * @param path the folder
   * @return the options
   */
  public RateOptions cwd(String path) {
    RateOptions changed = copy();
    changed.reading = new Reading(path, reading.home(), reading.dialect(), "");
    return changed;
  }

  /**
   * Asks the rater of this profile. Default: the one that the policy selects.
   *
   * @param name the profile
   * @return the options
   */
  public RateOptions profile(String name) {
    RateOptions changed = copy();
    changed.profile = name;
    return changed;
  }

  /**
   * Asks the rater even if an earlier rating of the session could be reused.
   *
   * @return the options
   */
  public RateOptions fresh() {
    RateOptions changed = copy();
    changed.fresh = true;
    return changed;
  }

  /**
   * The home folder of the account that would run the call: an absolute path. Default: the
   * session's.
   *
   * @param path the folder
   * @return the options
   */
  public RateOptions home(String path) {
    RateOptions changed = copy();
    changed.reading = new Reading(reading.cwd(), path, reading.dialect(), "");
    return changed;
  }

  /**
   * The language of a shell command. Default: {@link Dialect#BASH}.
   *
   * @param language the language
   * @return the options
   */
  public RateOptions dialect(Dialect language) {
    RateOptions changed = copy();
    changed.reading = new Reading(reading.cwd(), reading.home(), language, "");
    return changed;
  }

  Reading reading() {
    return reading;
  }

  String profile() {
    return profile;
  }

  boolean isFresh() {
    return fresh;
  }
}
