-- Payments (docs/decisions/0044). Instant: the tables are new, columns have constant defaults, checks are validated later.

CREATE TABLE payments (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('checkout', 'auto')),
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 10000000 = 0),
  currency TEXT NOT NULL,
  livemode BOOLEAN NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('created', 'pending', 'failed', 'expired', 'cancelled', 'review', 'dismissed',
    'succeeded', 'partially_refunded', 'refunded', 'disputed')),
  provider_reference TEXT,
  intent_reference TEXT,
  checkout_url TEXT,
  success_url TEXT,
  cancel_url TEXT,
  failure_code TEXT,
  review_reason TEXT,
  credit_grant_id TEXT,
  receipt_number TEXT,
  refunded_nanos BIGINT NOT NULL DEFAULT 0 CHECK (refunded_nanos >= 0),
  withdrawn_nanos BIGINT NOT NULL DEFAULT 0 CHECK (withdrawn_nanos >= 0),
  reinstated_nanos BIGINT NOT NULL DEFAULT 0 CHECK (reinstated_nanos >= 0),
  clawed_back_nanos BIGINT NOT NULL DEFAULT 0 CHECK (clawed_back_nanos >= 0),
  owed_nanos BIGINT NOT NULL DEFAULT 0 CHECK (owed_nanos >= 0),
  written_off_nanos BIGINT NOT NULL DEFAULT 0 CHECK (written_off_nanos >= 0),
  owed_since TIMESTAMPTZ(3),
  idempotency_key TEXT,
  created_by_type TEXT NOT NULL,
  created_by_id TEXT,
  cancel_requested_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT payments_pkey PRIMARY KEY (id),
  CONSTRAINT payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- Credited: exactly those that have a grant and a receipt.
  CHECK ((state IN ('succeeded', 'partially_refunded', 'refunded', 'disputed')) = (credit_grant_id IS NOT NULL)),
  CHECK ((credit_grant_id IS NULL) = (receipt_number IS NULL)),
  CHECK (clawed_back_nanos + owed_nanos + written_off_nanos <= amount_nanos),
  CHECK ((owed_nanos > 0) = (owed_since IS NOT NULL))
);
CREATE INDEX payments_organization_id_id_idx ON payments (organization_id, id DESC);
CREATE UNIQUE INDEX payments_organization_id_idempotency_key_key ON payments (organization_id, idempotency_key);
CREATE UNIQUE INDEX payments_receipt_number_key ON payments (receipt_number);
CREATE INDEX payments_provider_reference_idx ON payments (provider_reference);
CREATE INDEX payments_intent_reference_idx ON payments (intent_reference);
CREATE INDEX payments_state_id_idx ON payments (state, id DESC);
-- What the workers have to do.
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payments_owed ON payments (organization_id) WHERE owed_nanos > 0;

CREATE TABLE payment_refunds (
  id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 10000000 = 0),
  state TEXT NOT NULL CHECK (state IN ('requested', 'made', 'refused')),
  reason TEXT NOT NULL,
  failure_code TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT payment_refunds_pkey PRIMARY KEY (id),
  CONSTRAINT payment_refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX payment_refunds_payment_id_idx ON payment_refunds (payment_id);

CREATE TABLE provider_events (
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  payment_id TEXT,
  provider_reference TEXT,
  intent_reference TEXT,
  result TEXT CHECK (result IN ('nudged', 'ignored')),
  received_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT provider_events_pkey PRIMARY KEY (id)
);
CREATE INDEX provider_events_waiting ON provider_events (received_at) WHERE result IS NULL;
CREATE INDEX provider_events_received_at_idx ON provider_events (received_at);

-- The last number given. Its row is locked until the receipt commits, so no number is skipped.
CREATE TABLE receipt_counters (
  livemode BOOLEAN NOT NULL,
  last_number BIGINT NOT NULL,
  CONSTRAINT receipt_counters_pkey PRIMARY KEY (livemode)
);
INSERT INTO receipt_counters VALUES (true, 0), (false, 0);

ALTER TABLE wallets ADD COLUMN owed_nanos BIGINT NOT NULL DEFAULT 0;
ALTER TABLE wallets ADD CONSTRAINT wallets_owed_nanos CHECK (owed_nanos >= 0) NOT VALID;

ALTER TABLE ledger_transfers ADD COLUMN payment_id TEXT;
ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_check1;
ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_check2;
ALTER TABLE ledger_transfers ADD CONSTRAINT ledger_transfers_subject CHECK (CASE kind
  WHEN 'credit_grant' THEN credit_grant_id IS NOT NULL AND request_id IS NULL AND payment_id IS NULL
  WHEN 'top_up' THEN credit_grant_id IS NOT NULL AND request_id IS NULL AND payment_id IS NOT NULL
  WHEN 'refund' THEN credit_grant_id IS NULL AND request_id IS NULL AND payment_id IS NOT NULL
  WHEN 'dispute' THEN credit_grant_id IS NULL AND request_id IS NULL AND payment_id IS NOT NULL
  WHEN 'charge' THEN request_id IS NOT NULL AND credit_grant_id IS NULL AND payment_id IS NULL
  WHEN 'overrun' THEN request_id IS NOT NULL AND credit_grant_id IS NULL AND payment_id IS NULL
  ELSE false END) NOT VALID;
