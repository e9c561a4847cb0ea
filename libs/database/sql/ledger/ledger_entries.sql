-- Two entries of each transfer, signed: an account's balance is the sum of its entries, and all sum to zero.
CREATE OR REPLACE VIEW ledger_entries AS
  SELECT id AS transfer_id, organization_id, debit_account AS account, -amount_nanos AS amount_nanos, created_at
    FROM ledger_transfers
  UNION ALL
  SELECT id, organization_id, credit_account, amount_nanos, created_at
    FROM ledger_transfers;
