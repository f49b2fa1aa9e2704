-- Schema version 1 with a row of every kind. Frozen: it stands for files that are out there.
BEGIN;
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

CREATE TABLE feed (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    question TEXT NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
    status   TEXT NOT NULL
) STRICT;
CREATE INDEX feed_of_question ON feed (question);

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

CREATE TABLE probe (
    filler BLOB NOT NULL
) STRICT;

PRAGMA application_id = 0x68616c74;
PRAGMA user_version = 1;
INSERT INTO sessions VALUES ('shop', 's', 3, 10, 20, NULL, 'assisted', '{}', '{}');
INSERT INTO grants VALUES (1, 'shop', NULL, 'g', '{}', NULL, 'always', 100, 'ada', NULL, NULL, NULL, 0, NULL);
INSERT INTO denials VALUES (1, 'shop', 's', 'd', '{}', 100, 'ada', NULL);
INSERT INTO questions VALUES ('e', 'escalation', 'shop', 's', 'r', 'q', 'answered', 50, 70, '{}', '"yes"');
INSERT INTO questions VALUES ('h', 'halt', 'shop', 's', 'r', 'q2', 'open', 60, NULL, '{}', NULL);
INSERT INTO feed VALUES (1, 'e', 'open'), (2, 'h', 'open'), (3, 'e', 'answered');
INSERT INTO requests VALUES ('shop', 's', 'q', 'f', 'r-1', '{}', 'decided', 70);
INSERT INTO records VALUES
    ('shop', 1, 'r-1', 1000, 'decision', 's', NULL, 'APPROVE', 'RATER', x'5c35b4210608f0cbe7aaf4c631c4ab09c681a64592c68ca378327817ab3835db',
     x'72e4d52a9b20f3ab8be888d870bc5091fc50f908ad5e587b3ae6eb069704e708', 'git status', '{}'),
    ('shop', 2, 'r-2', 1000, 'decision', 's', NULL, 'APPROVE', 'RATER', x'72e4d52a9b20f3ab8be888d870bc5091fc50f908ad5e587b3ae6eb069704e708',
     x'413511d91caa8cf3e2191f7f87b72d652bbb2fcb4b18630435ae076f6c2778df', 'git status', '{}');
INSERT INTO chain_heads VALUES ('shop', 2, x'413511d91caa8cf3e2191f7f87b72d652bbb2fcb4b18630435ae076f6c2778df');
COMMIT;
