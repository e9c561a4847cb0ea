import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { Note } from '../../ui/states/notes';
import { reachedIn, type Budget, type BudgetPeriod } from './budget';
import { amountOf, scopeIdOf, type BudgetDraft } from './draft';
import { text } from './text';

const MONTHS = 6;
const DAYS = 30;
const DAY_MS = 86_400_000;

/** What the budget, as it is typed, would have done in the periods that are over. */
export function WouldHave(props: {
  readonly draft: BudgetDraft;
  readonly changed?: Budget;
}): ReactElement | null {
  const { draft, changed } = props;
  const canReadUsage = useCan('usage:read');
  if (draft.period === 'session' || amountOf(draft) === null) return null;
  if (changed !== undefined) return <OfPeriods draft={draft} id={changed.id} />;
  const isChosen = draft.scope === 'organization' || scopeIdOf(draft) !== null;
  if (!canReadUsage || !isChosen) return null;
  return draft.period === 'day' ? <OfDays draft={draft} /> : <OfMonths draft={draft} />;
}

function OfPeriods({ draft, id }: { readonly draft: BudgetDraft; readonly id: string }): ReactElement | null {
  const { data } = useRead('/budgets/{budget_id}/periods', { params: { path: { budget_id: id } } });
  return data === undefined ? null : <Sentence draft={draft} periods={data.data} />;
}

/** Days without a call have no row: nothing was spent on them. */
function OfDays({ draft }: { readonly draft: BudgetDraft }): ReactElement | null {
  const [today] = useState(startOfToday);
  const query = {
    group_by: 'day',
    start: instant(today - DAYS * DAY_MS),
    end: instant(today),
    ...scoped(draft),
  };
  const { data } = useRead('/usage', { params: { query } });
  if (data === undefined) return null;
  const spent = new Map(data.data.map(({ day = '', customer_nanos }) => [day, customer_nanos]));
  const periods = Array.from({ length: DAYS }, (_, place) => {
    const start = today - (place + 1) * DAY_MS;
    return { start: dayOf(start), end: dayOf(start + DAY_MS), spent_nanos: spent.get(dayOf(start)) ?? 0n };
  });
  return <Sentence draft={draft} periods={periods} />;
}

/** The API's own sum of each month: the console adds nothing up. */
function OfMonths({ draft }: { readonly draft: BudgetDraft }): ReactElement | null {
  const months = [
    useMonth(draft, 1),
    useMonth(draft, 2),
    useMonth(draft, 3),
    useMonth(draft, 4),
    useMonth(draft, 5),
    useMonth(draft, MONTHS),
  ];
  const periods = months.filter((month) => month !== null);
  return periods.length < months.length ? null : <Sentence draft={draft} periods={periods} />;
}

function useMonth(draft: BudgetDraft, ago: number): BudgetPeriod | null {
  const [today] = useState(startOfToday);
  const at = new Date(today);
  const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago, 1);
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago + 1, 1);
  const query = { start: instant(start), end: instant(end), ...scoped(draft) };
  const { data } = useRead('/usage', { params: { query } });
  return data === undefined
    ? null
    : { start: dayOf(start), end: dayOf(end), spent_nanos: data.total.customer_nanos };
}

function Sentence(props: {
  readonly draft: BudgetDraft;
  readonly periods: readonly BudgetPeriod[];
}): ReactElement | null {
  const { draft, periods } = props;
  const [today] = useState(startOfToday);
  const amount = amountOf(draft);
  if (amount === null || draft.period === 'session') return null;
  const { reached, of } = reachedIn(periods, amount, dayOf(today));
  return of === 0 ? null : <Note>{text.happened[draft.action](reached, of, draft.period)}</Note>;
}

const scoped = (draft: BudgetDraft) => ({
  ...(draft.scope === 'project' && draft.projectId !== null ? { project_id: draft.projectId } : {}),
  ...(draft.scope === 'api_key' && draft.keyId !== null ? { api_key_id: draft.keyId } : {}),
});
const startOfToday = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;
const instant = (ms: number): string => new Date(ms).toISOString();
const dayOf = (ms: number): string => instant(ms).slice(0, 10);
