package dev.haltgate;

/**
 * Why the server failed a request. The contract says which status and which metadata each comes
 * with.
 */
public enum ErrorReason {
  /** A field has a value that it may not have; google.rpc.BadRequest says which and why. */
  INVALID_FIELD,
  /** A field is longer, or has more items, than it may. */
  LIMIT_EXCEEDED,
  /** A rule-list entry does not follow the grammar. */
  ENTRY_INVALID,
  /** The request_id was used with other content. */
  REQUEST_ID_REUSED,
  /** The page_token is not one that this list gave for these conditions. */
  PAGE_TOKEN_INVALID,
  /** The cursor is not one that this feed gave for these filters. */
  CURSOR_INVALID,
  /** Events behind the cursor are no longer kept. */
  CURSOR_TOO_OLD,
  /** The project has no session of this id. */
  SESSION_NOT_FOUND,
  /** The project has no escalation of this id. */
  ESCALATION_NOT_FOUND,
  /** The project has no attack halt of this id. */
  HALT_NOT_FOUND,
  /** There is no such grant. */
  GRANT_NOT_FOUND,
  /** There is no such denial. */
  DENIAL_NOT_FOUND,
  /** The session was closed. */
  SESSION_CLOSED,
  /** A human answered first; that answer holds. */
  ALREADY_ANSWERED,
  /** It was withdrawn or it expired, and needs no answer. */
  NO_LONGER_OPEN,
  /** The scope is not among those on offer for this verdict; nothing was settled. */
  SCOPE_NOT_OFFERED,
  /** The policy has no rater profile of this name. */
  RATER_PROFILE_UNKNOWN,
  /** The server needs credentials and the request has none. */
  CREDENTIALS_MISSING,
  /** The credentials are unknown, expired or revoked. */
  CREDENTIALS_INVALID,
  /** The caller's role may not use this method or operation. */
  ROLE_NOT_ALLOWED,
  /** The caller may not use this project. */
  PROJECT_NOT_ALLOWED,
  /** The session belongs to another agent. */
  SESSION_NOT_ALLOWED,
  /** An agent may not change a rung, or open a session at a looser one than the policy selects. */
  RUNG_NOT_ALLOWED,
  /** Too many requests are under way; this one was not begun. */
  OVERLOADED,
  /** The server holds as many feeds as it may. */
  TOO_MANY_FEEDS,
  /**
   * The project or the session holds as many sessions or open escalations as it may; "what" says
   * which.
   */
  TOO_MANY_OPEN,
  /** The store could not be read or written; nothing was decided or changed. */
  STORE_UNAVAILABLE,
  /** The server is shutting down; ask another, or the same later. */
  DRAINING,
  /** This server cannot do it, by its version or its configuration. */
  NOT_SUPPORTED,
  /** A fault of the server. */
  INTERNAL,
  /**
   * The request took longer than the caller or the server lets it; ask again with its request_id.
   */
  DEADLINE_EXCEEDED,
  /**
   * An agent asked for a setting of its session that the policy, or who set the session up, keeps
   * from agents.
   */
  POLICY_NOT_ALLOWED
}
