package dev.haltgate;

import java.util.UUID;

/** Ids that make a retry a replay. */
final class RequestIds {
  private RequestIds() {}

  /** The caller's own id, or one that nobody else makes. */
  static String orNew(String own) {
    return own.isEmpty() ? "java-" + UUID.randomUUID() : own;
  }
}
