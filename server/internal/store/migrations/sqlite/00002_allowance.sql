-- The free pre-checks of a wallet. Times are milliseconds since 1970, days are
-- UTC days since then; the wallet is kept as a salted hash.
-- +goose Up
CREATE TABLE allowance (
    wallet   BLOB   PRIMARY KEY CHECK (length(wallet) = 32),
    day      INTEGER NOT NULL,
    used     INTEGER NOT NULL CHECK (used >= 0),
    taken_at INTEGER NOT NULL,
    previous INTEGER NOT NULL -- taken_at of the one before, for giving back
) STRICT;
CREATE INDEX allowance_day ON allowance (day);
