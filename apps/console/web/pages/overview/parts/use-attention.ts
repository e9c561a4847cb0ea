import { useRead } from '../../../api/use-api';
import { standingOf } from '../../../calls/budget-standing';
import { useBudgetPressure } from '../../../calls/use-budget-pressure';
import { visibleText } from '../../../format/visible-text';
import { useCan } from '../../../session/organization';
import { text } from './text';

const LISTED = 100;
const ALERTS_EVERY_MS = 60_000;
/** As the banner of the other pages has them. */
const INCIDENTS = 3;
const INCIDENTS_EVERY_MS = 2 * 60_000;
const words = text.attention;

/** Something that somebody should look at, and the page that shows it. */
export interface AttentionItem {
  readonly key: string;
  readonly says: string;
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
  /** The action that mends it, at an address of its own. */
  readonly action?: Omit<AttentionItem, 'key' | 'action'>;
}
/** Null until it is read. */
type Items = readonly AttentionItem[] | null;

/** Things that need attention, the most urgent first. Nothing until all of it is read, so that the page moves once. */
export function useAttention(): readonly AttentionItem[] {
  const blocking = useBlockingBudgets();
  const lists = [
    useIncidents(),
    blocking,
    useFiringAlerts(),
    useEndpoints('disabled', words.disabled),
    useEndpoints('failing', words.failing),
    useRefusals((blocking ?? []).length > 0),
  ];
  return lists.includes(null) ? [] : lists.flatMap((items) => items ?? []);
}

function useIncidents(): Items {
  const query = { state: 'open', limit: INCIDENTS } as const;
  const options = { enabled: useCan('org:read'), everyMs: INCIDENTS_EVERY_MS };
  const { data, isLoading } = useRead('/incidents', { params: { query } }, options);
  if (isLoading) return null;
  return (data?.data ?? []).map(({ id, title }) => ({
    key: id,
    says: words.incident(visibleText(title)),
    to: '/incidents/$incidentId',
    params: { incidentId: id },
  }));
}

function useFiringAlerts(): Items {
  const query = { state: 'firing' as const, limit: LISTED };
  const options = { enabled: useCan('alert:read'), everyMs: ALERTS_EVERY_MS };
  const { data, isLoading } = useRead('/alerts', { params: { query } }, options);
  if (isLoading) return null;
  if (data === undefined || data.data.length === 0) return [];
  const says = words.firing(data.data.length, data.has_more);
  return [{ key: 'alerts', says, to: '/alerts', search: { state: 'firing' } }];
}

function useBlockingBudgets(): Items {
  const query = { enabled: 'true' as const, limit: LISTED };
  const { data, isLoading } = useRead('/budgets', { params: { query } }, { enabled: useCan('budget:read') });
  const pressureOf = useBudgetPressure({ withHolds: false });
  const canWrite = useCan('budget:write');
  if (isLoading) return null;
  return (data?.data ?? [])
    .filter((budget) => standingOf(budget, pressureOf(budget)) === 'blocking')
    .map(({ id, name }) => {
      const page = { to: '/budgets/$budgetId', params: { budgetId: id } };
      const action = { ...page, says: words.raise, search: { edit: 'true' } };
      return { ...page, key: id, says: words.blocks(visibleText(name)), ...(canWrite && { action }) };
    });
}

function useEndpoints(state: 'failing' | 'disabled', saying: (count: number) => string): Items {
  const query = { state, limit: LISTED };
  const options = { enabled: useCan('webhook:write') };
  const { data, isLoading } = useRead('/webhooks', { params: { query } }, options);
  if (isLoading) return null;
  if (data === undefined || data.data.length === 0) return [];
  const [only, ...others] = data.data;
  const page =
    only !== undefined && others.length === 0
      ? { to: '/webhooks/$endpointId', params: { endpointId: only.id } }
      : { to: '/webhooks', search: { state } };
  return [{ ...page, key: state, says: saying(data.data.length) }];
}

/** Calls of the last 24 hours. What a budget refused is told by the budget, where one is listed. */
function useRefusals(isBudgetListed: boolean): Items {
  const { data, isLoading } = useRead(
    '/usage/refusals',
    { params: { query: { group_by: 'code' } } },
    { enabled: useCan('usage:read') },
  );
  if (isLoading) return null;
  const count = (data?.data ?? [])
    .filter(({ code }) => !(isBudgetListed && code === 'budget_exceeded'))
    .reduce((sum, refused) => sum + refused.count, 0);
  return count === 0 ? [] : [{ key: 'refusals', says: words.refused(count), to: '/refusals' }];
}
