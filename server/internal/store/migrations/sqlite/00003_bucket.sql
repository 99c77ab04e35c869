-- Requests of an address, as a bucket that leaks: empty_at is when it will be
-- empty again. The address is kept as a salted hash, and only until then.
-- +goose Up
CREATE TABLE bucket (
    address  BLOB   PRIMARY KEY CHECK (length(address) = 32),
    empty_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bucket_empty_at ON bucket (empty_at);
