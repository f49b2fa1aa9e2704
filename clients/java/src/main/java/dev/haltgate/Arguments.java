package dev.haltgate;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.util.Map;

/**
 * Writes the arguments of a tool as JSON, without escapes for HTML, so that people and rules read
 * what is meant.
 */
final class Arguments {
  /** Deeper arguments are refused: they may hold themselves. */
  private static final int MAX_DEPTH = 200;

  private Arguments() {}

  static String json(String field, Map<String, ?> arguments) {
    if (arguments.isEmpty()) {
      return "";
    }
    StringWriter text = new StringWriter();
    try (JsonWriter writer = new JsonWriter(text)) {
      write(field, writer, arguments, 0);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void write(String field, JsonWriter writer, Object value, int depth)
      throws IOException {
    if (depth > MAX_DEPTH) {
      throw new InvalidRequestException(field, "is nested more than " + MAX_DEPTH + " levels deep");
    }
    if (value == null) {
      writer.nullValue();
    } else if (value instanceof CharSequence
        || value instanceof Character
        || value instanceof Enum<?>) {
      writer.value(value.toString());
    } else if (value instanceof Boolean truth) {
      writer.value(truth);
    } else if (value instanceof Number number) {
      if (!Double.isFinite(number.doubleValue())
          && (number instanceof Double || number instanceof Float)) {
        throw new InvalidRequestException(field, "holds " + number + ", which JSON cannot say");
      }
      writer.value(number);
    } else if (value instanceof Map<?, ?> map) {
      writer.beginObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writer.name(String.valueOf(entry.getKey()));
        write(field, writer, entry.getValue(), depth + 1);
      }
      writer.endObject();
    } else if (value instanceof Iterable<?> items) {
      writer.beginArray();
      for (Object item : items) {
        write(field, writer, item, depth + 1);
      }
      writer.endArray();
    } else if (value.getClass().isArray()) {
      writer.beginArray();
      for (int index = 0; index < Array.getLength(value); index++) {
        write(field, writer, Array.get(value, index), depth + 1);
      }
      writer.endArray();
    } else {
      throw new InvalidRequestException(
          field,
          "holds a "
              + value.getClass().getName()
              + ", which JSON cannot say: use maps, lists, texts and numbers");
    }
  }
}
