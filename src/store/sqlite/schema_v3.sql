-- How far each receiver of notifications has come in the feed.
CREATE TABLE deliveries (
    receiver  TEXT NOT NULL PRIMARY KEY,
    position  INTEGER NOT NULL,
    delivered INTEGER NOT NULL,
    given_up  INTEGER NOT NULL
) STRICT;
