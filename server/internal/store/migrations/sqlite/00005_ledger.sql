-- What was sold: the payer, the time, the price and the outcome counts, and
-- nothing else. It is written by the step from signed to settled and by nothing
-- but that step, in its own statement, and never changed.
-- +goose Up
CREATE TABLE ledger (
    payer     TEXT NOT NULL,
    time      INTEGER NOT NULL,
    amount    INTEGER NOT NULL CHECK (amount > 0),
    tools     INTEGER NOT NULL,
    added     INTEGER NOT NULL,
    removed   INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    unchanged INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_time ON ledger (time);
-- +goose StatementBegin
CREATE TRIGGER payment_sold AFTER UPDATE ON payment
WHEN OLD.state = 'signed' AND NEW.state = 'settled'
BEGIN
    INSERT INTO ledger (payer, time, amount, tools, added, removed, changed, unchanged)
    VALUES (NEW.payer, NEW.settled_at, NEW.amount, NEW.tools, NEW.added, NEW.removed, NEW.changed, NEW.unchanged);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_begins BEFORE INSERT ON ledger
WHEN NOT EXISTS (SELECT 1 FROM payment WHERE payer = NEW.payer AND settled_at = NEW.time AND amount = NEW.amount AND late = 0)
BEGIN
    SELECT RAISE(ABORT, 'ledger: there is no such sale');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_stays_as_it_is BEFORE UPDATE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'ledger: it is never changed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_stays BEFORE DELETE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'ledger: it is never changed');
END;
-- +goose StatementEnd
