package dev.haltgate;

import dev.haltgate.v1.McpServers;
import dev.haltgate.v1.OpenSessionRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a session begins. Each method returns changed options and leaves these as they are. */
public final class OpenOptions {
  private String sessionId = "";
  private String command = "";
  private Optional<Rung> rung = Optional.empty();
  private Optional<Boolean> interactive = Optional.empty();
  private Map<String, String> labels = Map.of();
  private Optional<String> cwd = Optional.empty();
  private Optional<String> home = Optional.empty();
  private Optional<List<ToolDeclaration>> tools = Optional.empty();
  private Optional<List<String>> mcpServers = Optional.empty();
  private List<String> userMessages = List.of();

  private OpenOptions() {}

  private OpenOptions copy() {
    OpenOptions copy = new OpenOptions();
    copy.sessionId = sessionId;
    copy.command = command;
    copy.rung = rung;
    copy.interactive = interactive;
    copy.labels = labels;
    copy.cwd = cwd;
    copy.home = home;
    copy.tools = tools;
    copy.mcpServers = mcpServers;
    copy.userMessages = userMessages;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static OpenOptions defaults() {
    return new OpenOptions();
  }

  /**
   * Opens the session of this id. Default: the server makes one.
   *
   * @param id the session's id
   * @return the options
   */
  public OpenOptions sessionId(String id) {
    OpenOptions changed = copy();
    changed.sessionId = id;
    return changed;
  }

  /**
   * Selects the part of the policy for one command of the agent. Default: none.
   *
   * @param name the command
   * @return the options
   */
  public OpenOptions command(String name) {
    OpenOptions changed = copy();
    changed.command = name;
    return changed;
  }

  /**
   * Begins at a rung, or changes to it. Default: the one that the policy selects, or the one in
   * force.
   *
   * @param step the rung
   * @return the options
   */
  public OpenOptions rung(Rung step) {
    OpenOptions changed = copy();
    changed.rung = Optional.of(step);
    return changed;
  }

  /**
   * Says whether a human may be asked. Default: yes, or as before. Where none may, what would ask
   * is an {@link UnattendedException}.
   *
   * @param attended whether one may
   * @return the options
   */
  public OpenOptions interactive(boolean attended) {
    OpenOptions changed = copy();
    changed.interactive = Optional.of(attended);
    return changed;
  }

  /**
   * Sets labels, for wording and filters. They never change a decision.
   *
   * @param values the labels
   * @return the options
   */
  public OpenOptions labels(Map<String, String> values) {
    OpenOptions changed = copy();
    changed.labels = Map.copyOf(values);
    return changed;
  }

  /**
   * The working folder of calls that name none: an absolute path, or empty for none.
   *
   * @param path the folder
   * @return the options
   */
  public OpenOptions cwd(String path) {
    OpenOptions changed = copy();
    changed.cwd = Optional.of(path);
    return changed;
  }

  /**
   * The home folder of calls that name none: an absolute path, or empty for none.
   *
   * @param path the folder
   * @return the options
   */
  public OpenOptions home(String path) {
    OpenOptions changed = copy();
    changed.home = Optional.of(path);
    return changed;
  }

  /**
   * Declares every tool that the agent can call.
   *
   * @param declared the tools
   * @return the options
   */
  public OpenOptions tools(List<ToolDeclaration> declared) {
    OpenOptions changed = copy();
    changed.tools = Optional.of(List.copyOf(declared));
    return changed;
  }

  /**
   * Names the MCP servers that the agent is connected to. Default: those of the policy, or as
   * before.
   *
   * @param keys the servers' keys
   * @return the options
   */
  public OpenOptions mcpServers(List<String> keys) {
    OpenOptions changed = copy();
    changed.mcpServers = Optional.of(List.copyOf(keys));
    return changed;
  }

  /**
   * Tells what the user wrote, oldest first; for an open session, what the user wrote since.
   *
   * @param messages the user's words
   * @return the options
   */
  public OpenOptions userMessages(List<String> messages) {
    OpenOptions changed = copy();
    changed.userMessages = List.copyOf(messages);
    return changed;
  }

  OpenSessionRequest message(String project) {
    OpenSessionRequest.Builder message =
        OpenSessionRequest.newBuilder()
            .setProject(project)
            .setSessionId(sessionId)
            .setCommand(command)
            .putAllLabels(labels)
            .addAllUserMessages(userMessages);
    rung.ifPresent(
        step -> message.setRung(Words.number(dev.haltgate.v1.Rung.class, "RUNG_", step)));
    interactive.ifPresent(message::setInteractive);
    cwd.ifPresent(message::setCwd);
    home.ifPresent(message::setHome);
    tools.ifPresent(declared -> message.setTools(UpdateOptions.catalogue(declared)));
    mcpServers.ifPresent(keys -> message.setMcpServers(McpServers.newBuilder().addAllKeys(keys)));
    return message.build();
  }
}
