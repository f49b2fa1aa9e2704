"""The closed vocabularies of the contract. Made by ./generate: do not edit."""

from ._vocabulary import Vocabulary

__all__ = [
    "Action",
    "AttackHaltState",
    "EntryType",
    "ErrorReason",
    "EscalationState",
    "FloorKind",
    "GateScope",
    "Hint",
    "HumanInvolvement",
    "Matcher",
    "NotedHead",
    "NoticeCode",
    "NoticeLevel",
    "Outcome",
    "RatingCause",
    "RatingSource",
    "ResumeReason",
    "RuleLayer",
    "RuleList",
    "Rung",
    "Scope",
    "SessionState",
    "ShellDialect",
    "SortOrder",
    "Stage",
    "Verdict",
]


class Action(Vocabulary):
    """Action is what the caller must do. A caller must treat a value that it does not know as REJECT.
    """

    APPROVE = "APPROVE", 1
    """APPROVE: run the call, once."""

    REJECT = "REJECT", 2
    """REJECT: do not run the call; hand the message to the model as the tool's result."""

    ESCALATE = "ESCALATE", 3
    """ESCALATE: do not run the call yet; a human was asked. Send the same request again to pick up the
    answer.
    """

    HALT = "HALT", 4
    """HALT: end the run now; the model gets nothing."""

    UNATTENDED = "UNATTENDED", 5
    """UNATTENDED: end the run with a non-zero exit; approval was needed and nobody can answer."""


class AttackHaltState(Vocabulary):
    """AttackHaltState is where an attack halt stands."""

    OPEN = "OPEN", 1
    """OPEN: the run is halted and an answer is waited for."""

    RAN_ANYWAY = "RAN_ANYWAY", 2
    """RAN_ANYWAY: a human let the one command through."""

    STOPPED = "STOPPED", 3
    """STOPPED: a human left the run halted."""

    UNATTENDED = "UNATTENDED", 4
    """UNATTENDED: nobody who may answer was listening; the run was halted at once."""

    WITHDRAWN = "WITHDRAWN", 5
    """WITHDRAWN: the session was closed first. The run stays halted."""

    EXPIRED = "EXPIRED", 6
    """EXPIRED: nobody answered in time. The run stays halted."""


class EntryType(Vocabulary):
    """EntryType says which kind of call a rule-list entry speaks of."""

    SHELL = "SHELL", 1
    """SHELL names shell commands: "shell" in a policy file."""

    TOOL = "TOOL", 2
    """TOOL names tools of the agent itself: "tool" in a policy file."""

    MCP_TOOL = "MCP_TOOL", 3
    """MCP_TOOL names tools of MCP servers: "mcpTool" in a policy file."""


