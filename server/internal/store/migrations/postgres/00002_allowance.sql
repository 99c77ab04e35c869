-- The free pre-checks of a wallet. Times are milliseconds since 1970, days are
-- UTC days since then; the wallet is kept as a salted hash.
-- +goose Up
CREATE TABLE allowance (
    wallet   BYTEA   PRIMARY KEY CHECK (length(wallet) = 32),
    day      BIGINT NOT NULL,
    used     BIGINT NOT NULL CHECK (used >= 0),
    taken_at BIGINT NOT NULL,
    previous BIGINT NOT NULL -- taken_at of the one before, for giving back
);
CREATE INDEX allowance_day ON allowance (day);
