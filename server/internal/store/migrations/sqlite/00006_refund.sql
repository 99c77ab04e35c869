-- Payments that were found on the chain after they had been given up: the buyer
-- may have paid again, so each is somebody's to look at. It is written by the
-- step from expired to settled.
-- +goose Up
CREATE TABLE refund (
    message   BLOB PRIMARY KEY REFERENCES payment (message),
    signature TEXT NOT NULL,
    payer     TEXT NOT NULL,
    amount    INTEGER NOT NULL,
    found_at  INTEGER NOT NULL,
    done_at   INTEGER -- when somebody said that it is dealt with
) STRICT;
-- +goose StatementBegin
CREATE TRIGGER payment_found_late AFTER UPDATE ON payment
WHEN OLD.state = 'expired' AND NEW.state = 'settled'
BEGIN
    INSERT INTO refund (message, signature, payer, amount, found_at)
    VALUES (NEW.message, NEW.signature, NEW.payer, NEW.amount, NEW.settled_at);
END;
-- +goose StatementEnd
