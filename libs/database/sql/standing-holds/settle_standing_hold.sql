-- Ends a standing hold once: frees it, charges at most what was held, books the rest as the platform's loss, counts the charge as usage of
-- the day on which it was held, without a request. Provider_nanos: what the organization's own account at the provider pays besides. Its
-- budgets have spent both, at most what they held, or have it free again. Null: nothing was open, and
-- nothing changed. Otherwise what was charged. Locks the wallet.
CREATE OR REPLACE FUNCTION settle_standing_hold(hold_id text, cost_nanos bigint, provider_nanos bigint, charge_id text, overrun_id text) RETURNS bigint
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ended standing_holds;
  charged bigint;
  reserved bigint;
  counted bigint;
BEGIN
  PERFORM lock_wallets(ARRAY(SELECT h.organization_id FROM standing_holds h WHERE h.id = settle_standing_hold.hold_id), true);
  UPDATE standing_holds h SET settled_at = now()
  WHERE h.id = settle_standing_hold.hold_id AND h.settled_at IS NULL
  RETURNING h.* INTO ended;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  charged := least(settle_standing_hold.cost_nanos, ended.held_nanos);
  reserved := coalesce(ended.budget_held_nanos, ended.held_nanos);
  counted := least(charged + settle_standing_hold.provider_nanos, reserved);

  UPDATE wallets w SET balance_nanos = w.balance_nanos - charged, held_nanos = w.held_nanos - ended.held_nanos
  WHERE w.organization_id = ended.organization_id;

  UPDATE budget_spends s SET
    -- Never an obstacle to the charge: a reservation that is not there is not freed.
    reserved_nanos = greatest(s.reserved_nanos - reserved, 0),
    spent_nanos = s.spent_nanos + counted, review_due = true, updated_at = now()
  FROM jsonb_to_recordset(ended.budget_periods) AS p (budget_id text, period_key text)
  WHERE s.budget_id = p.budget_id AND s.period_key = p.period_key;

  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, hold_id)
  SELECT b.id, ended.organization_id, b.debit_account, 'platform:revenue', b.nanos, b.kind, ended.id
  FROM (VALUES
    (settle_standing_hold.charge_id, 'wallet:' || ended.organization_id, charged, ended.kind),
    (settle_standing_hold.overrun_id, 'platform:loss', settle_standing_hold.cost_nanos - charged, 'overrun')
  ) AS b (id, debit_account, nanos, kind)
  WHERE b.nanos > 0;

  INSERT INTO usage_days AS u (organization_id, day, project_id, api_key_id, model, provider, tag, request_count,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos,
    provider_nanos, uncounted_nanos)
  SELECT ended.organization_id, (ended.created_at AT TIME ZONE 'UTC')::date, ended.project_id, ended.api_key_id, ended.model,
    ended.provider, '', 0, 0, 0, 0, 0, 0, charged,
    settle_standing_hold.provider_nanos, charged + settle_standing_hold.provider_nanos - counted
  WHERE charged + settle_standing_hold.provider_nanos > 0
  ON CONFLICT (organization_id, day, project_id, api_key_id, model, provider, tag) DO UPDATE SET
    customer_nanos = u.customer_nanos + excluded.customer_nanos,
    provider_nanos = u.provider_nanos + excluded.provider_nanos,
    uncounted_nanos = u.uncounted_nanos + excluded.uncounted_nanos;
  RETURN charged;
END
$$;
