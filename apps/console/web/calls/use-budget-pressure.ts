import { useRead } from '../api/use-api';
import { useCan } from '../session/organization';
import { NO_PRESSURE, pressureOn, type Budget, type BudgetPressure } from './budget-standing';

const NEWEST = 100;
/** Overview polls alerts as well: a tab that nobody uses makes one call in 30 s. */
const REFUSALS_EVERY_MS = 60_000;

/**
 * Facts that recent calls give about each budget, in two calls for all of them; nothing where the role may not see calls.
 * Without `withHolds` the requests are not read, and no usual hold is known.
 */
export function useBudgetPressure({ withHolds = true } = {}): (budget: Budget) => BudgetPressure {
  const enabled = useCan('usage:read');
  const refusals = useRead(
    '/usage/refusals',
    { params: { query: { group_by: 'api_key', code: 'budget_exceeded' } } },
    { enabled, everyMs: REFUSALS_EVERY_MS },
  );
  const calls = useRead(
    '/requests',
    { params: { query: { limit: NEWEST } } },
    { enabled: enabled && withHolds },
  );
  if (!enabled) return () => NO_PRESSURE;
  return (budget) => pressureOn(budget, refusals.data?.data ?? [], calls.data?.data ?? []);
}