class ErrorReason(Vocabulary):
    """ErrorReason is why a request failed. It travels as google.rpc.ErrorInfo in the status details:
    its domain is "haltgate.dev", its reason is the name below without "", and its metadata has the
    keys that the example shows; every value is a string. Messages are for people and may change;
    reasons and keys are for programs and stay.
    """

    INVALID_FIELD = "INVALID_FIELD", 1
    """INVALID_FIELD: a field has a value that it may not have; google.rpc.BadRequest says which and
    why. Status: INVALID_ARGUMENT. Mend the request; a retry is of no use. "field" is the path of
    the first such field.
    """

    LIMIT_EXCEEDED = "LIMIT_EXCEEDED", 2
    """LIMIT_EXCEEDED: a field is longer, or has more items, than it may. Status: INVALID_ARGUMENT.
    "limit" and "actual" are in "unit": bytes, characters or items.
    """

    ENTRY_INVALID = "ENTRY_INVALID", 3
    """ENTRY_INVALID: a rule-list entry does not follow the grammar. Status: INVALID_ARGUMENT. "field"
    is the path of the entry's offending part.
    """

    REQUEST_ID_REUSED = "REQUEST_ID_REUSED", 4
    """REQUEST_ID_REUSED: the request_id was used with other content. Status: INVALID_ARGUMENT.
    "original_id" is the decision_id of the first use; it is absent outside of Decide.
    """

    PAGE_TOKEN_INVALID = "PAGE_TOKEN_INVALID", 5
    """PAGE_TOKEN_INVALID: the page_token is not one that this list gave for these conditions. Status:
    INVALID_ARGUMENT. Begin again with the first page.
    """

    CURSOR_INVALID = "CURSOR_INVALID", 6
    """CURSOR_INVALID: the cursor is not one that this feed gave for these filters. Status:
    INVALID_ARGUMENT. Open the feed again without a cursor.
    """

    CURSOR_TOO_OLD = "CURSOR_TOO_OLD", 7
    """CURSOR_TOO_OLD: events behind the cursor are no longer kept. Status: OUT_OF_RANGE. Open the feed
    again without a cursor: it begins with everything that is open. "after" is the cursor that was
    sent; "oldest" is the oldest one that this feed could be resumed with, though what happened
    before it is not told any more.
    """

    SESSION_NOT_FOUND = "SESSION_NOT_FOUND", 8
    """SESSION_NOT_FOUND: the project has no session of this id. Status: NOT_FOUND."""

    ESCALATION_NOT_FOUND = "ESCALATION_NOT_FOUND", 9
    """ESCALATION_NOT_FOUND: the project has no escalation of this id. Status: NOT_FOUND."""

    HALT_NOT_FOUND = "HALT_NOT_FOUND", 10
    """HALT_NOT_FOUND: the project has no attack halt of this id. Status: NOT_FOUND."""

    GRANT_NOT_FOUND = "GRANT_NOT_FOUND", 11
    """GRANT_NOT_FOUND: there is no such grant. Status: NOT_FOUND. "entry" is the object_text of the
    entry.
    """

    DENIAL_NOT_FOUND = "DENIAL_NOT_FOUND", 12
    """DENIAL_NOT_FOUND: there is no such denial. Status: NOT_FOUND. "entry" is the object_text of the
    entry.
    """

    SESSION_CLOSED = "SESSION_CLOSED", 13
    """SESSION_CLOSED: the session was closed. Status: FAILED_PRECONDITION. Open it again."""

    ALREADY_ANSWERED = "ALREADY_ANSWERED", 14
    """ALREADY_ANSWERED: a human answered first; that answer holds. Status: FAILED_PRECONDITION.
    "verdict" and "scope" are names of enum values.
    """

    NO_LONGER_OPEN = "NO_LONGER_OPEN", 15
    """NO_LONGER_OPEN: it was withdrawn or it expired, and needs no answer. Status:
    FAILED_PRECONDITION. "state" is the name of a value of EscalationState or AttackHaltState.
    """

    SCOPE_NOT_OFFERED = "SCOPE_NOT_OFFERED", 16
    """SCOPE_NOT_OFFERED: the scope is not among those on offer for this verdict; nothing was settled.
    Status: FAILED_PRECONDITION. "offered" lists names of values of Scope, joined by commas.
    """

    RATER_PROFILE_UNKNOWN = "RATER_PROFILE_UNKNOWN", 17
    """RATER_PROFILE_UNKNOWN: the policy has no rater profile of this name. Status:
    FAILED_PRECONDITION.
    """

    CREDENTIALS_MISSING = "CREDENTIALS_MISSING", 18
    """CREDENTIALS_MISSING: the server needs credentials and the request has none. Status:
    UNAUTHENTICATED. "accepted" lists the accepted kinds, joined by commas.
    """

    CREDENTIALS_INVALID = "CREDENTIALS_INVALID", 19
    """CREDENTIALS_INVALID: the credentials are unknown, expired or revoked. Status: UNAUTHENTICATED.
    It is never said which.
    """

    ROLE_NOT_ALLOWED = "ROLE_NOT_ALLOWED", 20
    """ROLE_NOT_ALLOWED: the caller's role may not use this method or operation. Status:
    PERMISSION_DENIED. "needed" lists the roles that may, joined by commas.
    """

    PROJECT_NOT_ALLOWED = "PROJECT_NOT_ALLOWED", 21
    """PROJECT_NOT_ALLOWED: the caller may not use this project. Status: PERMISSION_DENIED."""

    SESSION_NOT_ALLOWED = "SESSION_NOT_ALLOWED", 22
    """SESSION_NOT_ALLOWED: the session belongs to another agent. Status: PERMISSION_DENIED."""

    RUNG_NOT_ALLOWED = "RUNG_NOT_ALLOWED", 23
    """RUNG_NOT_ALLOWED: an agent may not change a rung, or open a session at a looser one than the
    policy selects. Status: PERMISSION_DENIED. Both are names of values of Rung.
    """

    OVERLOADED = "OVERLOADED", 24
    """OVERLOADED: too many requests are under way, or they come too fast; this one was not begun.
    Status: RESOURCE_EXHAUSTED, with google.rpc.RetryInfo: for requests that come too fast, the
    moment from which the next one is accepted. "scope" says whose limit it is: server, project,
    caller or session. "what" says of what, where it is not of requests under way:
    "requests_per_second", "feeds_per_minute", or "waits" for calls that wait for a human. A call
    that may not wait was decided all the same: without `wait`, or later, the same request_id has
    its decision.
    """

    TOO_MANY_FEEDS = "TOO_MANY_FEEDS", 25
    """TOO_MANY_FEEDS: the server, or the caller, holds as many feeds as it may; "scope" says which.
    Status: RESOURCE_EXHAUSTED, with google.rpc.RetryInfo.
    """

    TOO_MANY_OPEN = "TOO_MANY_OPEN", 26
    """TOO_MANY_OPEN: the project or the session holds as many sessions or open escalations as it may;
    "what" says which, "scope" whose. Status: RESOURCE_EXHAUSTED, with google.rpc.RetryInfo.
    """

    STORE_UNAVAILABLE = "STORE_UNAVAILABLE", 27
    """STORE_UNAVAILABLE: the store could not be read or written; nothing was decided or changed. A
    gate that cannot record does not decide. Status: UNAVAILABLE, with google.rpc.RetryInfo.
    """

    DRAINING = "DRAINING", 28
    """DRAINING: the server is shutting down; ask another, or the same later. Status: UNAVAILABLE, with
    google.rpc.RetryInfo.
    """

    NOT_SUPPORTED = "NOT_SUPPORTED", 29
    """NOT_SUPPORTED: this server cannot do it, by its version or its configuration. Status:
    UNIMPLEMENTED. "feature" names it.
    """

    INTERNAL = "INTERNAL", 30
    """INTERNAL: a fault of the server. The call must not run. Status: INTERNAL. "incident" is the id
    that the server's log has it under.
    """

    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED", 31
    """DEADLINE_EXCEEDED: there was no answer in time. Status: DEADLINE_EXCEEDED. Whether it took
    effect is unknown: ask again with the same request_id. "scope" says whose limit passed: "caller"
    for the deadline that the request came with, "server" for the longest that this server lets a
    request take, in "limit_ms".
    """

    POLICY_NOT_ALLOWED = "POLICY_NOT_ALLOWED", 32
    """POLICY_NOT_ALLOWED: an agent asked for a setting of its session that the policy's "agents"
    block, or whoever else set the session up, does not leave to agents. Status: PERMISSION_DENIED.
    "field" is the path of the setting: "command" or "interactive". Leave it out for what the
    session may have.
    """


