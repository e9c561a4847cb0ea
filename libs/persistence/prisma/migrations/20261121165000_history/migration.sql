-- A page of a history is one range of these, compared as pairs (libs/persistence/src/history), and pairs need both
-- columns in one direction.
DROP INDEX request_records_organization_id_id_idx;
CREATE INDEX request_records_organization_id_id_idx ON request_records (organization_id, id);
DROP INDEX ledger_transfers_organization_id_id_idx;
CREATE INDEX ledger_transfers_organization_id_id_idx ON ledger_transfers (organization_id, id);
DROP INDEX audit_entries_organization_id_id_idx;
CREATE INDEX audit_entries_organization_id_id_idx ON audit_entries (organization_id, id);

-- Between which accounts each kind moves: a wallet's transactions are its credit and its charges, and nothing else.
ALTER TABLE ledger_transfers ADD CHECK (CASE kind
  WHEN 'credit_grant' THEN debit_account = 'platform:credit' AND credit_account = 'wallet:' || organization_id
  WHEN 'charge' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
  WHEN 'overrun' THEN debit_account = 'platform:loss' AND credit_account = 'platform:revenue'
  ELSE false END);

-- What JSON can say (contract.md section 2).
ALTER TABLE wallets ADD CHECK (balance_nanos <= 9007199254740991);

-- The platform loses nothing by a call whose hold was not used up.
ALTER TABLE request_records ADD CHECK (overrun_nanos = 0 OR customer_nanos = held_nanos);

-- What is booked, granted or done stays as it was written.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_grants
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
