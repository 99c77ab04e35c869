-- A settled payment that a fork undid, and that can't land any more: the report was
-- sold and nothing was received. The sale stays in the ledger, which is never changed.
-- +goose Up
ALTER TABLE payment ADD COLUMN undone_at BIGINT CHECK (undone_at IS NULL OR (state = 'settled' AND final_at IS NULL AND txn IS NULL));
-- +goose StatementBegin
CREATE FUNCTION payment_undone_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.undone_at IS NOT NULL AND NEW.undone_at IS DISTINCT FROM OLD.undone_at THEN
        RAISE EXCEPTION 'payment: what was undone stays so';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER payment_undone_once BEFORE UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION payment_undone_once();
