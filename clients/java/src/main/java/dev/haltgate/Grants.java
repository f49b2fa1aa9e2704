package dev.haltgate;

import dev.haltgate.v1.AddDenial;
import dev.haltgate.v1.AddGrant;
import dev.haltgate.v1.ApprovalGateGrpc;
import dev.haltgate.v1.DenialAdded;
import dev.haltgate.v1.ExportGrants;
import dev.haltgate.v1.GrantAdded;
import dev.haltgate.v1.GrantsExported;
import dev.haltgate.v1.GrantsImported;
import dev.haltgate.v1.ImportGrants;
import dev.haltgate.v1.LiftDenial;
import dev.haltgate.v1.ManageGrantsRequest;
import dev.haltgate.v1.ManageGrantsResponse;
import dev.haltgate.v1.ManageGrantsResponse.ResultCase;
import dev.haltgate.v1.RevokeGrant;
import dev.haltgate.v1.TrustView;
import dev.haltgate.v1.ViewTrust;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The grants and denials of a project, or of a project and one of its sessions. */
public final class Grants {
  private final Haltgate gate;
  private final String sessionId;

  Grants(Haltgate gate, String sessionId) {
    this.gate = gate;
    this.sessionId = sessionId;
  }

  /**
   * The grants, then the denials, each in the order added, read page by page while they are
   * iterated over.
   *
   * @param filter which of them
   * @return them; each iteration asks anew
   */
  public Iterable<Listed> list(GrantFilter filter) {
    return () ->
        new Pages<>(
            "",
            token -> {
              var list =
                  send(operation().setList(filter.message(token)), ResultCase.LIST).getList();
              Stream<Listed> grants = list.getGrantsList().stream().map(Read::grant);
              Stream<Listed> denials = list.getDenialsList().stream().map(Read::denial);
              return new Pages.Page<>(
                  Stream.concat(grants, denials).toList(), list.getNextPageToken());
            });
  }

  /**
   * Adds a grant.
   *
   * @param entry what is granted
   * @param scope {@link Scope#SESSION}, or {@link Scope#ALWAYS} for the project
   * @param options more about it
   * @return the grant in force
   */
  public AddedGrant grant(Entry entry, Scope scope, GrantOptions options) {
    AddGrant.Builder add =
        AddGrant.newBuilder()
            .setEntry(entry.message())
            .setScope(Words.number(dev.haltgate.v1.Scope.class, "SCOPE_", scope));
    if (!options.terms().unbounded()) {
      add.setTerms(options.terms().message());
    }
    GrantAdded added =
        send(operation().setGrant(add).setRequestId(options.requestId()), ResultCase.GRANT)
            .getGrant();
    return new AddedGrant(Read.grant(added.getGrant()), added.getAlreadyGranted());
  }

  /**
   * Adds a denial for the session.
   *
   * @param entry what is refused
   * @param options more about it
   * @return the denial in force
   */
  public AddedDenial deny(Entry entry, GrantOptions options) {
    AddDenial add =
        AddDenial.newBuilder().setEntry(entry.message()).setNote(options.note()).build();
    DenialAdded added =
        send(operation().setDeny(add).setRequestId(options.requestId()), ResultCase.DENY).getDeny();
    return new AddedDenial(Read.denial(added.getDenial()), added.getAlreadyDenied());
  }

  /**
   * Removes the grants of an entry.
   *
   * @param name what was granted
   * @param scope of the grant; absent: the session's and the project's, whichever there is
   * @return what was removed
   */
  public List<Grant> revoke(EntryName name, Optional<Scope> scope) {
    RevokeGrant.Builder revoke = RevokeGrant.newBuilder();
    scope.ifPresent(
        reach -> revoke.setScope(Words.number(dev.haltgate.v1.Scope.class, "SCOPE_", reach)));
    if (name instanceof Entry entry) {
      revoke.setEntry(entry.message());
    } else if (name instanceof EntryName.ObjectText named) {
      revoke.setObjectText(named.text());
    }
    return grants(
        send(operation().setRevoke(revoke), ResultCase.REVOKE).getRevoke().getRevokedList());
  }

