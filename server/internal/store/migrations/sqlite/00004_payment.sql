-- One row for each payment that was ever claimed, by the SHA-256 of the message
-- that the payer signed. It says nothing of what was bought but hashes and counts.
--
--   claimed -> signed -> settled | failed | expired;  expired -> settled (late)
--
-- A row that was signed stays for ever, so that no payment is taken twice. Times
-- are milliseconds since 1970 by the database's clock, amounts the mint's units.
-- +goose Up
CREATE TABLE payment (
    message      BLOB PRIMARY KEY CHECK (length(message) = 32),
    ordered      BLOB CHECK (length(ordered) = 32),    -- hash of the order, if it had one
    identifier   BLOB CHECK (length(identifier) = 32), -- hash of x402's payment-identifier, if it had one
    request      BLOB NOT NULL CHECK (length(request) = 32), -- hash of the route and the body
    payer        TEXT NOT NULL CHECK (length(payer) BETWEEN 32 AND 44),
    route        TEXT NOT NULL CHECK (route IN ('/audit', '/drift')),
    network      TEXT NOT NULL,
    mint         TEXT NOT NULL,
    amount       INTEGER NOT NULL CHECK (amount > 0),
    last_valid   INTEGER NOT NULL CHECK (last_valid > 0), -- block height after which it can't land
    state        TEXT NOT NULL CHECK (state IN ('claimed', 'signed', 'settled', 'failed', 'expired')),
    late         INTEGER NOT NULL DEFAULT 0 CHECK (late = 0 OR (late = 1 AND state = 'settled')),
    owner        TEXT, -- the server that works on it, until leased
    leased       INTEGER NOT NULL DEFAULT 0,
    signature    TEXT UNIQUE, -- base58, the transaction's name on the chain
    txn          BLOB, -- as signed, until it is final
    document     BLOB CHECK (length(document) = 32), -- hash of what was fetched, in URL mode
    as_of        INTEGER,
    tools        INTEGER CHECK (tools >= 0),
    added        INTEGER CHECK (added >= 0),
    removed      INTEGER CHECK (removed >= 0),
    changed      INTEGER CHECK (changed >= 0),
    unchanged    INTEGER CHECK (unchanged >= 0),
    claimed_at   INTEGER NOT NULL,
    signed_at    INTEGER,
    absent_at    INTEGER, -- when the chain first did not know it and could not any more
    ended_at     INTEGER, -- when it failed or expired
    settled_at   INTEGER,
    final_at     INTEGER,
    checked_at   INTEGER NOT NULL DEFAULT 0, -- when the sweeper last asked for it
    reissued     INTEGER NOT NULL DEFAULT 0 CHECK (reissued >= 0),
    CHECK ((state = 'claimed') = (signature IS NULL)),
    CHECK ((signature IS NULL) = (as_of IS NULL) AND (signature IS NULL) = (tools IS NULL) AND (signature IS NULL) = (added IS NULL)
       AND (signature IS NULL) = (removed IS NULL) AND (signature IS NULL) = (changed IS NULL) AND (signature IS NULL) = (unchanged IS NULL)
       AND (signature IS NULL) = (signed_at IS NULL)),
    CHECK (state <> 'claimed' OR (txn IS NULL AND document IS NULL)),
    CHECK (state <> 'signed' OR txn IS NOT NULL),
    CHECK ((state = 'settled') = (settled_at IS NOT NULL)),
    CHECK (ended_at IS NOT NULL OR state NOT IN ('failed', 'expired')),
    CHECK (ended_at IS NULL OR state IN ('failed', 'expired') OR late = 1),
    CHECK (final_at IS NULL OR state = 'settled'),
    CHECK (reissued = 0 OR state = 'settled')
) STRICT;
CREATE UNIQUE INDEX payment_order ON payment (ordered)
    WHERE ordered IS NOT NULL AND state IN ('claimed', 'signed', 'settled') AND late = 0;
CREATE UNIQUE INDEX payment_identifier ON payment (payer, identifier)
    WHERE identifier IS NOT NULL AND state IN ('claimed', 'signed', 'settled') AND late = 0;
CREATE INDEX payment_open ON payment (checked_at) WHERE state IN ('claimed', 'signed', 'expired') OR (state = 'settled' AND txn IS NOT NULL);
-- +goose StatementBegin
CREATE TRIGGER payment_begins BEFORE INSERT ON payment
WHEN NEW.state <> 'claimed'
BEGIN SELECT RAISE(ABORT, 'payment: a row begins as claimed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER payment_moves BEFORE UPDATE ON payment
WHEN NEW.state <> OLD.state AND NOT (
        (OLD.state = 'claimed' AND NEW.state = 'signed')
        OR (OLD.state = 'signed' AND NEW.state IN ('settled', 'failed', 'expired') AND NEW.late = 0)
        OR (OLD.state = 'expired' AND NEW.state = 'settled' AND NEW.late = 1))
BEGIN SELECT RAISE(ABORT, 'payment: no such transition'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER payment_identity BEFORE UPDATE ON payment
WHEN NEW.message IS NOT OLD.message OR NEW.ordered IS NOT OLD.ordered OR NEW.identifier IS NOT OLD.identifier
    OR NEW.request IS NOT OLD.request OR NEW.payer IS NOT OLD.payer OR NEW.route IS NOT OLD.route
    OR NEW.network IS NOT OLD.network OR NEW.mint IS NOT OLD.mint OR NEW.amount IS NOT OLD.amount
    OR NEW.last_valid IS NOT OLD.last_valid OR NEW.claimed_at IS NOT OLD.claimed_at
BEGIN SELECT RAISE(ABORT, 'payment: what it is can not change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER payment_signed_once BEFORE UPDATE ON payment
WHEN OLD.state <> 'claimed' AND (
    NEW.signature IS NOT OLD.signature OR NEW.document IS NOT OLD.document OR NEW.as_of IS NOT OLD.as_of
    OR NEW.tools IS NOT OLD.tools OR NEW.added IS NOT OLD.added OR NEW.removed IS NOT OLD.removed
    OR NEW.changed IS NOT OLD.changed OR NEW.unchanged IS NOT OLD.unchanged OR NEW.signed_at IS NOT OLD.signed_at
    OR NEW.late < OLD.late OR NEW.reissued < OLD.reissued
    OR (NEW.txn IS NOT OLD.txn AND NEW.txn IS NOT NULL)
    OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at))
BEGIN SELECT RAISE(ABORT, 'payment: what was signed can not change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER payment_stays BEFORE DELETE ON payment
WHEN OLD.state <> 'claimed'
BEGIN SELECT RAISE(ABORT, 'payment: a row that was signed stays'); END;
-- +goose StatementEnd
