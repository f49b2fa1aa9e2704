package dev.haltgate;

import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.CloseSessionRequest;
import dev.haltgate.v1.CloseSessionResponse;
import dev.haltgate.v1.DecideRequest;
import dev.haltgate.v1.GetSessionRequest;
import dev.haltgate.v1.GetSessionResponse;
import dev.haltgate.v1.RateRequest;
import dev.haltgate.v1.RateResponse;
import dev.haltgate.v1.UpdateSessionResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One conversation of one agent. There is nothing to close on this side. */
public final class Session {
  private final Haltgate gate;
  private final String id;
  private final Optional<SessionInfo> opened;

  Session(Haltgate gate, String id, Optional<SessionInfo> opened) {
    this.gate = gate;
    this.id = id;
    this.opened = opened;
  }

  /**
   * The session's id.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * The session as it was when {@link Haltgate#openSession} opened it.
   *
   * @return what it was; absent for one that {@link Haltgate#session} named
   */
  public Optional<SessionInfo> opened() {
    return opened;
  }

  /**
   * Asks whether a shell command may run, and waits for the human who may be asked.
   *
   * @param command exactly as the model wrote it
   * @return the decision
   */
  public Decision decideShell(String command) {
    return decideShell(command, DecideOptions.defaults());
  }

  /**
   * Asks whether a shell command may run.
   *
   * @param command exactly as the model wrote it
   * @param options more about the decision
   * @return the decision
   */
  public Decision decideShell(String command, DecideOptions options) {
    return decide(new Call.Shell(command), options);
  }

  /**
   * Asks whether a tool of the agent itself may be called.
   *
   * @param name the tool's name
   * @param arguments as for {@link Call.Tool}
   * @param options more about the decision
   * @return the decision
   */
  public Decision decideTool(String name, Map<String, ?> arguments, DecideOptions options) {
    return decide(new Call.Tool(name, arguments), options);
  }

  /**
   * Asks whether a tool of an MCP server may be called.
   *
   * @param server the server's key
   * @param name the tool's name at that server
   * @param arguments as for {@link Call.Tool}
   * @param options more about the decision
   * @return the decision
   */
  public Decision decideMcp(
      String server, String name, Map<String, ?> arguments, DecideOptions options) {
    return decide(new Call.McpTool(server, name, arguments), options);
  }

  /**
   * Asks whether a tool may be called, by the one name that the agent registered it under.
   *
   * @param name the name
   * @param arguments as for {@link Call.Tool}
   * @param options more about the decision
   * @return the decision
   */
  public Decision decideRegistered(String name, Map<String, ?> arguments, DecideOptions options) {
    return decide(new Call.Registered(name, arguments), options);
  }

  /**
   * Asks whether a call may run. {@link Action#APPROVE}, {@link Action#REJECT} and, where waiting
   * ended, {@link Action#ESCALATE} are decisions; a halted run, one that nobody attends and every
   * fault are exceptions.
   *
   * @param call the call
   * @param options more about the decision
   * @return the decision
   * @throws NotApprovedException if there is no decision to go on with
   */
  public Decision decide(Call call, DecideOptions options) {
    DecideRequest request =
        DecideRequest.newBuilder()
            .setProject(gate.project())
            .setSessionId(id)
            .setRunId(options.runId())
            .setRequestId(RequestIds.orNew(options.requestId()))
            .setCall(options.reading().message(call))
            .setDryRun(options.isDryRun())
            .build();
    if (options.waits()) {
      return new Waiting(gate, request, options.maxWait()).decide();
    }
    return Checks.settle(
        request, gate.transport().repeatable(ApprovalGateGrpc.getDecideMethod(), request));
  }

  /**
   * Has one call rated with this session's folders, tools and profile. Nothing is approved,
   * recorded or asked.
   *
   * @param call the call
   * @param options more about the rating
   * @return the rating
   */
  public RateResult rate(Call call, RateOptions options) {
    RateRequest request =
        RateRequest.newBuilder()
            .setProject(gate.project())
            .setSessionId(id)
            .setCall(options.reading().message(call))
            .setProfile(options.profile())
            .setFresh(options.isFresh())
            .build();
    RateResponse answer = gate.transport().repeatable(ApprovalGateGrpc.getRateMethod(), request);
    if (!answer.hasRating()) {
      throw new UnexpectedAnswerException("rating", "is missing");
    }
    return new RateResult(
        Read.rating(answer.getRating()),
        answer.getPolicyRevision(),
        List.copyOf(answer.getFramedLinesList()));
  }

  /**
   * Changes the session. It governs the very next call.
   *
   * @param options what changes
   * @return the session as it stands now
   */
  public SessionInfo update(UpdateOptions options) {
    UpdateSessionResponse answer =
        gate.transport()
            .once(ApprovalGateGrpc.getUpdateSessionMethod(), options.message(gate.project(), id));
    return new SessionInfo(answer.getSession(), Read.notices(answer.getNoticesList()), false);
  }

  /**
   * Shows the session as it stands.
   *
   * @return the session
   */
  public SessionInfo get() {
    GetSessionRequest request =
        GetSessionRequest.newBuilder().setProject(gate.project()).setSessionId(id).build();
    GetSessionResponse answer =
        gate.transport().repeatable(ApprovalGateGrpc.getGetSessionMethod(), request);
    return new SessionInfo(answer.getSession(), List.of(), false);
  }

  /**
   * Ends the session: what waits for a human in it is withdrawn. Ending it again changes nothing.
   *
   * @return the session as it stands now
   */
  public SessionInfo close() {
    CloseSessionRequest request =
        CloseSessionRequest.newBuilder().setProject(gate.project()).setSessionId(id).build();
    CloseSessionResponse answer =
        gate.transport().once(ApprovalGateGrpc.getCloseSessionMethod(), request);
    return new SessionInfo(answer.getSession(), List.of(), false);
  }

  /**
   * The grants of the session and of its project, and the session's denials and trust.
   *
   * @return them
   */
  public Grants grants() {
    return new Grants(gate, id);
  }
}
