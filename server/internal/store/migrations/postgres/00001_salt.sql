-- One row: random bytes that hashes of this database are salted with.
-- +goose Up
CREATE TABLE salt (
    id    BIGINT PRIMARY KEY CHECK (id = 1),
    value BYTEA NOT NULL CHECK (length(value) = 32)
);
