package dev.haltgate;

import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A JSON object as a scenario has it. */
record Values(Map<String, Object> fields) {
  /** What JSON text says; whole numbers stay whole. */
  static Values parse(String json) {
    return of(
        new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create()
            .fromJson(json, Map.class));
  }

  static Values of(Object value) {
    Map<String, Object> fields = new TreeMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, item) -> fields.put(String.valueOf(key), item));
    }
    return new Values(fields);
  }

  boolean has(String key) {
    return fields.get(key) != null;
  }

  boolean is(String key, boolean value) {
    return Boolean.valueOf(value).equals(fields.get(key));
  }

  String text(String key) {
    return fields.get(key) instanceof String text ? text : "";
  }

  int number(String key) {
    return fields.get(key) instanceof Number number ? number.intValue() : 0;
  }

  Optional<Boolean> truth(String... keys) {
    for (String key : keys) {
      if (fields.get(key) instanceof Boolean value) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  Values object(String key) {
    return of(fields.get(key));
  }

  List<Object> list(String key) {
    return fields.get(key) instanceof List<?> items ? new ArrayList<>(items) : List.of();
  }

  List<String> texts(String key) {
    return list(key).stream().map(String::valueOf).toList();
  }

  Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>();
    fields.forEach((key, value) -> labels.put(key, String.valueOf(value)));
    return labels;
  }

  /** The text under a key as a word of ours, where it is there. */
  <W> Optional<W> word(String key, Function<String, W> read) {
    return text(key).isEmpty() ? Optional.empty() : Optional.of(read.apply(text(key)));
  }

  <W> List<W> words(String key, Function<String, W> read) {
    return texts(key).stream().map(read).toList();
  }
}
