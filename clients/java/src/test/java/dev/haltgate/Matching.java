package dev.haltgate;

import java.util.List;
import java.util.Map;

/** Holds a result against what a scenario expects. */
final class Matching {
  private Matching() {}

  private static boolean absent(Object value) {
    return value == null || value.equals("");
  }

  /** Where a result does not match; empty: it does. */
  static String differs(Object expected, Object got) {
    if (expected == null) {
      return absent(got) ? "" : got + " is not absent";
    }
    if (expected.equals("$present")) {
      return absent(got) ? "it is absent" : "";
    }
    if (expected instanceof Map<?, ?> fields) {
      return fields.size() == 1 && fields.containsKey("$contains")
          ? contains(fields.get("$contains"), got)
          : object(fields, got);
    }
    if (expected instanceof List<?> items) {
      return list(items, got);
    }
    if (expected instanceof Number one && got instanceof Number other) {
      return one.doubleValue() == other.doubleValue() ? "" : other + " is not " + one;
    }
    return expected.equals(got) ? "" : got + " is not " + expected;
  }

  private static String contains(Object part, Object got) {
    boolean inText =
        got instanceof String text && part instanceof String wanted && text.contains(wanted);
    boolean inList =
        got instanceof List<?> items
            && items.stream().anyMatch(item -> differs(part, item).isEmpty());
    return inText || inList ? "" : got + " does not contain " + part;
  }

  private static String object(Map<?, ?> expected, Object got) {
    if (!(got instanceof Map<?, ?> fields)) {
      return got + " is no object";
    }
    for (Map.Entry<?, ?> field : expected.entrySet()) {
      String problem = differs(field.getValue(), fields.get(field.getKey()));
      if (!problem.isEmpty()) {
        return field.getKey() + ": " + problem;
      }
    }
    return "";
  }

  private static String list(List<?> expected, Object got) {
    if (!(got instanceof List<?> items) || items.size() != expected.size()) {
      return got + " is no list of " + expected.size() + " items";
    }
    for (int index = 0; index < expected.size(); index++) {
      String problem = differs(expected.get(index), items.get(index));
      if (!problem.isEmpty()) {
        return index + ": " + problem;
      }
    }
    return "";
  }
}
