-- What is true of the store as a whole. The id tells it from every other; cursors and page tokens are bound to it.
-- Retention believes in a time that the wall clock may be ahead of; NULL until it has run.
CREATE TABLE store (
    singleton   INTEGER PRIMARY KEY CHECK (singleton = 1),
    id          TEXT NOT NULL,
    believed_at INTEGER,
    doubted_for INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO store (singleton, id) VALUES (1, lower(hex(randomblob(16))));
CREATE INDEX sessions_by_closing ON sessions (closed_at) WHERE closed_at IS NOT NULL;
