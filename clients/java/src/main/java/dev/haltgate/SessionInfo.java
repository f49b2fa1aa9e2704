package dev.haltgate;

import dev.haltgate.v1.SessionState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A session as it stands. */
public final class SessionInfo {
  private final dev.haltgate.v1.Session raw;
  private final List<Notice> notices;
  private final boolean reopened;

  SessionInfo(dev.haltgate.v1.Session raw, List<Notice> notices, boolean reopened) {
    this.raw = raw;
    this.notices = notices;
    this.reopened = reopened;
  }

  /**
   * The session.
   *
   * @return its id
   */
  public String sessionId() {
    return raw.getSessionId();
  }

  /**
   * The project that it belongs to.
   *
   * @return its name
   */
  public String project() {
    return raw.getProject();
  }

  /**
   * Whether it decides. A closed one decides nothing until it is opened again.
   *
   * @return whether it does
   */
  public boolean open() {
    return raw.getState() == SessionState.SESSION_STATE_OPEN;
  }

  /**
   * The rung in force.
   *
   * @return the rung
   */
  public Optional<Rung> rung() {
    return Read.rung(raw.getRung());
  }

  /**
   * Whether a human may be asked.
   *
   * @return whether one may
   */
  public boolean interactive() {
    return raw.getInteractive();
  }

  /**
   * The command whose part of the policy applies.
   *
   * @return the command; may be empty
   */
  public String command() {
    return raw.getCommand();
  }

  /**
   * For wording and filters.
   *
   * @return the labels
   */
  public Map<String, String> labels() {
    return raw.getLabelsMap();
  }

  /**
   * The working folder of calls that name none.
   *
   * @return the folder; may be empty
   */
  public String cwd() {
    return raw.getCwd();
  }

  /**
   * The home folder of calls that name none.
   *
   * @return the folder; may be empty
   */
  public String home() {
    return raw.getHome();
  }

  /**
   * The MCP servers that the agent is connected to.
   *
   * @return their keys
   */
  public List<String> mcpServers() {
    return List.copyOf(raw.getMcpServersList());
  }

  /**
   * How many tools it knows.
   *
   * @return the number
   */
  public int toolCount() {
    return raw.getToolCount();
  }

  /**
   * The runs that are halted, the latest first, at most 100.
   *
   * @return their ids
   */
  public List<String> haltedRuns() {
    return List.copyOf(raw.getHaltedRunsList());
  }

  /**
   * How many decisions wait for a human.
   *
   * @return the number
   */
  public int openEscalations() {
    return raw.getOpenEscalations();
  }

  /**
   * The revision in force.
   *
   * @return the revision
   */
  public String policyRevision() {
    return raw.getPolicyRevision();
  }

  /**
   * When it was closed.
   *
   * @return the time; absent while it is open
   */
  public Optional<Instant> closedAt() {
    return raw.hasClosedAt() ? Optional.of(Read.instant(raw.getClosedAt())) : Optional.empty();
  }

  /**
   * Whether opening found a session of this id.
   *
   * @return whether it did
   */
  public boolean reopened() {
    return reopened;
  }

  /**
   * What is to be said of what was done to it.
   *
   * @return the notices
   */
  public List<Notice> notices() {
    return notices;
  }

  /**
   * All of it.
   *
   * @return the message of the contract
   */
  public dev.haltgate.v1.Session raw() {
    return raw;
  }
}
