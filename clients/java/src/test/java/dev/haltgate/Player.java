package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Plays one scenario: turns its words into calls of the client, and holds the results against it.
 */
final class Player implements AutoCloseable {
  private final Optional<SilentRater> rater;
  private final GateServer server;
  private final Haltgate gate;
  private final Map<String, Object> saved = new HashMap<>();
  private final Map<String, Background<Object>> background = new HashMap<>();
  private final Map<String, Feed> feeds = new HashMap<>();

  /** A feed that is read when the scenario asks for its events. */
  private record Feed(Watch<?> watch, Iterator<Map<String, Object>> events) {}

  Player(Values scenario) throws IOException {
    rater = scenario.is("rater", true) ? Optional.of(new SilentRater()) : Optional.empty();
    String configuration =
        new GsonBuilder().serializeNulls().create().toJson(scenario.fields().get("gate"));
    server =
        new GateServer(
            rater.isEmpty()
                ? configuration
                : configuration.replace("\"$rater\"", '"' + rater.get().address() + '"'));
    Values client = scenario.object("client");
    HaltgateBuilder builder = Haltgate.builder(server.address()).project(client.text("project"));
    if (client.has("deadline_ms")) {
      builder.deadline(Duration.ofMillis(client.number("deadline_ms")));
    }
    if (client.has("reconnect_for_ms")) {
      builder.reconnectFor(Duration.ofMillis(client.number("reconnect_for_ms")));
    }
    gate = builder.build();
  }

  @Override
  public void close() throws IOException {
    feeds.values().forEach(feed -> feed.watch().close());
    gate.close();
    server.close();
    if (rater.isPresent()) {
      rater.get().close();
    }
  }

  void step(int number, Values step) {
    for (int time = 0; time < Math.max(step.number("times"), 1); time++) {
      String operation = step.text("do");
      Values with = Values.of(resolve(step.fields().get("with")));
      Object expected = resolve(step.fields().get("expect"));
      if (step.has("background")) {
        background.put(
            step.text("background"), new Background<>(() -> guarded("decide", with, null)));
        continue;
      }
      Object got = new Background<>(() -> guarded(operation, with, expected)).join();
      String where =
          "step " + number + ", " + operation + ": expected " + expected + ", got " + got;
      boolean failed = got instanceof Map<?, ?> fields && fields.get("error") != null;
      if (failed && !(expected instanceof Map<?, ?> fields && fields.containsKey("error"))) {
        throw new AssertionError(where);
      }
      if (expected != null) {
        assertEquals("", Matching.differs(expected, got), where);
      }
      step.object("save").labels().forEach((name, path) -> save(name, path, got));
    }
  }

  private void save(String name, String path, Object got) {
    Object part = got;
    for (String key : path.split("\\.")) {
      if (part instanceof Map<?, ?> fields) {
        part = fields.get(key);
      } else if (part instanceof List<?> items) {
        part = items.get(Integer.parseInt(key));
      } else {
        part = null;
      }
    }
    assertNotNull(part, path + " is not there");
    saved.put(name, part);
  }

  /** Puts in what was saved. */
  private Object resolve(Object value) {
    if (value instanceof String text
        && text.startsWith("$")
        && saved.containsKey(text.substring(1))) {
      return saved.get(text.substring(1));
    }
    if (value instanceof Map<?, ?> fields) {
      Map<Object, Object> resolved = new HashMap<>();
      fields.forEach((key, item) -> resolved.put(key, resolve(item)));
      return resolved;
    }
    if (value instanceof List<?> items) {
      List<Object> resolved = new ArrayList<>();
      items.forEach(item -> resolved.add(resolve(item)));
      return resolved;
    }
    return value;
  }

  private Object guarded(String operation, Values with, Object expected) {
    try {
      return perform(operation, with, expected);
    } catch (NotApprovedException error) {
      return Shown.error(error);
    }
  }

