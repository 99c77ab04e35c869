-- A settled payment that a fork undid, and that can't land any more: the report was
-- sold and nothing was received. The sale stays in the ledger, which is never changed.
-- +goose Up
ALTER TABLE payment ADD COLUMN undone_at INTEGER CHECK (undone_at IS NULL OR (state = 'settled' AND final_at IS NULL AND txn IS NULL));
-- +goose StatementBegin
CREATE TRIGGER payment_undone_once BEFORE UPDATE ON payment
WHEN OLD.undone_at IS NOT NULL AND NEW.undone_at IS NOT OLD.undone_at
BEGIN SELECT RAISE(ABORT, 'payment: what was undone stays so'); END;
-- +goose StatementEnd
