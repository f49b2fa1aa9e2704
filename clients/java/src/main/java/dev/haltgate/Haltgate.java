package dev.haltgate;

import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.GetServerInfoRequest;
import dev.haltgate.v1.GetServerInfoResponse;
import dev.haltgate.v1.OpenSessionRequest;
import dev.haltgate.v1.OpenSessionResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A connection to a gate. It connects when it is first used, and again whenever the connection is
 * lost.
 *
 * <p>Threads may share it. Closing it ends what is under way with a {@link
 * GateUnavailableException}.
 */
public final class Haltgate implements AutoCloseable {
  /** The version of this client. It is the version of the server that it was made with. */
  public static final String VERSION = "0.1.0";

  /** Where a gate is looked for when neither the program nor the environment names one. */
  public static final String DEFAULT_TARGET = Target.DEFAULT;

  /** The environment variable that names the gate for an empty target. */
  public static final String TARGET_VARIABLE = Target.VARIABLE;

  /**
   * How long a request may take unless the builder says otherwise. Waiting for a human comes on
   * top.
   */
  public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);

  /** How long a decision that waits for a human looks for a gate that is gone. */
  public static final Duration DEFAULT_RECONNECT_FOR = Duration.ofSeconds(30);

  private final Transport transport;
  private final String project;
  private final Duration reconnectFor;

  Haltgate(Transport transport, String project, Duration reconnectFor) {
    this.transport = transport;
    this.project = project;
    this.reconnectFor = reconnectFor;
  }

  /**
   * Sets up a connection with the defaults.
   *
   * @param target {@code HOST:PORT}, {@code http://HOST:PORT}, {@code https://HOST:PORT} or {@code
   *     unix:/PATH}; empty: the one in {@value #TARGET_VARIABLE}, and else {@value #DEFAULT_TARGET}
   * @return the connection
   * @throws IllegalArgumentException if the target is none
   */
  public static Haltgate connect(String target) {
    return builder(target).build();
  }

  /**
   * Sets up a connection.
   *
   * @param target as for {@link #connect}
   * @return what sets it up
   */
  public static HaltgateBuilder builder(String target) {
    return new HaltgateBuilder(target);
  }

  Transport transport() {
    return transport;
  }

  String project() {
    return project;
  }

  Duration reconnectFor() {
    return reconnectFor;
  }

  /**
   * Names a session. One that nobody opened is opened by its first decision, with the project's
   * defaults.
   *
   * @param id the session's id
   * @return the session
   */
  public Session session(String id) {
    return new Session(this, Objects.requireNonNull(id, "id"), Optional.empty());
  }

  /**
   * Opens a session, or sets up anew the one that exists: its grants, denials and halted runs stay.
   *
   * @param options how it begins
   * @return the session
   */
  public Session openSession(OpenOptions options) {
    OpenSessionRequest request = options.message(project);
    OpenSessionResponse answer = transport.once(ApprovalGateGrpc.getOpenSessionMethod(), request);
    String id = answer.getSession().getSessionId();
    if (id.isEmpty()) {
      throw new UnexpectedAnswerException("session.session_id", "is missing");
    }
    if (!request.getSessionId().isEmpty()) {
      Checks.same("session.session_id", id, request.getSessionId());
    }
    SessionInfo info =
        new SessionInfo(
            answer.getSession(), Read.notices(answer.getNoticesList()), answer.getReopened());
    return new Session(this, id, Optional.of(info));
  }

  /**
   * Has one call rated with the project's defaults. Nothing is approved, recorded or asked. A rater
   * that fails is no exception: it is {@link Outcome#DESTRUCTIVE} with a cause.
   *
   * @param call the call
   * @param options more about the rating
   * @return the rating
   */
  public RateResult rate(Call call, RateOptions options) {
    return session("").rate(call, options);
  }

  /**
   * The grants of the project.
   *
   * @return them
   */
  public Grants grants() {
    return new Grants(this, "");
  }

  /**
   * Lets an escalated call run. The first answer wins: after another one it is a {@link
   * RefusedException} with the reason {@link ErrorReason#ALREADY_ANSWERED}.
   *
   * @param escalationId what is answered
   * @param options more about the answer
   * @return the escalation as it stands now
   */
  public Escalation approve(String escalationId, AnswerOptions options) {
    return answerEscalation(escalationId, Verdict.APPROVE, options);
  }

  /**
   * Refuses an escalated call.
   *
   * @param escalationId what is answered
   * @param options more about the answer
   * @return the escalation as it stands now
   */
  public Escalation reject(String escalationId, AnswerOptions options) {
    return answerEscalation(escalationId, Verdict.REJECT, options);
  }

  /**
   * Lets the one halted command run, and its run go on. Nothing is remembered.
   *
   * @param haltId what is answered
   * @param options more about the answer
   * @return the halt as it stands now
   */
  public AttackHalt runAnyway(String haltId, AnswerOptions options) {
    return answerHalt(haltId, Verdict.RUN_ANYWAY, options);
  }

  /**
   * Leaves a run halted.
   *
   * @param haltId what is answered
   * @param options more about the answer
   * @return the halt as it stands now
   */
  public AttackHalt stop(String haltId, AnswerOptions options) {
    return answerHalt(haltId, Verdict.STOP, options);
  }

  /**
   * {@link #approve} or {@link #reject}, by its verdict.
   *
   * @param escalationId what is answered
   * @param verdict the verdict
   * @param options more about the answer
   * @return the escalation as it stands now
   */
  public Escalation answerEscalation(String escalationId, Verdict verdict, AnswerOptions options) {
    return options.escalation(this, escalationId, verdict);
  }

  /**
   * {@link #runAnyway} or {@link #stop}, by its verdict.
   *
   * @param haltId what is answered
   * @param verdict the verdict
   * @param options more about the answer
   * @return the halt as it stands now
   */
  public AttackHalt answerHalt(String haltId, Verdict verdict, AnswerOptions options) {
    return options.halt(this, haltId, verdict);
  }

  /**
   * The live feed of decisions that wait for a human. It begins when it is iterated over.
   *
   * @param options what is watched
   * @return the feed; close it when it is not needed any more
   */
  public Watch<Escalation> watchEscalations(WatchOptions options) {
    return new Watch<>(transport, options, new Feeds.OfEscalations(project, options));
  }

  /**
   * The live feed of attack halts. It begins when it is iterated over. From then on, while somebody
   * watches who may answer, and not only observes, a halt waits for the answer.
   *
   * @param options what is watched
   * @return the feed; close it when it is not needed any more
   */
  public Watch<AttackHalt> watchHalts(WatchOptions options) {
    return new Watch<>(transport, options, new Feeds.OfHalts(project, options));
  }

  /**
   * The records of the project, read page by page while they are iterated over.
   *
   * @param filter which of them
   * @return the records; each iteration asks anew
   */
  public Iterable<DecisionRecord> listDecisions(DecisionFilter filter) {
    return filter.list(this);
  }

  /**
   * Says which server answers, and under which policy.
   *
   * @return what the server says of itself
   */
  public ServerInfo serverInfo() {
    GetServerInfoRequest request = GetServerInfoRequest.newBuilder().setProject(project).build();
    GetServerInfoResponse answer =
        transport.repeatable(ApprovalGateGrpc.getGetServerInfoMethod(), request);
    return new ServerInfo(
        answer.getVersion(),
        answer.getContractVersion(),
        answer.getCommit(),
        answer.getPolicyRevision(),
        Read.instant(answer.getPolicyLoadedAt()),
        Read.instant(answer.getStartedAt()),
        answer.getEphemeral());
  }

  /**
   * The generated client on the same connection, for what has no method here. Its calls have no
   * deadline, no retries and the exceptions of gRPC.
   *
   * @return the stub
   */
  public ApprovalGateGrpc.ApprovalGateBlockingStub stub() {
    return transport.stub();
  }

  @Override
  public void close() {
    transport.close();
  }
}
