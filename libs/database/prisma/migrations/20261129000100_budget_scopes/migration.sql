-- Budgets of members, models and end users, narrowed to a project, with an override. A scope_id of * gives each its own amount.
ALTER TABLE budgets
  ADD COLUMN project_id TEXT NOT NULL DEFAULT '',
  ADD COLUMN override_amount_nanos BIGINT,
  ADD COLUMN override_until TIMESTAMPTZ(3),
  ADD COLUMN override_reason TEXT,
  DROP CONSTRAINT budgets_scope_check,
  ADD CONSTRAINT budgets_scope_check CHECK (scope IN ('organization', 'project', 'api_key', 'member', 'model', 'end_user')) NOT VALID,
  DROP CONSTRAINT budgets_period_check,
  ADD CONSTRAINT budgets_period_check CHECK (period IN ('day', 'week', 'month', 'quarter', 'session')) NOT VALID,
  ADD CONSTRAINT budgets_project_check CHECK (project_id = '' OR scope IN ('member', 'model', 'end_user')) NOT VALID,
  ADD CONSTRAINT budgets_override_check CHECK ((override_until IS NULL) = (override_amount_nanos IS NULL)
    AND (override_until IS NULL) = (override_reason IS NULL)
    AND (override_amount_nanos IS NULL OR override_amount_nanos BETWEEN 0 AND 9007199254740991)) NOT VALID;

-- Whose amount a row of a * budget is. Its period_key is the period, a space, and the subject.
ALTER TABLE budget_spends ADD COLUMN subject TEXT;

-- How many events a * budget recorded in an hour: one row for each type of event.
CREATE TABLE budget_event_hours (
  budget_id TEXT NOT NULL REFERENCES budgets (id) ON UPDATE CASCADE ON DELETE CASCADE,
  type TEXT NOT NULL,
  hour TIMESTAMPTZ(0) NOT NULL,
  recorded INTEGER NOT NULL,
  PRIMARY KEY (budget_id, type)
);
