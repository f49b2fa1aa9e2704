-- Retention: where a chain starts once its oldest records were dropped, and how far the feed was cut.
ALTER TABLE chain_heads ADD COLUMN base_sequence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chain_heads ADD COLUMN base_hash BLOB;
CREATE TABLE feed_floor (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    sequence  INTEGER NOT NULL
) STRICT;
INSERT INTO feed_floor VALUES (1, 0);
CREATE INDEX questions_settled ON questions (project, resolved_at) WHERE status <> 'open';
CREATE INDEX requests_by_age ON requests (project, updated_at);
