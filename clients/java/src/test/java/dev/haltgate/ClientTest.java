package dev.haltgate;

import static dev.haltgate.GateServer.MANUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the client can do, in front of a real gate. */
@Timeout(120)
class ClientTest {
  private static String first(Path file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(file));
    assertTrue(matcher.find());
    return matcher.group(1);
  }

  @Test
  void the_version_is_that_of_the_server_in_this_tree() throws IOException {
    String version = first(Path.of("../../Cargo.toml"), "^version = \"(.+)\"$");
    assertEquals(version, Haltgate.VERSION);
    assertEquals(
        version,
        first(
            Path.of("pom.xml"),
            "<artifactId>haltgate-client</artifactId>\\s+<version>(.+)</version>"));
    assertEquals(
        version,
        first(
            Path.of("README.md"),
            "<artifactId>haltgate-client</artifactId>\\s+<version>(.+)</version>"));
  }

  @Test
  void a_socket_is_as_good_as_a_port() throws IOException {
    try (GateServer server = new GateServer("{ \"server\": { \"socket\": \"gate.sock\" } }");
        Haltgate gate = Haltgate.connect("unix:" + server.folder.resolve("gate.sock"))) {
      ServerInfo info = gate.serverInfo();
      assertEquals(Haltgate.VERSION, info.version());
      assertFalse(info.ephemeral());
      assertTrue(gate.session("s").decideShell("ls").approved());
    }
  }

  @Test
  void a_session_is_opened_changed_and_closed() throws IOException {
    try (GateServer server = new GateServer("{}");
        Haltgate gate = Haltgate.builder(server.address()).project("shop").build()) {
      ToolDeclaration tool =
          new ToolDeclaration("mcp__jira__search", "", Hints.none().with(Hint.READ_ONLY, true));
      Session session =
          gate.openSession(
              OpenOptions.defaults()
                  .sessionId("s")
                  .rung(Rung.MANUAL)
                  .cwd("/work")
                  .home("/home/ana")
                  .labels(Map.of("team", "web"))
                  .mcpServers(List.of("jira"))
                  .tools(List.of(tool)));
      SessionInfo opened = session.opened().orElseThrow();
      assertEquals(
          List.of("s", "shop", "/work", "/home/ana"),
          List.of(opened.sessionId(), opened.project(), opened.cwd(), opened.home()));
      assertEquals(Rung.MANUAL, opened.rung().orElseThrow());
      assertEquals(Map.of("team", "web"), opened.labels());
      assertEquals(List.of("jira"), opened.mcpServers());
      assertEquals(1, opened.toolCount());
      assertTrue(opened.open() && opened.interactive() && !opened.reopened());
      SessionInfo updated =
          session.update(
              UpdateOptions.defaults().rung(Rung.BYPASS).removeLabels(List.of("team")).cwd(""));
      assertEquals(Rung.BYPASS, updated.rung().orElseThrow());
      assertEquals(
          List.of(Map.of(), "", "/home/ana"),
          List.of(updated.labels(), updated.cwd(), updated.home()));
      assertEquals(Rung.BYPASS, session.get().rung().orElseThrow());
      SessionInfo closed = session.close();
      assertTrue(!closed.open() && closed.closedAt().isPresent());
      RefusedException refused =
          assertThrows(RefusedException.class, () -> session.decideShell("ls"));
      assertEquals(Optional.of(ErrorReason.SESSION_CLOSED), refused.reason());
      assertEquals("s", refused.metadata().get("session_id"));
    }
  }

  @Test
  void each_kind_of_call_is_decided_and_rated() throws IOException {
    String policy =
        """
        { "approvals": { "mode": "bypass", "gate_scope": "every_call", "deny": [
            { "type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "delete" },
            { "type": "tool", "matcher": "exact", "pattern": "deploy", "host": "prod.example" } ] },
          "mcpServers": { "jira": {} } }\
        """;
    try (GateServer server = new GateServer(policy);
        Haltgate gate = server.connect()) {
      Session session = gate.session("s");
      DecideOptions options = DecideOptions.defaults();
      Map<String, String> prod = Map.of("url", "https://prod.example/?a=1&b=<2>");
      List<Decision> approved =
          List.of(
              session.decideShell("echo hello"),
              session.decideTool("deploy", Map.of(), options),
              session.decideMcp("jira", "search", Map.of(), options));
      for (Decision decision : approved) {
        assertTrue(decision.approved() && decision.matchedRule().isEmpty(), decision::toString);
      }
      List<Decision> rejected =
          List.of(
              session.decideTool("deploy", prod, options),
              session.decideMcp("jira", "delete", prod, options),
              session.decideRegistered("mcp__jira__delete", Map.of(), options),
              session.decideRegistered("deploy", prod, options));
      for (Decision decision : rejected) {
        assertFalse(decision.approved(), decision::toString);
        MatchedRule rule = decision.matchedRule().orElseThrow();
        assertEquals(List.of("DENY", "DECLARED"), List.of(rule.list(), rule.layer()));
        assertTrue(
            rule.index().isPresent()
                && !decision.message().isEmpty()
                && !decision.framedLines().isEmpty());
      }
      RateResult rated =
          session.rate(new Call.Shell("npm publish"), RateOptions.defaults().cwd("/work"));
      assertEquals(Outcome.CATASTROPHIC, rated.rating().outcome());
      assertEquals("BUILT_IN", rated.rating().source());
      RefusedException refused =
          assertThrows(
              RefusedException.class,
              () -> gate.rate(new Call.Shell("ls"), RateOptions.defaults().profile("none")));
      assertEquals(Optional.of(ErrorReason.RATER_PROFILE_UNKNOWN), refused.reason());
    }
  }

  @Test
  void grants_and_denials_are_listed_page_by_page_and_taken_back() throws IOException {
    try (GateServer server = new GateServer(MANUAL);
        Haltgate gate = server.connect()) {
      Session session = gate.openSession(OpenOptions.defaults());
      Grants grants = session.grants();
      Entry one = Entry.shell(dev.haltgate.Matcher.EXACT, "make one");
      Entry all = Entry.shell(dev.haltgate.Matcher.EXACT, "make all");
      Entry none = Entry.shell(dev.haltgate.Matcher.EXACT, "make none");
      GrantOptions bounded =
          GrantOptions.defaults()
              .terms(Terms.none().withMaxUses(2).withNote("for today"))
              .requestId("grant-1");
      for (int replay = 0; replay < 2; replay++) {
        AddedGrant added = grants.grant(one, Scope.SESSION, bounded);
        assertFalse(added.alreadyGranted());
        assertEquals(2, added.grant().usesLeft().orElseThrow());
        assertEquals("for today", added.grant().terms().note());
        assertEquals("local", added.grant().grantedBy());
      }
      assertTrue(grants.grant(one, Scope.SESSION, GrantOptions.defaults()).alreadyGranted());
      gate.grants().grant(all, Scope.ALWAYS, GrantOptions.defaults());
      Denial denied = grants.deny(none, GrantOptions.defaults().note("never")).denial();
      assertEquals("never", denied.note());
      assertTrue(session.decideShell("make one").approved());
      assertTrue(session.decideShell("make all").approved());
      assertEquals(Action.REJECT, session.decideShell("make none").action());
      TreeSet<String> listed = new TreeSet<>();
      for (Listed item : grants.list(GrantFilter.defaults().pageSize(1))) {
        listed.add(item.getClass().getSimpleName() + " " + item.entry().entry().pattern());
      }
      assertEquals(
          List.of("Denial make none", "Grant make all", "Grant make one"), List.copyOf(listed));
      Exported exported = gate.grants().exportFile();
      assertEquals(1, exported.grants());
      List<Grant> revoked = gate.grants().revoke(all, Optional.empty());
      assertEquals(Optional.of(Scope.ALWAYS), revoked.get(0).scope());
      Imported imported = gate.grants().importFile(exported.content(), ImportOptions.defaults());
      assertEquals(
          List.of(all), imported.grants().stream().map(grant -> grant.entry().entry()).toList());
      assertEquals(
          none, grants.lift(new EntryName.ObjectText(denied.entry().objectText())).entry().entry());
      RefusedException twice = assertThrows(RefusedException.class, () -> grants.lift(none));
      assertEquals(Optional.of(ErrorReason.DENIAL_NOT_FOUND), twice.reason());
    }
  }

  @Test
  void trust_is_shown_predicted_and_changed() throws IOException {
    try (GateServer server = new GateServer("{ \"mcpServers\": { \"jira\": {} } }");
        Haltgate gate = server.connect()) {
      Grants grants = gate.openSession(OpenOptions.defaults()).grants();
      TrustChange change = new TrustChange("jira", List.of(Hint.READ_ONLY), List.of());
      for (TrustChanged made : List.of(grants.predictTrust(change), grants.changeTrust(change))) {
        assertTrue(made.configured());
        assertEquals(
            List.of(change.believe(), change.believe()), List.of(made.added(), made.trusted()));
      }
      ServerTrust trust = new ServerTrust("jira", change.believe(), true, true);
      assertEquals(new Trust(List.of(), List.of(trust)), grants.viewTrust());
    }
  }

  @Test
  void records_are_listed_over_all_pages() throws IOException {
    try (GateServer server = new GateServer("{}");
        Haltgate gate = server.connect()) {
      for (String command : List.of("ls", "pwd", "date")) {
        gate.session("s").decideShell(command, DecideOptions.defaults().requestId(command));
      }
      DecisionFilter filter =
          DecisionFilter.defaults().oldestFirst().pageSize(1).actions(List.of(Action.APPROVE));
      List<String> asked = new ArrayList<>();
      for (DecisionRecord record : gate.listDecisions(filter)) {
        assertTrue(record.settledAt().isPresent() && !record.hash().isEmpty());
        asked.add(record.requestId());
      }
      assertEquals(List.of("ls", "pwd", "date"), asked);
      InvalidRequestException invalid =
          assertThrows(
              InvalidRequestException.class,
              () ->
                  gate.listDecisions(DecisionFilter.defaults().pageToken("made-up"))
                      .iterator()
                      .hasNext());
      assertEquals(Optional.of(ErrorReason.PAGE_TOKEN_INVALID), invalid.reason());
    }
  }
}
