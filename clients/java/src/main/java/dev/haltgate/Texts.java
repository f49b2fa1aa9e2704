package dev.haltgate;

/** Texts for logs. */
final class Texts {
  private Texts() {}

  /** Keeps what a model wrote from breaking out of the line of a log: control characters become spaces. */
  static String oneLine(String text) {
    return text == null ? "" : text.replaceAll("\\p{Cntrl}", " ");
  }
}
