-- Who cost us the fee of a transaction that failed on the chain. A payer or an
-- address stands here as a salted hash, and is forgotten after a while.
-- +goose Up
CREATE TABLE strike (
    who     BLOB PRIMARY KEY CHECK (length(who) = 32),
    strikes INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT;