class EscalationState(Vocabulary):
    """EscalationState is where an escalation stands."""

    OPEN = "OPEN", 1
    """OPEN: it waits for an answer."""

    APPROVED = "APPROVED", 2
    """APPROVED: a human approved the call."""

    REJECTED = "REJECTED", 3
    """REJECTED: a human rejected the call."""

    WITHDRAWN = "WITHDRAWN", 4
    """WITHDRAWN: the session was closed or the run was halted first. The call counts as rejected.
    """

    EXPIRED = "EXPIRED", 5
    """EXPIRED: nobody answered in time. The call counts as rejected."""


class FloorKind(Vocabulary):
    """FloorKind names a deterministic check that can only make a rating stricter."""

    NETWORK_HOST = "NETWORK_HOST", 1
    """NETWORK_HOST: a fetch or a transfer names a host."""

    ENVIRONMENT_LEAK = "ENVIRONMENT_LEAK", 2
    """ENVIRONMENT_LEAK: an interpreter is given an expanded variable that may hold a secret."""

    OPEN_WORLD = "OPEN_WORLD", 3
    """OPEN_WORLD: the tool's effective annotations do not rule out that it reaches parties outside.
    """


class GateScope(Vocabulary):
    """GateScope says which calls a policy judges."""

    RUNG = "RUNG", 1
    """RUNG: a call that the rung does not gate is approved before any list is read. The default.
    """

    EVERY_CALL = "EVERY_CALL", 2
    """EVERY_CALL: every call that arrives is judged, at every rung."""


