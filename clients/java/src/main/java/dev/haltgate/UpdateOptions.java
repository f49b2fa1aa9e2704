package dev.haltgate;

import dev.haltgate.v1.LabelChanges;
import dev.haltgate.v1.McpServers;
import dev.haltgate.v1.ToolCatalogue;
import dev.haltgate.v1.UpdateSessionRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What changes in an open session. Each method returns changed options and leaves these as they
 * are.
 */
public final class UpdateOptions {
  private Optional<Rung> rung = Optional.empty();
  private Optional<Boolean> interactive = Optional.empty();
  private Map<String, String> labels = Map.of();
  private Optional<String> cwd = Optional.empty();
  private Optional<String> home = Optional.empty();
  private Optional<List<ToolDeclaration>> tools = Optional.empty();
  private Optional<List<String>> mcpServers = Optional.empty();
  private List<String> userMessages = List.of();
  private List<String> removedLabels = List.of();
  private boolean reset = false;

  private UpdateOptions() {}

  private UpdateOptions copy() {
    UpdateOptions copy = new UpdateOptions();
    copy.rung = rung;
    copy.interactive = interactive;
    copy.labels = labels;
    copy.cwd = cwd;
    copy.home = home;
    copy.tools = tools;
    copy.mcpServers = mcpServers;
    copy.userMessages = userMessages;
    copy.removedLabels = removedLabels;
    copy.reset = reset;
    return copy;
  }

  /**
   * The defaults.
   *
   * @return the options
   */
  public static UpdateOptions defaults() {
    return new UpdateOptions();
  }

  /**
   * Begins at a rung, or changes to it. Default: the one that the policy selects, or the one in
   * force.
   *
   * @param step the rung
   * @return the options
   */
  public UpdateOptions rung(Rung step) {
    UpdateOptions changed = copy();
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
  public UpdateOptions interactive(boolean attended) {
    UpdateOptions changed = copy();
    changed.interactive = Optional.of(attended);
    return changed;
  }

  /**
   * Sets labels, for wording and filters. They never change a decision.
   *
   * @param values the labels
   * @return the options
   */
  public UpdateOptions labels(Map<String, String> values) {
    UpdateOptions changed = copy();
    changed.labels = Map.copyOf(values);
    return changed;
  }

  /**
   * The working folder of calls that name none: an absolute path, or empty for none.
   *
   * @param path the folder
   * @return the options
   */
  public UpdateOptions cwd(String path) {
    UpdateOptions changed = copy();
    changed.cwd = Optional.of(path);
    return changed;
  }

  /**
   * The home folder of calls that name none: an absolute path, or empty for none.
   *
   * @param path the folder
   * @return the options
   */
  public UpdateOptions home(String path) {
    UpdateOptions changed = copy();
    changed.home = Optional.of(path);
    return changed;
  }

  /**
   * Declares every tool that the agent can call.
   *
   * @param declared the tools
   * @return the options
   */
  public UpdateOptions tools(List<ToolDeclaration> declared) {
    UpdateOptions changed = copy();
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
  public UpdateOptions mcpServers(List<String> keys) {
    UpdateOptions changed = copy();
    changed.mcpServers = Optional.of(List.copyOf(keys));
    return changed;
  }

  /**
   * Tells what the user wrote, oldest first; for an open session, what the user wrote since.
   *
   * @param messages the user's words
   * @return the options
   */
  public UpdateOptions userMessages(List<String> messages) {
    UpdateOptions changed = copy();
    changed.userMessages = List.copyOf(messages);
    return changed;
  }

  /**
   * Removes the labels of these keys.
   *
   * @param keys the labels' keys
   * @return the options
   */
  public UpdateOptions removeLabels(List<String> keys) {
    UpdateOptions changed = copy();
    changed.removedLabels = List.copyOf(keys);
    return changed;
  }

  /**
   * Forgets the negotiation and the user's messages.
   *
   * @return the options
   */
  public UpdateOptions resetThread() {
    UpdateOptions changed = copy();
    changed.reset = true;
    return changed;
  }

  UpdateSessionRequest message(String project, String sessionId) {
    UpdateSessionRequest.Builder message =
        UpdateSessionRequest.newBuilder()
            .setProject(project)
            .setSessionId(sessionId)
            .addAllUserMessages(userMessages)
            .setResetThread(reset);
    rung.ifPresent(
        step -> message.setRung(Words.number(dev.haltgate.v1.Rung.class, "RUNG_", step)));
    interactive.ifPresent(message::setInteractive);
    cwd.ifPresent(message::setCwd);
    home.ifPresent(message::setHome);
    tools.ifPresent(declared -> message.setTools(catalogue(declared)));
    mcpServers.ifPresent(keys -> message.setMcpServers(McpServers.newBuilder().addAllKeys(keys)));
    if (!labels.isEmpty() || !removedLabels.isEmpty()) {
      message.setLabels(LabelChanges.newBuilder().putAllSet(labels).addAllRemove(removedLabels));
    }
    return message.build();
  }

  static ToolCatalogue catalogue(List<ToolDeclaration> tools) {
    ToolCatalogue.Builder catalogue = ToolCatalogue.newBuilder();
    for (ToolDeclaration tool : tools) {
      catalogue.addTools(
          dev.haltgate.v1.ToolDeclaration.newBuilder()
              .setRegisteredName(tool.registeredName())
              .setDescription(tool.description())
              .setAnnotations(tool.annotations().message()));
    }
    return catalogue.build();
  }
}
