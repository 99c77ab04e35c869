-- Payments that were found on the chain after they had been given up: the buyer
-- may have paid again, so each is somebody's to look at. It is written by the
-- step from expired to settled.
-- +goose Up
CREATE TABLE refund (
    message   BYTEA PRIMARY KEY REFERENCES payment (message),
    signature TEXT NOT NULL,
    payer     TEXT NOT NULL,
    amount    BIGINT NOT NULL,
    found_at  BIGINT NOT NULL,
    done_at   BIGINT -- when somebody said that it is dealt with
);
-- +goose StatementBegin
CREATE FUNCTION payment_found_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'expired' AND NEW.state = 'settled' THEN
        INSERT INTO refund (message, signature, payer, amount, found_at)
    VALUES (NEW.message, NEW.signature, NEW.payer, NEW.amount, NEW.settled_at);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER payment_found_late AFTER UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION payment_found_late();