class Hint(Vocabulary):
    """Hint is one of the hints of the MCP tool annotations, in their canonical order."""

    READ_ONLY = "READ_ONLY", 1
    """READ_ONLY is readOnlyHint: the tool changes nothing."""

    DESTRUCTIVE = "DESTRUCTIVE", 2
    """DESTRUCTIVE is destructiveHint: the tool may destroy what it changes."""

    IDEMPOTENT = "IDEMPOTENT", 3
    """IDEMPOTENT is idempotentHint: calling the tool again with the same arguments changes nothing
    more.
    """

    OPEN_WORLD = "OPEN_WORLD", 4
    """OPEN_WORLD is openWorldHint: the tool reaches parties outside."""


class HumanInvolvement(Vocabulary):
    """HumanInvolvement says what part a human had in a decision."""

    WAITING = "WAITING", 1
    """WAITING: one was asked and has not answered."""

    APPROVED = "APPROVED", 2
    """APPROVED: one approved the call, or let a halted command run."""

    REJECTED = "REJECTED", 3
    """REJECTED: one rejected the call, or left the run halted."""

    NOBODY = "NOBODY", 4
    """NOBODY: one was needed and nobody could be asked, or nobody answered in time."""


class Matcher(Vocabulary):
    """Matcher says how an entry's pattern is compared."""

    EXACT = "EXACT", 1
    """EXACT: the pattern is the whole command or name."""

    GLOB = "GLOB", 2
    """GLOB: "*" stands for any run of characters, empty and line breaks included; anchored at both
    ends; everything else is literal.
    """

    REGEXP = "REGEXP", 3
    """REGEXP: an ECMAScript-like regular expression, unanchored, at most 200 UTF-16 units."""

    HINT = "HINT", 4
    """HINT: the tool's effective annotations; needs the field hints. Not for ENTRY_TYPE_SHELL."""


class NotedHead(Vocabulary):
    """NotedHead says what became of a head of the chain that was noted down earlier."""

    FOUND = "FOUND", 1
    """FOUND: it is in the chain."""

    NO_LONGER_KEPT = "NO_LONGER_KEPT", 2
    """NO_LONGER_KEPT: retention has deleted its record, so that it cannot be compared any more.
    Everything from first_sequence on is there.
    """

    MISSING = "MISSING", 3
    """MISSING: the chain has another record there, or none. The chain is not intact."""


class NoticeCode(Vocabulary):
    """NoticeCode says what a notice is about."""

    GRANT_WITHDRAWN = "GRANT_WITHDRAWN", 1
    """GRANT_WITHDRAWN: a grant was removed, since its tool now describes itself as more dangerous.
    """

    RATING_TIMEOUT = "RATING_TIMEOUT", 2
    """RATING_TIMEOUT: the rater did not answer in time."""

    RATING_FAILED = "RATING_FAILED", 3
    """RATING_FAILED: an allow entry asked for a rating, there was none, and the call ran; or the
    project's budget for ratings by models is spent, so that none was asked.
    """

    PATTERN_UNDECIDED = "PATTERN_UNDECIDED", 4
    """PATTERN_UNDECIDED: a pattern could not be compared within its bound."""

    HARDLINE = "HARDLINE", 5
    """HARDLINE: a command that nothing may let through was refused."""

    INERT_ENTRIES = "INERT_ENTRIES", 6
    """INERT_ENTRIES: the policy declares entries that can never fire at the rung in force."""

    POSTURE = "POSTURE", 7
    """POSTURE: what the rung in force lets through; raised when a session opens."""

    RATING_SKIPPED = "RATING_SKIPPED", 8
    """RATING_SKIPPED: a dry run ended where the rater would have been asked."""

    MIGRATED = "MIGRATED", 9
    """MIGRATED: grants of an older file were taken over with a narrower meaning."""

    GRANT_SPENT = "GRANT_SPENT", 10
    """GRANT_SPENT: a grant's last use was spent."""

    MCP_AMBIGUOUS = "MCP_AMBIGUOUS", 11
    """MCP_AMBIGUOUS: no single configured MCP server explains a registered name."""

    UNREAD = "UNREAD", 12
    """UNREAD: the command, or a part of it, could not be read."""

    SESSION_DEFAULTS = "SESSION_DEFAULTS", 13
    """SESSION_DEFAULTS: a session that nobody had opened was opened with the project's defaults.
    """


