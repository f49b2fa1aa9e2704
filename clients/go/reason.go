package haltgate

// Reason is why the server failed a request. The contract says which status and which metadata each comes with. A newer
// server may give one that is not among these.
type Reason string

// The reasons of the contract.
const (
	// ReasonInvalidField: a field has a value that it may not have; google.rpc.BadRequest says which and why.
	ReasonInvalidField Reason = "INVALID_FIELD"
	// ReasonLimitExceeded: a field is longer, or has more items, than it may.
	ReasonLimitExceeded Reason = "LIMIT_EXCEEDED"
	// ReasonEntryInvalid: a rule-list entry does not follow the grammar.
	ReasonEntryInvalid Reason = "ENTRY_INVALID"
	// ReasonRequestIDReused: the request_id was used with other content.
	ReasonRequestIDReused Reason = "REQUEST_ID_REUSED"
	// ReasonPageTokenInvalid: the page_token is not one that this list gave for these conditions.
	ReasonPageTokenInvalid Reason = "PAGE_TOKEN_INVALID"
	// ReasonCursorInvalid: the cursor is not one that this feed gave for these filters.
	ReasonCursorInvalid Reason = "CURSOR_INVALID"
	// ReasonCursorTooOld: events behind the cursor are no longer kept.
	ReasonCursorTooOld Reason = "CURSOR_TOO_OLD"
	// ReasonSessionNotFound: the project has no session of this id.
	ReasonSessionNotFound Reason = "SESSION_NOT_FOUND"
	// ReasonEscalationNotFound: the project has no escalation of this id.
	ReasonEscalationNotFound Reason = "ESCALATION_NOT_FOUND"
	// ReasonHaltNotFound: the project has no attack halt of this id.
	ReasonHaltNotFound Reason = "HALT_NOT_FOUND"
	// ReasonGrantNotFound: there is no such grant.
	ReasonGrantNotFound Reason = "GRANT_NOT_FOUND"
	// ReasonDenialNotFound: there is no such denial.
	ReasonDenialNotFound Reason = "DENIAL_NOT_FOUND"
	// ReasonSessionClosed: the session was closed.
	ReasonSessionClosed Reason = "SESSION_CLOSED"
	// ReasonAlreadyAnswered: a human answered first; that answer holds.
	ReasonAlreadyAnswered Reason = "ALREADY_ANSWERED"
	// ReasonNoLongerOpen: it was withdrawn or it expired, and needs no answer.
	ReasonNoLongerOpen Reason = "NO_LONGER_OPEN"
	// ReasonScopeNotOffered: the scope is not among those on offer for this verdict; nothing was settled.
	ReasonScopeNotOffered Reason = "SCOPE_NOT_OFFERED"
	// ReasonRaterProfileUnknown: the policy has no rater profile of this name.
	ReasonRaterProfileUnknown Reason = "RATER_PROFILE_UNKNOWN"
	// ReasonCredentialsMissing: the server needs credentials and the request has none.
	ReasonCredentialsMissing Reason = "CREDENTIALS_MISSING"
	// ReasonCredentialsInvalid: the credentials are unknown, expired or revoked.
	ReasonCredentialsInvalid Reason = "CREDENTIALS_INVALID"
	// ReasonRoleNotAllowed: the caller's role may not use this method or operation.
	ReasonRoleNotAllowed Reason = "ROLE_NOT_ALLOWED"
	// ReasonProjectNotAllowed: the caller may not use this project.
	ReasonProjectNotAllowed Reason = "PROJECT_NOT_ALLOWED"
	// ReasonSessionNotAllowed: the session belongs to another agent.
	ReasonSessionNotAllowed Reason = "SESSION_NOT_ALLOWED"
	// ReasonRungNotAllowed: an agent may not change a rung, or open a session at a looser one than the policy selects.
	ReasonRungNotAllowed Reason = "RUNG_NOT_ALLOWED"
	// ReasonPolicyNotAllowed: an agent asked for a setting of its session that the policy, or who set the session up, keeps
	// from agents.
	ReasonPolicyNotAllowed Reason = "POLICY_NOT_ALLOWED"
	// ReasonOverloaded: too many requests are under way; this one was not begun.
	ReasonOverloaded Reason = "OVERLOADED"
	// ReasonTooManyFeeds: the server holds as many feeds as it may.
	ReasonTooManyFeeds Reason = "TOO_MANY_FEEDS"
	// ReasonTooManyOpen: the project or the session holds as many sessions or open escalations as it may; "what" says which.
	ReasonTooManyOpen Reason = "TOO_MANY_OPEN"
	// ReasonStoreUnavailable: the store could not be read or written; nothing was decided or changed.
	ReasonStoreUnavailable Reason = "STORE_UNAVAILABLE"
	// ReasonDraining: the server is shutting down; ask another, or the same later.
	ReasonDraining Reason = "DRAINING"
	// ReasonDeadlineExceeded: the request took longer than the caller or the server lets it; ask again with its request_id.
	ReasonDeadlineExceeded Reason = "DEADLINE_EXCEEDED"
	// ReasonNotSupported: this server cannot do it, by its version or its configuration.
	ReasonNotSupported Reason = "NOT_SUPPORTED"
	// ReasonInternal: a fault of the server.
	ReasonInternal Reason = "INTERNAL"
)