  private Object perform(String operation, Values with, Object expected) {
    Session session = gate.session(with.text("session"));
    Grants grants = with.has("session") ? session.grants() : gate.grants();
    return switch (operation) {
      case "server" -> server(with.text("action"));
      case "rater" -> rater(with.text("action"));
      case "open_session" -> Shown.session(gate.openSession(opening(with)).opened().orElseThrow());
      case "update_session" -> Shown.session(session.update(updating(with)));
      case "close_session" -> Shown.session(session.close());
      case "decide" -> Shown.decision(session.decide(call(with), deciding(with)));
      case "join" -> background.get(with.text("background")).join();
      case "rate" -> Shown.rating(session.rate(call(with), rating(with)).rating());
      case "watch" -> watch(with);
      case "events" -> events(with, expected);
      case "unwatch" -> unwatch(feeds.get(with.text("feed")));
      case "answer" -> answer(with);
      case "list_grants" -> listGrants(grants, with);
      case "grant" -> {
        Scope scope = Scope.valueOf(with.text("scope"));
        AddedGrant added = grants.grant(entry(with.object("entry")), scope, granting(with));
        yield Map.of(
            "grant", Shown.grant(added.grant()), "already_granted", added.alreadyGranted());
      }
      case "deny" -> {
        AddedDenial added = grants.deny(entry(with.object("entry")), granting(with));
        yield Map.of(
            "denial", Shown.denial(added.denial()), "already_denied", added.alreadyDenied());
      }
      case "revoke" -> {
        List<Grant> revoked = grants.revoke(entryName(with), with.word("scope", Scope::valueOf));
        yield Map.of("revoked", revoked.stream().map(Shown::grant).toList());
      }
      case "lift" -> Map.of("lifted", Shown.denial(grants.lift(entryName(with))));
      case "view_trust" -> Shown.trust(grants.viewTrust());
      case "change_trust" -> Shown.change(grants.changeTrust(change(with)));
      case "predict_trust" -> Shown.change(grants.predictTrust(change(with)));
      case "import_grants" ->
          Shown.imported(
              gate.grants()
                  .importFile(
                      with.text("content"),
                      new ImportOptions(Optional.empty(), with.is("dry_run", true))));
      case "export_grants" -> Shown.exported(gate.grants().exportFile());
      case "list_decisions" -> {
        List<Object> records = new ArrayList<>();
        gate.listDecisions(filter(with)).forEach(record -> records.add(Shown.record(record)));
        yield Map.of("decisions", records);
      }
      case "server_info" -> Shown.info(gate.serverInfo());
      default -> throw new AssertionError("there is no operation " + operation);
    };
  }

  private Object server(String action) {
    switch (action) {
      case "kill" -> server.kill();
      case "stop" -> server.stop();
      case "start" -> server.start();
      default -> throw new AssertionError("a server cannot " + action);
    }
    return Map.of();
  }

  private Object rater(String action) {
    switch (action) {
      case "asked" -> rater.orElseThrow().awaitAsked();
      case "hang_up" -> {
        try {
          rater.orElseThrow().close();
        } catch (IOException failure) {
          throw new AssertionError(failure);
        }
      }
      default -> throw new AssertionError("a rater cannot " + action);
    }
    return Map.of();
  }

  private Object watch(Values with) {
    WatchOptions options =
        WatchOptions.defaults()
            .sessionId(with.text("session"))
            .runId(with.text("run_id"))
            .after(with.text("after"));
    WatchOptions observing = with.is("observe_only", true) ? options.observeOnly() : options;
    Feed feed =
        switch (with.text("kind")) {
          case "escalations" -> feed(gate.watchEscalations(options), Shown::escalation);
          case "halts" -> feed(gate.watchHalts(observing), Shown::halt);
          default -> throw new AssertionError("there is no feed of " + with.text("kind"));
        };
    feeds.put(with.text("feed"), feed);
    return Map.of();
  }

