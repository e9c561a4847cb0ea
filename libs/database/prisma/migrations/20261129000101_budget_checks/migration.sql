ALTER TABLE budgets
  VALIDATE CONSTRAINT budgets_scope_check,
  VALIDATE CONSTRAINT budgets_period_check,
  VALIDATE CONSTRAINT budgets_project_check,
  VALIDATE CONSTRAINT budgets_override_check;
