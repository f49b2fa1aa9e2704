package dev.haltgate;

import dev.haltgate.v1.ListGrants;
import java.util.List;

/**
 * Which grants and denials are listed. The defaults list all. Each method returns changed options
 * and leaves these as they are.
 */
public final class GrantFilter {
  private List<Scope> scopes = List.of();
  private String text = "";
  private int pageSize = 0;

  private GrantFilter() {}

  private GrantFilter copy() {
    GrantFilter copy = new GrantFilter();
    copy.scopes = scopes;
    copy.text = text;
    copy.pageSize = pageSize;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static GrantFilter defaults() {
    return new GrantFilter();
  }

  /**
   * Lists only these scopes.
   *
   * @param reaches the scopes
   * @return the options
   */
  public GrantFilter scopes(List<Scope> reaches) {
    GrantFilter changed = copy();
    changed.scopes = List.copyOf(reaches);
    return changed;
  }

  /**
   * Lists only entries whose summary contains this, without regard to case.
   *
   * @param part the text
   * @return the options
   */
  public GrantFilter text(String part) {
    GrantFilter changed = copy();
    changed.text = part;
    return changed;
  }

  /**
   * How many are asked for at once. Default: as the server likes.
   *
   * @param size the number
   * @return the options
   */
  public GrantFilter pageSize(int size) {
    GrantFilter changed = copy();
    changed.pageSize = size;
    return changed;
  }

  ListGrants message(String pageToken) {
    ListGrants.Builder message =
        ListGrants.newBuilder().setText(text).setPageSize(pageSize).setPageToken(pageToken);
    for (Scope scope : scopes) {
      message.addScopes(Words.number(dev.haltgate.v1.Scope.class, "SCOPE_", scope));
    }
    return message.build();
  }
}
