package dev.haltgate;

import dev.haltgate.v1.GrantTerms;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What bounds a grant.
 *
 * @param expiresAt when it ends; absent: never
 * @param maxUses how many calls it may let through; absent: no limit
 * @param note for people; may be empty
 */
public record Terms(Optional<Instant> expiresAt, OptionalInt maxUses, String note) {

  /**
   * No bounds.
   *
   * @return terms that bound nothing
   */
  public static Terms none() {
    return new Terms(Optional.empty(), OptionalInt.empty(), "");
  }

  /**
   * The same terms with an end.
   *
   * @param end when the grant ends
   * @return the terms
   */
  public Terms withExpiresAt(Instant end) {
    return new Terms(Optional.of(end), maxUses, note);
  }

  /**
   * The same terms with a number of uses.
   *
   * @param uses how many calls the grant may let through, at least 1
   * @return the terms
   */
  public Terms withMaxUses(int uses) {
    return new Terms(expiresAt, OptionalInt.of(uses), note);
  }

  /**
   * The same terms with a note.
   *
   * @param text for people
   * @return the terms
   */
  public Terms withNote(String text) {
    return new Terms(expiresAt, maxUses, text);
  }

  static Terms of(GrantTerms from) {
    return new Terms(
        from.hasExpiresAt() ? Optional.of(Read.instant(from.getExpiresAt())) : Optional.empty(),
        from.hasMaxUses() ? OptionalInt.of(from.getMaxUses()) : OptionalInt.empty(),
        from.getNote());
  }

  boolean unbounded() {
    return equals(none());
  }

  GrantTerms message() {
    GrantTerms.Builder message = GrantTerms.newBuilder().setNote(note);
    expiresAt.ifPresent(end -> message.setExpiresAt(Read.timestamp(end)));
    maxUses.ifPresent(message::setMaxUses);
    return message.build();
  }
}
