-- One row: random bytes that hashes of this database are salted with.
-- +goose Up
CREATE TABLE salt (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    value BLOB NOT NULL CHECK (length(value) = 32)
) STRICT;
