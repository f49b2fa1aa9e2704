package dev.haltgate;

import com.google.protobuf.Timestamp;
import dev.haltgate.v1.AnswerOffer;
import dev.haltgate.v1.NegotiationBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes values of this package out of the messages of the contract. */
final class Read {
  private Read() {}

  static Instant instant(Timestamp from) {
    return Instant.ofEpochSecond(from.getSeconds(), from.getNanos());
  }

  static Timestamp timestamp(Instant from) {
    return Timestamp.newBuilder()
        .setSeconds(from.getEpochSecond())
        .setNanos(from.getNano())
        .build();
  }

  static Duration duration(com.google.protobuf.Duration from) {
    return Duration.ofSeconds(from.getSeconds(), from.getNanos());
  }

  static com.google.protobuf.Duration duration(Duration from) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(from.getSeconds())
        .setNanos(from.getNano())
        .build();
  }

  static Rating rating(dev.haltgate.v1.Rating from) {
    return new Rating(
        Words.of(Outcome.class, from.getOutcome(), "OUTCOME_").orElse(Outcome.DESTRUCTIVE),
        from.getReason(),
        from.getSuggestedTool(),
        Words.word(from.getSource(), "RATING_SOURCE_"),
        Words.word(from.getCause(), "RATING_CAUSE_"),
        from.getProfile(),
        from.getModel(),
        duration(from.getDuration()),
        from.getReused(),
        from);
  }

  static MatchedRule matchedRule(dev.haltgate.v1.MatchedRule from) {
    return new MatchedRule(
        Words.word(from.getList(), "RULE_LIST_"),
        Words.word(from.getLayer(), "RULE_LAYER_"),
        renderedEntry(from.getEntry()),
        from.getUndecided(),
        from.getRated(),
        from.hasIndex() ? OptionalInt.of(from.getIndex()) : OptionalInt.empty());
  }

  /**
   * An entry of a type or with a matcher that this client does not know is read as one without: its
   * texts say it.
   */
  static RenderedEntry renderedEntry(dev.haltgate.v1.RenderedEntry from) {
    dev.haltgate.v1.Entry entry = from.getEntry();
    return new RenderedEntry(
        new Entry(
            Words.of(EntryType.class, entry.getType(), "ENTRY_TYPE_").orElse(null),
            Words.of(Matcher.class, entry.getMatcher(), "MATCHER_").orElse(null),
            entry.getPattern(),
            Hints.of(entry.getHints()),
            entry.getServer(),
            entry.getHost(),
            entry.hasRate() ? Optional.of(entry.getRate()) : Optional.empty()),
        from.getObjectText(),
        from.getSummary());
  }

  static List<Notice> notices(List<dev.haltgate.v1.Notice> from) {
    return from.stream()
        .map(
            notice -> {
              String level = Words.word(notice.getLevel(), "NOTICE_LEVEL_");
              return new Notice(
                  level.isEmpty() ? "WARNING" : level,
                  Words.word(notice.getCode(), "NOTICE_CODE_"),
                  notice.getText());
            })
        .toList();
  }

  static HumanAnswer human(dev.haltgate.v1.HumanAnswer from) {
    return new HumanAnswer(
        Words.of(Verdict.class, from.getVerdict(), "VERDICT_"),
        scope(from.getScope()),
        from.getComment(),
        from.getAnsweredBy(),
        instant(from.getAnsweredAt()),
        from.hasStored() ? Optional.of(renderedEntry(from.getStored())) : Optional.empty());
  }

  static Budget budget(NegotiationBudget from) {
    return new Budget(
        from.getConsecutiveRejections(),
        from.getRejectionsSinceHuman(),
        from.getMaxConsecutiveRejections(),
        from.getMaxRejectionsSinceHuman());
  }

  static Offer offer(AnswerOffer from) {
    return new Offer(
        Words.all(Scope.class, from.getApproveScopesList(), "SCOPE_"),
        Words.all(Scope.class, from.getRejectScopesList(), "SCOPE_"),
        from.hasGrant() ? Optional.of(renderedEntry(from.getGrant())) : Optional.empty(),
        from.hasDenial() ? Optional.of(renderedEntry(from.getDenial())) : Optional.empty());
  }

  static Prompt prompt(dev.haltgate.v1.Prompt from) {
    return new Prompt(from.getHeadline(), List.copyOf(from.getFramedLinesList()));
  }

  static Optional<Scope> scope(dev.haltgate.v1.Scope from) {
    return Words.of(Scope.class, from, "SCOPE_");
  }

  static Optional<Rung> rung(dev.haltgate.v1.Rung from) {
    return Words.of(Rung.class, from, "RUNG_");
  }

  static Optional<Stage> stage(dev.haltgate.v1.Stage from) {
    return Words.of(Stage.class, from, "STAGE_");
  }

  static Optional<Action> action(dev.haltgate.v1.Action from) {
    return Words.of(Action.class, from, "ACTION_");
  }

  static Grant grant(dev.haltgate.v1.Grant from) {
    return new Grant(
        from.getProject(),
        from.getSessionId(),
        scope(from.getScope()),
        renderedEntry(from.getEntry()),
        instant(from.getGrantedAt()),
        from.getGrantedBy(),
        Terms.of(from.getTerms()),
        from.hasUsesLeft() ? OptionalInt.of(from.getUsesLeft()) : OptionalInt.empty(),
        from.hasLastUsedAt() ? Optional.of(instant(from.getLastUsedAt())) : Optional.empty());
  }

  static Denial denial(dev.haltgate.v1.Denial from) {
    return new Denial(
        from.getProject(),
        from.getSessionId(),
        renderedEntry(from.getEntry()),
        instant(from.getDeniedAt()),
        from.getDeniedBy(),
        from.getNote());
  }

  static List<Hint> hints(List<dev.haltgate.v1.Hint> from) {
    return Words.all(Hint.class, from, "HINT_");
  }
}
