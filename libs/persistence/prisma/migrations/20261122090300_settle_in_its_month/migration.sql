-- The request log by months (docs/decisions/0013): a settlement looks up its call by its id, in the one partition that has it. The planner does not
-- know that it is one, and counts a lookup in each; and a month that was empty when a plan was made is not when the plan is used. So it would
-- rather read whole indexes in their order, or with a lookup's condition as a filter. A bitmap is only ever made of what a condition finds.
ALTER FUNCTION settle_requests(jsonb) SET enable_indexscan = off;