  private static <I> Feed feed(Watch<I> watch, Function<I, Map<String, Object>> show) {
    Iterator<Event<I>> events = watch.iterator();
    return new Feed(
        watch,
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return events.hasNext();
          }

          @Override
          public Map<String, Object> next() {
            return shown(events.next(), show);
          }
        });
  }

  private static <I> Map<String, Object> shown(
      Event<I> event, Function<I, Map<String, Object>> show) {
    if (event instanceof Event.Raised<I> raised) {
      return named("raised", show.apply(raised.item()));
    }
    if (event instanceof Event.Answered<I> answered) {
      return named("answered", show.apply(answered.item()));
    }
    if (event instanceof Event.Withdrawn<I> withdrawn) {
      return named("withdrawn", show.apply(withdrawn.item()));
    }
    if (event instanceof Event.Expired<I> expired) {
      return named("expired", show.apply(expired.item()));
    }
    if (event instanceof Event.SnapshotEnd<I> end) {
      return named("snapshot_end", new HashMap<>(Map.of("open", end.open())));
    }
    return named("restarted", new HashMap<>());
  }

  private static Map<String, Object> named(String event, Map<String, Object> fields) {
    fields.put("event", event);
    return fields;
  }

  private Object events(Values with, Object expected) {
    Iterator<Map<String, Object>> events = feeds.get(with.text("feed")).events();
    List<Object> got = new ArrayList<>();
    for (int index = 0; index < ((List<?>) expected).size(); index++) {
      try {
        got.add(events.next());
      } catch (NotApprovedException error) {
        got.add(named("error", Shown.error(error)));
      }
    }
    return got;
  }

  private static Object unwatch(Feed feed) {
    feed.watch().close();
    return Map.of("cursor", feed.watch().cursor());
  }

  private static Call call(Values with) {
    if (with.has("shell")) {
      return new Call.Shell(with.object("shell").text("command"));
    }
    if (with.has("tool")) {
      Values tool = with.object("tool");
      return new Call.Tool(tool.text("name"), tool.object("arguments").fields());
    }
    if (with.has("mcp_tool")) {
      Values tool = with.object("mcp_tool");
      return new Call.McpTool(
          tool.text("server"), tool.text("name"), tool.object("arguments").fields());
    }
    Values tool = with.object("registered");
    return new Call.Registered(tool.text("name"), tool.object("arguments").fields());
  }

  private static Values called(Values with) {
    for (String kind : List.of("shell", "tool", "mcp_tool")) {
      if (with.has(kind)) {
        return with.object(kind);
      }
    }
    return with.object("registered");
  }

  private static DecideOptions deciding(Values with) {
    Values called = called(with);
    DecideOptions options =
        DecideOptions.defaults()
            .runId(with.text("run_id"))
            .requestId(with.text("request_id"))
            .cwd(called.text("cwd"))
            .home(called.text("home"))
            .dialect(called.word("dialect", Dialect::valueOf).orElse(Dialect.BASH))
            .justification(called.text("justification"));
    if (with.has("max_wait_ms")) {
      options = options.maxWait(Duration.ofMillis(with.number("max_wait_ms")));
    }
    if (with.is("wait", false)) {
      options = options.withoutWaiting();
    }
    return with.is("dry_run", true) ? options.dryRun() : options;
  }

  private static RateOptions rating(Values with) {
    Values called = called(with);
    RateOptions options =
        RateOptions.defaults()
            .profile(with.text("profile"))
            .cwd(called.text("cwd"))
            .home(called.text("home"))
            .dialect(called.word("dialect", Dialect::valueOf).orElse(Dialect.BASH));
    return with.is("fresh", true) ? options.fresh() : options;
  }

  private static List<ToolDeclaration> tools(Values with) {
    return with.list("tools").stream()
        .map(Values::of)
        .map(
            tool ->
                new ToolDeclaration(
                    tool.text("registered_name"),
                    tool.text("description"),
                    hints(tool.object("annotations"))))
        .toList();
  }

  private static OpenOptions opening(Values with) {
    OpenOptions options =
        OpenOptions.defaults()
            .sessionId(with.text("session"))
            .command(with.text("command"))
            .labels(with.object("labels").labels())
            .cwd(with.text("cwd"))
            .home(with.text("home"))
            .userMessages(with.texts("user_messages"));
    if (with.has("rung")) {
      options = options.rung(Rung.valueOf(with.text("rung")));
    }
    if (with.has("interactive")) {
      options = options.interactive(with.is("interactive", true));
    }
    if (with.has("tools")) {
      options = options.tools(tools(with));
    }
    return with.has("mcp_servers") ? options.mcpServers(with.texts("mcp_servers")) : options;
  }

  private static UpdateOptions updating(Values with) {
    UpdateOptions options =
        UpdateOptions.defaults()
            .labels(with.object("labels").object("set").labels())
            .removeLabels(with.object("labels").texts("remove"))
            .userMessages(with.texts("user_messages"));
    if (with.has("rung")) {
      options = options.rung(Rung.valueOf(with.text("rung")));
    }
    if (with.has("interactive")) {
      options = options.interactive(with.is("interactive", true));
    }
    if (with.has("cwd")) {
      options = options.cwd(with.text("cwd"));
    }
    if (with.has("home")) {
      options = options.home(with.text("home"));
    }
    if (with.has("tools")) {
      options = options.tools(tools(with));
    }
    if (with.has("mcp_servers")) {
      options = options.mcpServers(with.texts("mcp_servers"));
    }
    return with.is("reset_thread", true) ? options.resetThread() : options;
  }

  private Object answer(Values with) {
    AnswerOptions options =
        AnswerOptions.defaults()
            .comment(with.text("comment"))
            .terms(terms(with.object("terms")))
            .requestId(with.text("request_id"));
    if (with.has("scope")) {
      options = options.scope(Scope.valueOf(with.text("scope")));
    }
    Verdict verdict = Verdict.valueOf(with.text("verdict"));
    return with.has("halt_id")
        ? Shown.halt(gate.answerHalt(with.text("halt_id"), verdict, options))
        : Shown.escalation(gate.answerEscalation(with.text("escalation_id"), verdict, options));
  }

  private static Terms terms(Values with) {
    Terms terms = Terms.none().withNote(with.text("note"));
    return with.has("max_uses") ? terms.withMaxUses(with.number("max_uses")) : terms;
  }

  private static GrantOptions granting(Values with) {
    return GrantOptions.defaults()
        .terms(terms(with.object("terms")))
        .note(with.text("note"))
        .requestId(with.text("request_id"));
  }

  private static Object listGrants(Grants grants, Values with) {
    GrantFilter filter =
        GrantFilter.defaults()
            .scopes(with.words("scopes", Scope::valueOf))
            .text(with.text("text"))
            .pageSize(with.number("page_size"));
    List<Object> granted = new ArrayList<>();
    List<Object> denied = new ArrayList<>();
    for (Listed item : grants.list(filter)) {
      if (item instanceof Grant grant) {
        granted.add(Shown.grant(grant));
      } else if (item instanceof Denial denial) {
        denied.add(Shown.denial(denial));
      }
    }
    return Map.of("grants", granted, "denials", denied);
  }

  private static DecisionFilter filter(Values with) {
    DecisionFilter filter =
        DecisionFilter.defaults()
            .sessionId(with.text("session"))
            .runId(with.text("run_id"))
            .actions(with.words("actions", Action::valueOf))
            .stages(with.words("stages", Stage::valueOf))
            .text(with.text("text"))
            .pageSize(with.number("page_size"))
            .pageToken(with.text("page_token"));
    return with.text("order").equals("OLDEST_FIRST") ? filter.oldestFirst() : filter;
  }

  private static Hints hints(Values with) {
    return new Hints(
        with.truth("readOnlyHint", "read_only_hint"),
        with.truth("destructiveHint", "destructive_hint"),
        with.truth("idempotentHint", "idempotent_hint"),
        with.truth("openWorldHint", "open_world_hint"));
  }

  private static Entry entry(Values with) {
    return new Entry(
        EntryType.valueOf(
            with.text("type").equals("mcpTool") ? "MCP_TOOL" : with.text("type").toUpperCase()),
        Matcher.valueOf(with.text("matcher").toUpperCase()),
        with.text("pattern"),
        hints(with.object("pattern")),
        with.text("server"),
        with.text("host"),
        with.truth("rate"));
  }

  private static EntryName entryName(Values with) {
    return with.has("object_text")
        ? new EntryName.ObjectText(with.text("object_text"))
        : entry(with.object("entry"));
  }

  private static TrustChange change(Values with) {
    return new TrustChange(
        with.text("server"),
        with.words("believe", Hint::valueOf),
        with.words("disbelieve", Hint::valueOf));
  }
}
