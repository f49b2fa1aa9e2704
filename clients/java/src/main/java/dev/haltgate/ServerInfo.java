package dev.haltgate;

import java.time.Instant;

/**
 * Which server answers, and under which policy.
 *
 * @param version the version of the server, as in {@code 0.1.0}
 * @param contractVersion grows with each compatible addition, as in {@code v1.0}
 * @param commit the commit that the server was built from; empty when the build did not know
 * @param policyRevision the revision in force for the project
 * @param policyLoadedAt since when that revision is in force
 * @param startedAt when the server became ready
 * @param ephemeral whether records and grants are gone with the process
 */
public record ServerInfo(
    String version,
    String contractVersion,
    String commit,
    String policyRevision,
    Instant policyLoadedAt,
    Instant startedAt,
    boolean ephemeral) {}
