-- Only an organization that has one of these looks up the member of a key.
CREATE INDEX CONCURRENTLY budgets_of_members ON budgets (organization_id) WHERE scope = 'member';