class NoticeLevel(Vocabulary):
    """NoticeLevel says how much a notice matters."""

    INFO = "INFO", 1
    """INFO: good to know."""

    WARNING = "WARNING", 2
    """WARNING: an operator should look at it."""


class Outcome(Vocabulary):
    """Outcome is what a rating says of a call. A caller must treat a value that it does not know as
    DESTRUCTIVE.
    """

    SAFE = "SAFE", 1
    """SAFE: every effect is known and harmless."""

    DESTRUCTIVE = "DESTRUCTIVE", 2
    """DESTRUCTIVE: everything that is none of the others, and everything that was not assessed."""

    CATASTROPHIC = "CATASTROPHIC", 3
    """CATASTROPHIC: undoing it would need something outside the session."""

    ATTACK = "ATTACK", 4
    """ATTACK: the command's own structure shows a hostile purpose."""


class RatingCause(Vocabulary):
    """RatingCause says why a call could not be assessed. It always comes with OUTCOME_DESTRUCTIVE.
    """

    NOT_ASSESSED = "NOT_ASSESSED", 1
    """NOT_ASSESSED: the rater does not know all of the call's effects."""

    NO_MODEL = "NO_MODEL", 2
    """NO_MODEL: the profile asks a model, and none is configured."""

    TIMEOUT = "TIMEOUT", 3
    """TIMEOUT: the rating took longer than its limit."""

    UNPARSEABLE = "UNPARSEABLE", 4
    """UNPARSEABLE: the model's answer was not a verdict."""

    TRANSPORT = "TRANSPORT", 5
    """TRANSPORT: the model could not be reached, or refused to serve."""

    CIRCUIT_OPEN = "CIRCUIT_OPEN", 6
    """CIRCUIT_OPEN: the model failed too often lately and is being left alone for a while."""

    BUDGET_SPENT = "BUDGET_SPENT", 7
    """BUDGET_SPENT: the project has spent what it may on ratings by models, so none was asked."""


class RatingSource(Vocabulary):
    """RatingSource says what a rating comes from."""

    BUILT_IN = "BUILT_IN", 1
    """BUILT_IN: the server's own knowledge of programs and their effects."""

    MODEL = "MODEL", 2
    """MODEL: a language model that the policy names."""

    FLOOR = "FLOOR", 3
    """FLOOR: no rater's verdict, but a deterministic floor alone, or a rater that failed; see the
    cause.
    """


class ResumeReason(Vocabulary):
    """ResumeReason is why a feed ends and asks to be resumed."""

    DRAINING = "DRAINING", 1
    """DRAINING: the server is shutting down."""

    SLOW_READER = "SLOW_READER", 2
    """SLOW_READER: the client read too slowly for the server to keep up from memory."""


class RuleLayer(Vocabulary):
    """RuleLayer says where an entry comes from."""

    DECLARED = "DECLARED", 1
    """DECLARED: the policy declares it."""

    SESSION_GRANT = "SESSION_GRANT", 2
    """SESSION_GRANT: a human granted it for the session."""

    PERSISTED_GRANT = "PERSISTED_GRANT", 3
    """PERSISTED_GRANT: a human granted it for the project."""

    DENIAL = "DENIAL", 4
    """DENIAL: a human refused it for the session."""


class RuleList(Vocabulary):
    """RuleList names a rule list."""

    DENY = "DENY", 1
    """DENY refuses at every rung."""

    ESCALATE = "ESCALATE", 2
    """ESCALATE asks a human, except at rung bypass."""

    ALLOW = "ALLOW", 3
    """ALLOW lets a call through."""


