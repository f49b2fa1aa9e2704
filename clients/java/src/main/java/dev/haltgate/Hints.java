package dev.haltgate;

import dev.haltgate.v1.ToolAnnotations;
import java.util.Optional;

/**
 * The hints of the MCP tool annotations. An absent one was not declared, or is not compared.
 *
 * @param readOnly the tool changes nothing
 * @param destructive the tool may destroy what it changes
 * @param idempotent repeating a call changes nothing more
 * @param openWorld the tool reaches parties outside
 */
public record Hints(
    Optional<Boolean> readOnly,
    Optional<Boolean> destructive,
    Optional<Boolean> idempotent,
    Optional<Boolean> openWorld) {

  /**
   * No hint at all.
   *
   * @return hints of which none is there
   */
  public static Hints none() {
    return new Hints(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * The same hints with this one.
   *
   * @param hint the hint
   * @param value what it says
   * @return the hints
   */
  public Hints with(Hint hint, boolean value) {
    return switch (hint) {
      case READ_ONLY -> new Hints(Optional.of(value), destructive, idempotent, openWorld);
      case DESTRUCTIVE -> new Hints(readOnly, Optional.of(value), idempotent, openWorld);
      case IDEMPOTENT -> new Hints(readOnly, destructive, Optional.of(value), openWorld);
      case OPEN_WORLD -> new Hints(readOnly, destructive, idempotent, Optional.of(value));
    };
  }

  static Hints of(ToolAnnotations from) {
    return new Hints(
        from.hasReadOnlyHint() ? Optional.of(from.getReadOnlyHint()) : Optional.empty(),
        from.hasDestructiveHint() ? Optional.of(from.getDestructiveHint()) : Optional.empty(),
        from.hasIdempotentHint() ? Optional.of(from.getIdempotentHint()) : Optional.empty(),
        from.hasOpenWorldHint() ? Optional.of(from.getOpenWorldHint()) : Optional.empty());
  }

  ToolAnnotations message() {
    ToolAnnotations.Builder message = ToolAnnotations.newBuilder();
    readOnly.ifPresent(message::setReadOnlyHint);
    destructive.ifPresent(message::setDestructiveHint);
    idempotent.ifPresent(message::setIdempotentHint);
    openWorld.ifPresent(message::setOpenWorldHint);
    return message.build();
  }
}
