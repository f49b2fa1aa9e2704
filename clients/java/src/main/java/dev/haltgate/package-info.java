/**
 * Asks a haltgate server whether an AI agent's call may run, before it runs.
 *
 * <pre>{@code
 * try (Haltgate gate = Haltgate.connect("127.0.0.1:7557")) {
 *   Decision decision = gate.session("conversation-1").decideShell("cargo test");
 *   if (decision.approved()) {
 *     // Run it, once.
 *   }
 * }
 * }</pre>
 *
 * <p>A call may run only when {@link dev.haltgate.Decision#approved()} says so. Every exception of
 * a request is a {@link dev.haltgate.NotApprovedException}. A refusal is no exception: it is a
 * decision whose message is what the model gets as the result of its call. A run that must end is
 * one, so that nobody takes it for a refusal: {@link dev.haltgate.AttackHaltedException} and {@link
 * dev.haltgate.UnattendedException}, which carry the decision.
 *
 * <p>A decision that a human must make is waited for, across restarts of the server, and always
 * under one request id: a call is decided once.
 *
 * <p>All methods block, and may be called by several threads at once. No argument and no result is
 * null, unless it says so.
 */
package dev.haltgate;
