package dev.haltgate;

import com.google.gson.JsonSyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results in the words of a scenario: maps, lists, texts, numbers and booleans. */
final class Shown {
  private Shown() {}

  /** A map that takes what is absent as null. */
  private static Map<String, Object> fields(Object... pairs) {
    Map<String, Object> fields = new HashMap<>();
    for (int index = 0; index < pairs.length; index += 2) {
      fields.put((String) pairs[index], plain(pairs[index + 1]));
    }
    return fields;
  }

  private static Object plain(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(Shown::plain).orElse(null);
    }
    if (value instanceof Enum<?> word) {
      return word.name();
    }
    if (value instanceof List<?> items) {
      return items.stream().map(Shown::plain).toList();
    }
    return value;
  }

  static Map<String, Object> decision(Decision decision) {
    Map<String, Object> shown =
        fields(
            "approved", decision.approved(),
            "action", decision.action(),
            "stage", decision.stage(),
            "scope", decision.scope(),
            "message", decision.message(),
            "decision_id", decision.decisionId(),
            "request_id", decision.requestId(),
            "escalation_id", decision.escalationId(),
            "halt_id", decision.haltId(),
            "run_halted", decision.runHalted(),
            "replayed", decision.replayed(),
            "rung", decision.rung(),
            "policy_revision", decision.policyRevision(),
            "rating", decision.rating().map(Shown::rating),
            "rule",
                decision
                    .matchedRule()
                    .map(
                        rule ->
                            fields(
                                "list",
                                rule.list(),
                                "layer",
                                rule.layer(),
                                "entry",
                                entry(rule.entry()))),
            "notices", decision.notices().stream().map(Notice::code).toList(),
            "human", decision.human().map(Shown::human),
            "budget",
                fields(
                    "consecutive_rejections", decision.budget().consecutiveRejections(),
                    "rejections_since_human", decision.budget().rejectionsSinceHuman()));
    if (decision.dryRun()) {
      shown.put("rating_needed", decision.raw().getExplanation().getRatingNeeded());
    }
    return shown;
  }

  static Map<String, Object> error(NotApprovedException error) {
    if (error instanceof AttackHaltedException halted) {
      return with(decision(halted.decision()), "attack_halted");
    }
    if (error instanceof UnattendedException unattended) {
      return with(decision(unattended.decision()), "unattended");
    }
    if (error instanceof InvalidRequestException invalid) {
      return with(
          fields(
              "reason", invalid.reasonText(),
              "metadata", invalid.metadata(),
              "fields", invalid.violations().stream().map(FieldViolation::field).toList()),
          "invalid_request");
    }
    if (error instanceof RefusedException refused) {
      return with(
          fields(
              "reason", refused.reasonText(),
              "domain", refused.domain(),
              "metadata", refused.metadata(),
              "retry_info", !refused.retryAfter().isZero()),
          "refused");
    }
    return with(
        fields("text", error.getMessage()),
        error instanceof GateUnavailableException ? "gate_unavailable" : "unexpected_answer");
  }

  private static Map<String, Object> with(Map<String, Object> shown, String kind) {
    shown.put("error", kind);
    shown.put("approved", false);
    return shown;
  }

  static Map<String, Object> rating(Rating rating) {
    return fields(
        "outcome",
        rating.outcome(),
        "source",
        rating.source(),
        "cause",
        rating.cause(),
        "reason",
        rating.reason());
  }

  private static Map<String, Object> human(HumanAnswer human) {
    return fields(
        "verdict", human.verdict(),
        "scope", human.scope(),
        "comment", human.comment(),
        "answered_by", human.answeredBy(),
        "stored", human.stored().map(Shown::entry));
  }

  private static Object entry(RenderedEntry entry) {
    try {
      return Values.parse(entry.objectText()).fields();
    } catch (JsonSyntaxException unreadable) {
      return unreadable.getMessage();
    }
  }

  static Map<String, Object> escalation(Escalation escalation) {
    Map<String, Object> shown =
        fields(
            "escalation_id", escalation.escalationId(),
            "decision_id", escalation.decisionId(),
            "session_id", escalation.sessionId(),
            "run_id", escalation.runId(),
            "request_id", escalation.requestId(),
            "state", escalation.state(),
            "rung", escalation.rung(),
            "stage", escalation.stage(),
            "command", escalation.raw().getCall().getShell().getCommand(),
            "rating", escalation.rating().map(Shown::rating),
            "answer", escalation.answer().map(Shown::human),
            "offer",
                fields(
                    "approve_scopes", escalation.offer().approveScopes(),
                    "reject_scopes", escalation.offer().rejectScopes(),
                    "grant", escalation.offer().grant().map(Shown::entry),
                    "denial", escalation.offer().denial().map(Shown::entry)));
    if (escalation.raw().hasNegotiation()) {
      shown.put("rounds", escalation.raw().getNegotiation().getRoundsCount());
    }
    return shown;
  }

  static Map<String, Object> halt(AttackHalt halt) {
    return fields(
        "halt_id", halt.haltId(),
        "decision_id", halt.decisionId(),
        "session_id", halt.sessionId(),
        "run_id", halt.runId(),
        "request_id", halt.requestId(),
        "state", halt.state(),
        "rung", halt.rung(),
        "stage", halt.stage(),
        "command", halt.raw().getCall().getShell().getCommand(),
        "rating", halt.rating().map(Shown::rating),
        "answer", halt.answer().map(Shown::human));
  }

  static Map<String, Object> session(SessionInfo session) {
    return fields(
        "session_id", session.sessionId(),
        "state", session.open() ? "OPEN" : "CLOSED",
        "rung", session.rung(),
        "interactive", session.interactive(),
        "command", session.command(),
        "labels", session.labels(),
        "cwd", session.cwd(),
        "home", session.home(),
        "mcp_servers", session.mcpServers(),
        "tool_count", session.toolCount(),
        "halted_runs", session.haltedRuns(),
        "open_escalations", session.openEscalations());
  }

  static Map<String, Object> grant(Grant grant) {
    Map<String, Object> shown =
        fields(
            "session_id", grant.sessionId(),
            "scope", grant.scope(),
            "entry", entry(grant.entry()),
            "object_text", grant.entry().objectText(),
            "granted_by", grant.grantedBy(),
            "note", grant.terms().note());
    grant.usesLeft().ifPresent(left -> shown.put("uses_left", left));
    grant.terms().maxUses().ifPresent(most -> shown.put("max_uses", most));
    return shown;
  }

  static Map<String, Object> denial(Denial denial) {
    return fields(
        "session_id", denial.sessionId(),
        "entry", entry(denial.entry()),
        "object_text", denial.entry().objectText(),
        "denied_by", denial.deniedBy(),
        "note", denial.note());
  }

  static Map<String, Object> trust(Trust trust) {
    return fields(
        "defaults", trust.defaults(),
        "servers",
            trust.servers().stream()
                .map(
                    server ->
                        fields(
                            "server", server.server(),
                            "trusted", server.trusted(),
                            "configured", server.configured(),
                            "changed", server.changed()))
                .toList());
  }

  static Map<String, Object> change(TrustChanged change) {
    return fields(
        "server", change.server(),
        "configured", change.configured(),
        "trusted", change.trusted(),
        "added", change.added(),
        "removed", change.removed(),
        "weakening", change.weakening(),
        "invalidates", change.invalidates().stream().map(Shown::grant).toList());
  }

  static Map<String, Object> imported(Imported imported) {
    return fields(
        "imported", imported.grants().stream().map(Shown::grant).toList(),
        "already_granted", imported.alreadyGranted(),
        "dropped",
            imported.dropped().stream()
                .map(item -> fields("index", item.index(), "reason", item.reason()))
                .toList(),
        "file_version", imported.fileVersion());
  }

  static Map<String, Object> exported(Exported exported) {
    return fields(
        "content", exported.content(), "grants", exported.grants(), "skipped", exported.skipped());
  }

  static Map<String, Object> info(ServerInfo info) {
    return fields(
        "version", info.version(),
        "contract_version", info.contractVersion(),
        "policy_revision", info.policyRevision(),
        "ephemeral", info.ephemeral());
  }

  static Map<String, Object> record(DecisionRecord record) {
    return fields(
        "decision_id", record.decisionId(),
        "record_id", record.recordId(),
        "session_id", record.sessionId(),
        "run_id", record.runId(),
        "request_id", record.requestId(),
        "action", record.action(),
        "stage", record.stage(),
        "scope", record.scope(),
        "human_involvement", record.humanInvolvement(),
        "human", record.human().map(Shown::human),
        "rating", record.rating().map(Shown::rating),
        "escalation_id", record.escalationId(),
        "halt_id", record.haltId(),
        "command", record.raw().getCall().getShell().getCommand());
  }
}
