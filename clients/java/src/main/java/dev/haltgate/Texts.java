package dev.haltgate;

/** Texts for logs. */
final class Texts {
  private Texts() {}

  /**
   * Keeps what a model wrote from breaking out of the line of a log, or from turning its order
   * around: control characters, format characters and line separators become spaces.
   */
  static String oneLine(String text) {
    return text == null ? "" : text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
  }
}