-- Between which accounts each kind moves. What a wallet owes for too long is the platform's loss.
ALTER TABLE ledger_transfers ADD CONSTRAINT ledger_transfers_accounts CHECK (CASE kind
  WHEN 'credit_grant' THEN debit_account = 'platform:credit' AND credit_account = 'wallet:' || organization_id
  WHEN 'top_up' THEN debit_account = 'platform:cash' AND credit_account = 'wallet:' || organization_id
  WHEN 'charge' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
  WHEN 'overrun' THEN debit_account = 'platform:loss' AND credit_account = 'platform:revenue'
  ELSE kind IN ('refund', 'dispute')
    AND (debit_account = 'platform:cash' AND credit_account IN ('wallet:' || organization_id, 'platform:loss')
      OR credit_account = 'platform:cash' AND debit_account IN ('wallet:' || organization_id, 'platform:loss'))
  END) NOT VALID;

-- libs/persistence/sql/ledger/decide_holds.sql
-- Decides what each call of a batch holds, one after the other within an organization. Writes nothing. Its caller has locked the wallets.
--
-- One element for each call: what it holds (null: it is refused), the periods of budgets that the hold counts in, which budget refused it,
-- its warning. One element for each budget in a period: the budget, its row as it was, what is spent and reserved now, whether a call
-- reserved something, whether it refused a call.
CREATE OR REPLACE FUNCTION decide_holds(batch jsonb,
  OUT held bigint[], OUT budget_periods jsonb[], OUT refused_by int[], OUT warnings numeric[],
  OUT judged budgets[], OUT spends budget_spends[], OUT consumed bigint[], OUT grown boolean[], OUT refusing boolean[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call_count CONSTANT int := jsonb_array_length(batch);
  today CONSTANT text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  call record;
  organization text;
  available bigint;
  active budgets[];
  -- The periods that its budgets were judged for, and how many before had been judged for before.
  keys text[];
  before int;
  budget budgets;
  key text;
  at int;
  counting int[];
  verdict record;
  period_names jsonb[];
  periods jsonb;
BEGIN
  held := array_fill(NULL::bigint, ARRAY[call_count]);
  budget_periods := array_fill(NULL::jsonb, ARRAY[call_count]);
  refused_by := array_fill(NULL::int, ARRAY[call_count]);
  warnings := array_fill(NULL::numeric, ARRAY[call_count]);
  judged := '{}';
  FOR call IN
    SELECT b.organization_id, b.project_id, b.api_key_id, b.session_id, b.hold_min, b.hold_max, b.ordinal
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, project_id text, api_key_id text,
        session_id text, hold_min bigint, hold_max bigint))
      WITH ORDINALITY AS b (organization_id, project_id, api_key_id, session_id, hold_min, hold_max, ordinal)
    ORDER BY b.organization_id, b.ordinal
  LOOP
    IF organization IS DISTINCT FROM call.organization_id THEN
      organization := call.organization_id;
      -- What the wallet owes for refunds and disputes is no call's to hold.
      SELECT greatest(w.balance_nanos - w.held_nanos - w.owed_nanos, 0) INTO available FROM wallets w WHERE w.organization_id = organization;
      active := ARRAY(SELECT g FROM budgets g WHERE g.organization_id = organization AND g.enabled ORDER BY g.id);
      keys := '{}';
      before := cardinality(judged);
    END IF;
    CONTINUE WHEN available IS NULL;

    IF cardinality(active) = 0 THEN
      CONTINUE WHEN available < call.hold_min;
      held[call.ordinal] := least(call.hold_max, available);
    ELSE
      counting := '{}';
      FOREACH budget IN ARRAY active LOOP
        CONTINUE WHEN NOT budget_counts(budget, call.project_id, call.api_key_id, call.session_id);
        key := budget_period_key(budget, today, call.session_id);
        at := before + array_position(keys, budget.id || key);
        IF at IS NULL THEN
          keys := keys || (budget.id || key);
          at := before + cardinality(keys);
          judged[at] := budget;
          spends[at] := budget_spend_of(budget, key);
          consumed[at] := spends[at].spent_nanos + spends[at].reserved_nanos;
          period_names[at] := jsonb_build_object('budget_id', budget.id, 'period_key', key);
        END IF;
        counting := counting || at;
      END LOOP;
      verdict := evaluate_budgets(counting, judged, consumed, call.hold_min, call.hold_max, available);
      warnings[call.ordinal] := verdict.warning_bps;
      IF verdict.refused_by IS NOT NULL THEN
        refused_by[call.ordinal] := verdict.refused_by;
        refusing[verdict.refused_by] := true;
      END IF;
      CONTINUE WHEN verdict.held IS NULL;
      held[call.ordinal] := verdict.held;
      periods := '[]';
      FOREACH at IN ARRAY counting LOOP
        consumed[at] := consumed[at] + verdict.held;
        grown[at] := true;
        periods := periods || period_names[at];
      END LOOP;
      budget_periods[call.ordinal] := nullif(periods, '[]');
    END IF;
    available := available - held[call.ordinal];
  END LOOP;
END
$$;
