-- What was sold: the payer, the time, the price and the outcome counts, and
-- nothing else. It is written by the step from signed to settled and by nothing
-- but that step, in its own statement, and never changed.
-- +goose Up
CREATE TABLE ledger (
    payer     TEXT NOT NULL,
    time      BIGINT NOT NULL,
    amount    BIGINT NOT NULL CHECK (amount > 0),
    tools     BIGINT NOT NULL,
    added     BIGINT NOT NULL,
    removed   BIGINT NOT NULL,
    changed   BIGINT NOT NULL,
    unchanged BIGINT NOT NULL
);
CREATE INDEX ledger_time ON ledger (time);
-- +goose StatementBegin
CREATE FUNCTION payment_sold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'signed' AND NEW.state = 'settled' THEN
        INSERT INTO ledger (payer, time, amount, tools, added, removed, changed, unchanged)
    VALUES (NEW.payer, NEW.settled_at, NEW.amount, NEW.tools, NEW.added, NEW.removed, NEW.changed, NEW.unchanged);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER payment_sold AFTER UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION payment_sold();
-- +goose StatementBegin
CREATE FUNCTION ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        RAISE EXCEPTION 'ledger: it is never changed';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM payment WHERE payer = NEW.payer AND settled_at = NEW.time AND amount = NEW.amount AND late = 0) THEN
        RAISE EXCEPTION 'ledger: there is no such sale';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER ledger_guard BEFORE INSERT OR UPDATE OR DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_guard();
