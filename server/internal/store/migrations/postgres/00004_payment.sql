-- One row for each payment that was ever claimed, by the SHA-256 of the message
-- that the payer signed. It says nothing of what was bought but hashes and counts.
--
--   claimed -> signed -> settled | failed | expired;  expired -> settled (late)
--
-- A row that was signed stays for ever, so that no payment is taken twice. Times
-- are milliseconds since 1970 by the database's clock, amounts the mint's units.
-- +goose Up
CREATE TABLE payment (
    message      BYTEA PRIMARY KEY CHECK (length(message) = 32),
    ordered      BYTEA CHECK (length(ordered) = 32),    -- hash of the order, if it had one
    identifier   BYTEA CHECK (length(identifier) = 32), -- hash of x402's payment-identifier, if it had one
    request      BYTEA NOT NULL CHECK (length(request) = 32), -- hash of the route and the body
    payer        TEXT NOT NULL CHECK (length(payer) BETWEEN 32 AND 44),
    route        TEXT NOT NULL CHECK (route IN ('/audit', '/drift')),
    network      TEXT NOT NULL,
    mint         TEXT NOT NULL,
    amount       BIGINT NOT NULL CHECK (amount > 0),
    last_valid   BIGINT NOT NULL CHECK (last_valid > 0), -- block height after which it can't land
    state        TEXT NOT NULL CHECK (state IN ('claimed', 'signed', 'settled', 'failed', 'expired')),
    late         BIGINT NOT NULL DEFAULT 0 CHECK (late = 0 OR (late = 1 AND state = 'settled')),
    owner        TEXT, -- the server that works on it, until leased
    leased       BIGINT NOT NULL DEFAULT 0,
    signature    TEXT UNIQUE, -- base58, the transaction's name on the chain
    txn          BYTEA, -- as signed, until it is final
    document     BYTEA CHECK (length(document) = 32), -- hash of what was fetched, in URL mode
    as_of        BIGINT,
    tools        BIGINT CHECK (tools >= 0),
    added        BIGINT CHECK (added >= 0),
    removed      BIGINT CHECK (removed >= 0),
    changed      BIGINT CHECK (changed >= 0),
    unchanged    BIGINT CHECK (unchanged >= 0),
    claimed_at   BIGINT NOT NULL,
    signed_at    BIGINT,
    absent_at    BIGINT, -- when the chain first did not know it and could not any more
    ended_at     BIGINT, -- when it failed or expired
    settled_at   BIGINT,
    final_at     BIGINT,
    checked_at   BIGINT NOT NULL DEFAULT 0, -- when the sweeper last asked for it
    reissued     BIGINT NOT NULL DEFAULT 0 CHECK (reissued >= 0),
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
);
CREATE UNIQUE INDEX payment_order ON payment (ordered)
    WHERE ordered IS NOT NULL AND state IN ('claimed', 'signed', 'settled') AND late = 0;
CREATE UNIQUE INDEX payment_identifier ON payment (payer, identifier)
    WHERE identifier IS NOT NULL AND state IN ('claimed', 'signed', 'settled') AND late = 0;
CREATE INDEX payment_open ON payment (checked_at) WHERE state IN ('claimed', 'signed', 'expired') OR (state = 'settled' AND txn IS NOT NULL);
-- +goose StatementBegin
CREATE FUNCTION payment_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'claimed' THEN
            RAISE EXCEPTION 'payment: a row begins as claimed';
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' THEN
        IF OLD.state <> 'claimed' THEN
            RAISE EXCEPTION 'payment: a row that was signed stays';
        END IF;
        RETURN OLD;
    END IF;
    IF NEW.state <> OLD.state AND NOT (
        (OLD.state = 'claimed' AND NEW.state = 'signed')
        OR (OLD.state = 'signed' AND NEW.state IN ('settled', 'failed', 'expired') AND NEW.late = 0)
        OR (OLD.state = 'expired' AND NEW.state = 'settled' AND NEW.late = 1)) THEN
        RAISE EXCEPTION 'payment: no such transition';
    END IF;
    IF NEW.message IS DISTINCT FROM OLD.message OR NEW.ordered IS DISTINCT FROM OLD.ordered
        OR NEW.identifier IS DISTINCT FROM OLD.identifier OR NEW.request IS DISTINCT FROM OLD.request
        OR NEW.payer IS DISTINCT FROM OLD.payer OR NEW.route IS DISTINCT FROM OLD.route
        OR NEW.network IS DISTINCT FROM OLD.network OR NEW.mint IS DISTINCT FROM OLD.mint
        OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.last_valid IS DISTINCT FROM OLD.last_valid
        OR NEW.claimed_at IS DISTINCT FROM OLD.claimed_at THEN
        RAISE EXCEPTION 'payment: what it is can not change';
    END IF;
    IF OLD.state <> 'claimed' AND (
        NEW.signature IS DISTINCT FROM OLD.signature OR NEW.document IS DISTINCT FROM OLD.document
        OR NEW.as_of IS DISTINCT FROM OLD.as_of OR NEW.tools IS DISTINCT FROM OLD.tools
        OR NEW.added IS DISTINCT FROM OLD.added OR NEW.removed IS DISTINCT FROM OLD.removed
        OR NEW.changed IS DISTINCT FROM OLD.changed OR NEW.unchanged IS DISTINCT FROM OLD.unchanged
        OR NEW.signed_at IS DISTINCT FROM OLD.signed_at
        OR NEW.late < OLD.late OR NEW.reissued < OLD.reissued
        OR (NEW.txn IS DISTINCT FROM OLD.txn AND NEW.txn IS NOT NULL)
        OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS DISTINCT FROM OLD.settled_at)) THEN
        RAISE EXCEPTION 'payment: what was signed can not change';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER payment_guard BEFORE INSERT OR UPDATE OR DELETE ON payment FOR EACH ROW EXECUTE FUNCTION payment_guard();
