CREATE TABLE sessions (
    project    TEXT NOT NULL,
    session    TEXT NOT NULL CHECK (session <> ''),
    version    INTEGER NOT NULL,
    opened_at  INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    closed_at  INTEGER,
    rung       TEXT NOT NULL,
    labels     TEXT NOT NULL,
    state      TEXT NOT NULL,
    PRIMARY KEY (project, session)
) STRICT;
CREATE INDEX sessions_by_opening ON sessions (opened_at, project, session);
CREATE INDEX sessions_of_project ON sessions (project, opened_at, session);

-- A session of NULL holds for the whole project.
CREATE TABLE grants (
    id           INTEGER PRIMARY KEY,
    project      TEXT NOT NULL,
    session      TEXT CHECK (session <> ''),
    identity     TEXT NOT NULL,
    entry        TEXT NOT NULL,
    annotations  TEXT,
    scope        TEXT NOT NULL,
    granted_at   INTEGER NOT NULL,
    granted_by   TEXT,
    note         TEXT,
    expires_at   INTEGER,
    max_uses     INTEGER,
    uses         INTEGER NOT NULL,
    last_used_at INTEGER,
    FOREIGN KEY (project, session) REFERENCES sessions (project, session) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX grants_by_identity ON grants (project, ifnull(session, ''), identity);
CREATE INDEX grants_of_session ON grants (project, session);

CREATE TABLE denials (
    id        INTEGER PRIMARY KEY,
    project   TEXT NOT NULL,
    session   TEXT NOT NULL,
    identity  TEXT NOT NULL,
    entry     TEXT NOT NULL,
    denied_at INTEGER NOT NULL,
    denied_by TEXT,
    note      TEXT,
    UNIQUE (project, session, identity),
    FOREIGN KEY (project, session) REFERENCES sessions (project, session) ON DELETE CASCADE
) STRICT;

-- Escalations and attack halts. They outlive their session.
CREATE TABLE questions (
    id          TEXT NOT NULL PRIMARY KEY,
    kind        TEXT NOT NULL CHECK (kind IN ('escalation', 'halt')),
    project     TEXT NOT NULL,
    session     TEXT NOT NULL,
    run         TEXT,
    request_id  TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('open', 'answered', 'withdrawn', 'expired')),
    raised_at   INTEGER NOT NULL,
    resolved_at INTEGER,
    body        TEXT NOT NULL,
    answer      TEXT
) STRICT;
CREATE INDEX questions_open ON questions (kind, project, session, raised_at) WHERE status = 'open';
CREATE INDEX questions_of_request ON questions (project, session, request_id);

-- AUTOINCREMENT: a sequence that was handed out is never used again, even after retention emptied the table.
CREATE TABLE feed (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    question TEXT NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
    status   TEXT NOT NULL
) STRICT;
CREATE INDEX feed_of_question ON feed (question);

-- The session is empty for a request that concerns the project alone.
CREATE TABLE requests (
    project     TEXT NOT NULL,
    session     TEXT NOT NULL,
    request_id  TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    decision    TEXT NOT NULL,
    response    TEXT NOT NULL,
    state       TEXT NOT NULL,
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (project, session, request_id)
) STRICT;

-- The body comes last so that scans over the columns before it need not read its overflow pages.
CREATE TABLE records (
    project       TEXT NOT NULL,
    sequence      INTEGER NOT NULL,
    id            TEXT NOT NULL UNIQUE,
    at            INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    session       TEXT,
    run           TEXT,
    action        TEXT,
    stage         TEXT,
    previous_hash BLOB NOT NULL,
    hash          BLOB NOT NULL,
    text          TEXT NOT NULL,
    body          TEXT NOT NULL,
    PRIMARY KEY (project, sequence)
) STRICT;
CREATE INDEX records_of_session ON records (project, session, sequence) WHERE session IS NOT NULL;
CREATE INDEX records_by_action ON records (project, action, sequence) WHERE action IS NOT NULL;
CREATE INDEX records_by_kind ON records (project, kind, sequence);

CREATE TABLE chain_heads (
    project  TEXT NOT NULL PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash     BLOB NOT NULL
) STRICT;

-- Written and emptied again to find out whether writes succeed after a failure.
CREATE TABLE probe (
    filler BLOB NOT NULL
) STRICT;
