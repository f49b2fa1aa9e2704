package dev.haltgate;

/**
 * More about a change of grants and denials. Each method returns changed options and leaves these
 * as they are.
 */
public final class GrantOptions {
  private Terms terms = Terms.none();
  private String note = "";
  private String requestId = "";

  private GrantOptions() {}

  private GrantOptions copy() {
    GrantOptions copy = new GrantOptions();
    copy.terms = terms;
    copy.note = note;
    copy.requestId = requestId;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static GrantOptions defaults() {
    return new GrantOptions();
  }

  /**
   * Bounds a grant. Default: no bounds.
   *
   * @param bounds the terms
   * @return the options
   */
  public GrantOptions terms(Terms bounds) {
    GrantOptions changed = copy();
    changed.terms = bounds;
    return changed;
  }

  /**
   * Says something about a denial to people.
   *
   * @param text the note
   * @return the options
   */
  public GrantOptions note(String text) {
    GrantOptions changed = copy();
    changed.note = text;
    return changed;
  }

  /**
   * Changes under an id of the caller's own, so that a retry is a replay. Default: a new one.
   *
   * @param id the request's id
   * @return the options
   */
  public GrantOptions requestId(String id) {
    GrantOptions changed = copy();
    changed.requestId = id;
    return changed;
  }

  Terms terms() {
    return terms;
  }

  String note() {
    return note;
  }

  String requestId() {
    return requestId;
  }
}
