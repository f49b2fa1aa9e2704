package dev.haltgate;

import com.google.protobuf.ProtocolMessageEnum;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Names of enum values, with and without their prefix. */
final class Words {
  private Words() {}

  /** The name without its prefix; empty for a value that is not set or not known. */
  static String word(Enum<?> value, String prefix) {
    String name = value.name();
    boolean known = name.startsWith(prefix) && !name.equals(prefix + "UNSPECIFIED");
    return known ? name.substring(prefix.length()) : "";
  }

  /** The value of ours that has the same name; absent for one that is not set or not known. */
  static <Word extends Enum<Word>> Optional<Word> of(
      Class<Word> words, Enum<?> value, String prefix) {
    return named(words, word(value, prefix));
  }

  /** The value of ours of this name; absent for a name that is not known. */
  static <Word extends Enum<Word>> Optional<Word> named(Class<Word> words, String name) {
    for (Word word : words.getEnumConstants()) {
      if (word.name().equals(name)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  /** The values of ours that have the same names, without what is not known. */
  static <Word extends Enum<Word>> List<Word> all(
      Class<Word> words, List<? extends Enum<?>> values, String prefix) {
    return values.stream().flatMap(value -> of(words, value, prefix).stream()).toList();
  }

  /** The value of the contract that has the same name. Each of ours is one of the contract's. */
  static <Value extends Enum<Value> & ProtocolMessageEnum> Value number(
      Class<Value> values, String prefix, Enum<?> word) {
    Objects.requireNonNull(word, prefix);
    return Enum.valueOf(values, prefix + word.name());
  }
}