  /**
   * Removes a denial of the session.
   *
   * @param name what was refused
   * @return what was removed
   */
  public Denial lift(EntryName name) {
    LiftDenial.Builder lift = LiftDenial.newBuilder();
    if (name instanceof Entry entry) {
      lift.setEntry(entry.message());
    } else if (name instanceof EntryName.ObjectText named) {
      lift.setObjectText(named.text());
    }
    return Read.denial(send(operation().setLift(lift), ResultCase.LIFT).getLift().getLifted());
  }

  /**
   * Shows which hints of which MCP server are believed in the session.
   *
   * @return the trust in force
   */
  public Trust viewTrust() {
    TrustView trust =
        send(operation().setViewTrust(ViewTrust.getDefaultInstance()), ResultCase.VIEW_TRUST)
            .getViewTrust();
    return new Trust(
        Read.hints(trust.getDefaultsList()),
        trust.getServersList().stream()
            .map(
                server ->
                    new ServerTrust(
                        server.getServer(),
                        Read.hints(server.getTrustedList()),
                        server.getConfigured(),
                        server.getChanged()))
            .toList());
  }

  /**
   * Believes or disbelieves hints of an MCP server, for the session.
   *
   * @param change what changes
   * @return what it does
   */
  public TrustChanged changeTrust(TrustChange change) {
    return changed(
        send(operation().setChangeTrust(change.message()), ResultCase.CHANGE_TRUST)
            .getChangeTrust());
  }

  /**
   * Says what {@link #changeTrust} would do, and does nothing.
   *
   * @param change what would change
   * @return what it would do
   */
  public TrustChanged predictTrust(TrustChange change) {
    return changed(
        send(operation().setPredictTrust(change.message()), ResultCase.PREDICT_TRUST)
            .getPredictTrust());
  }

  /**
   * Adds the grants of a {@code shell-allowlist.json} to the project.
   *
   * @param content the file's JSON text
   * @param options more about it
   * @return what became of it
   */
  public Imported importFile(String content, ImportOptions options) {
    ImportGrants.Builder file =
        ImportGrants.newBuilder().setContent(content).setDryRun(options.dryRun());
    options.fileModifiedAt().ifPresent(time -> file.setFileModifiedAt(Read.timestamp(time)));
    ManageGrantsResponse answer = send(operation().setImportFile(file), ResultCase.IMPORT_FILE);
    GrantsImported imported = answer.getImportFile();
    return new Imported(
        grants(imported.getImportedList()),
        imported.getAlreadyGranted(),
        imported.getDroppedList().stream()
            .map(dropped -> new DroppedItem(dropped.getIndex(), dropped.getReason()))
            .toList(),
        imported.getFileVersion(),
        Read.notices(answer.getNoticesList()));
  }

  /**
   * Writes the project's grants as a {@code shell-allowlist.json}.
   *
   * @return the file
   */
  public Exported exportFile() {
    GrantsExported exported =
        send(operation().setExportFile(ExportGrants.getDefaultInstance()), ResultCase.EXPORT_FILE)
            .getExportFile();
    return new Exported(exported.getContent(), exported.getGrants(), exported.getSkipped());
  }

  private ManageGrantsRequest.Builder operation() {
    return ManageGrantsRequest.newBuilder().setProject(gate.project()).setSessionId(sessionId);
  }

  /** Performs one operation, and holds its answer against it. */
  private ManageGrantsResponse send(ManageGrantsRequest.Builder operation, ResultCase expected) {
    operation.setRequestId(RequestIds.orNew(operation.getRequestId()));
    ManageGrantsResponse answer =
        gate.transport().repeatable(ApprovalGateGrpc.getManageGrantsMethod(), operation.build());
    if (answer.getResultCase() != expected) {
      throw new UnexpectedAnswerException(
          "result", "is " + answer.getResultCase() + ", of another operation");
    }
    return answer;
  }

  private static List<Grant> grants(List<dev.haltgate.v1.Grant> from) {
    return from.stream().map(Read::grant).toList();
  }

  private static TrustChanged changed(dev.haltgate.v1.TrustChanged from) {
    return new TrustChanged(
        from.getServer(),
        from.getConfigured(),
        Read.hints(from.getTrustedList()),
        Read.hints(from.getAddedList()),
        Read.hints(from.getRemovedList()),
        Read.hints(from.getWeakeningList()),
        grants(from.getInvalidatesList()));
  }
}