class Rung(Vocabulary):
    """Rung is a step of the approvals ladder: how much a session's agent may do unasked."""

    MANUAL = "MANUAL", 1
    """MANUAL: everything but built-in reads asks a human."""

    WRITE = "WRITE", 2
    """WRITE: everything but built-in reads and writes asks a human."""

    ASSISTED = "ASSISTED", 3
    """ASSISTED: commands are rated; what is not safe asks a human. The default of a policy that states
    none.
    """

    AUTO = "AUTO", 4
    """AUTO: commands are rated; what is destructive goes back to the agent a few times before a human
    is asked.
    """

    BYPASS = "BYPASS", 5
    """BYPASS: nothing is rated or asked; deny entries, denials and the hardline floor still hold.
    """


class Scope(Vocabulary):
    """Scope is how far an approval or a rejection reaches."""

    ONCE = "ONCE", 1
    """ONCE: this one call."""

    SESSION = "SESSION", 2
    """SESSION: until the session is over. A decision that an allow entry or a grant made also says
    this.
    """

    ALWAYS = "ALWAYS", 3
    """ALWAYS: kept for the project, for every session. Never the scope of a denial."""


class SessionState(Vocabulary):
    """SessionState says whether a session decides."""

    OPEN = "OPEN", 1
    """OPEN: it decides."""

    CLOSED = "CLOSED", 2
    """CLOSED: it decides nothing until it is opened again."""


class ShellDialect(Vocabulary):
    """ShellDialect is the language that a shell command is written in."""

    BASH = "BASH", 1
    """BASH: bash, and sh as bash reads it."""

    POWERSHELL = "POWERSHELL", 2
    """POWERSHELL is accepted and never read: no allow entry matches, the rater may not call it safe,
    and deny and escalate entries are compared with the whole text and with each of its lines.
    """

    CMD = "CMD", 3
    """CMD: cmd.exe; treated like POWERSHELL."""


class SortOrder(Vocabulary):
    """SortOrder of a list of records."""

    NEWEST_FIRST = "NEWEST_FIRST", 1
    """NEWEST_FIRST: the record that was written last first."""

    OLDEST_FIRST = "OLDEST_FIRST", 2
    """OLDEST_FIRST: the record that was written first first."""


class Stage(Vocabulary):
    """Stage is the step that decided. There is exactly one for each decision; a human's answer does
    not change it: the stage then says why the human was asked.
    """

    NOT_GATED = "NOT_GATED", 1
    """NOT_GATED: the rung does not gate this call."""

    DENY_LIST = "DENY_LIST", 2
    """DENY_LIST: a deny entry or a denial matched."""

    BYPASS = "BYPASS", 3
    """BYPASS: the rung is bypass."""

    HARDLINE_FLOOR = "HARDLINE_FLOOR", 4
    """HARDLINE_FLOOR: the command is one that nothing may let through."""

    ESCALATE_ENTRY = "ESCALATE_ENTRY", 5
    """ESCALATE_ENTRY: an escalate entry matched."""

    ALLOW_LIST = "ALLOW_LIST", 6
    """ALLOW_LIST: an allow entry or a grant matched."""

    ALLOW_TRIPWIRE = "ALLOW_TRIPWIRE", 7
    """ALLOW_TRIPWIRE: an allow entry or a grant matched, and the command was still rated."""

    RATER = "RATER", 8
    """RATER: the rating decided."""

    TOOL_OPEN_WORLD_FLOOR = "TOOL_OPEN_WORLD_FLOOR", 9
    """TOOL_OPEN_WORLD_FLOOR: the tool may reach parties outside."""

    UNRATED_RUNG = "UNRATED_RUNG", 10
    """UNRATED_RUNG: nothing matched, and at this rung nothing is rated."""


class Verdict(Vocabulary):
    """Verdict is what a human answers."""

    APPROVE = "APPROVE", 1
    """APPROVE lets an escalated call run."""

    REJECT = "REJECT", 2
    """REJECT refuses an escalated call."""

    RUN_ANYWAY = "RUN_ANYWAY", 3
    """RUN_ANYWAY lets the one halted command run and its run go on. Nothing is remembered."""

    STOP = "STOP", 4
    """STOP leaves the run halted."""
