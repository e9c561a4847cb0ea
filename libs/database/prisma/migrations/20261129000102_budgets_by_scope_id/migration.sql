-- A call reads only the budgets that can count it.
CREATE INDEX CONCURRENTLY budgets_organization_id_scope_id_project_id_idx ON budgets (organization_id, scope_id, project_id);
