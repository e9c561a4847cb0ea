import { type ReactElement, type ReactNode, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { Note } from '../../ui/states/notes';
import { reachedIn, type Budget, type BudgetPeriod } from './budget';
import { amountOf, scopeIdOf, type BudgetDraft } from './draft';
import { text } from './text';

const MONTHS = 6;
const DAYS = 30;
const DAY_MS = 86_400_000;
const words = text.wouldHave;

/**
 * What the budget, as it is typed, would have done in the periods that are over. It says something from the start: a note that
 * appeared once it is known would move the buttons below it away from under the pointer.
 */
export function WouldHave(props: WouldHaveProps): ReactElement | null {
  const canReadUsage = useCan('usage:read');
  const isShown = props.draft.period !== 'session' && (props.changed !== undefined || canReadUsage);
  return isShown ? (
    <Note>
      <OfDraft {...props} />
    </Note>
  ) : null;
}

interface WouldHaveProps {
  readonly draft: BudgetDraft;
  readonly changed?: Budget;
}

function OfDraft({ draft, changed }: WouldHaveProps): ReactNode {
  if (amountOf(draft) === null) return words.needed;
  if (changed !== undefined) return <OfPeriods draft={draft} id={changed.id} />;
  if (draft.scope !== 'organization' && scopeIdOf(draft) === null) return words.needed;
  return draft.period === 'day' ? <OfDays draft={draft} /> : <OfMonths draft={draft} />;
}

function OfPeriods({ draft, id }: { readonly draft: BudgetDraft; readonly id: string }): ReactElement {
  const { data, isError } = useRead('/budgets/{budget_id}/periods', { params: { path: { budget_id: id } } });
  return <Sentence {...{ draft, isError }} periods={data?.data} />;
}

/** Days without a call have no row: nothing was spent on them. */
function OfDays({ draft }: { readonly draft: BudgetDraft }): ReactElement {
  const [today] = useState(startOfToday);
  const query = {
    group_by: 'day',
    start: instant(today - DAYS * DAY_MS),
    end: instant(today),
    ...scoped(draft),
  };
  const { data, isError } = useRead('/usage', { params: { query } });
  const spent = new Map(data?.data.map(({ day = '', customer_nanos }) => [day, customer_nanos]));
  const periods = Array.from({ length: DAYS }, (_, place) => {
    const start = today - (place + 1) * DAY_MS;
    return { start: dayOf(start), end: dayOf(start + DAY_MS), spent_nanos: spent.get(dayOf(start)) ?? 0n };
  });
  return <Sentence {...{ draft, isError }} periods={data && periods} />;
}

/** The API's own sum of each month: the console adds nothing up. */
function OfMonths({ draft }: { readonly draft: BudgetDraft }): ReactElement {
  const months = [
    useMonth(draft, 1),
    useMonth(draft, 2),
    useMonth(draft, 3),
    useMonth(draft, 4),
    useMonth(draft, 5),
    useMonth(draft, MONTHS),
  ];
  const periods = months.flatMap(({ period }) => period ?? []);
  const isError = months.some((month) => month.isError);
  return <Sentence {...{ draft, isError }} periods={periods.length < months.length ? undefined : periods} />;
}

function useMonth(draft: BudgetDraft, ago: number): { period: BudgetPeriod | undefined; isError: boolean } {
  const [today] = useState(startOfToday);
  const at = new Date(today);
  const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago, 1);
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago + 1, 1);
  const query = { start: instant(start), end: instant(end), ...scoped(draft) };
  const { data, isError } = useRead('/usage', { params: { query } });
  const period = data && { start: dayOf(start), end: dayOf(end), spent_nanos: data.total.customer_nanos };
  return { period, isError };
}

function Sentence(props: {
  readonly draft: BudgetDraft;
  /** Undefined while they are read. */
  readonly periods: readonly BudgetPeriod[] | undefined;
  readonly isError: boolean;
}): ReactNode {
  const { draft, periods, isError } = props;
  const [today] = useState(startOfToday);
  const amount = amountOf(draft);
  if (amount === null || draft.period === 'session') return words.needed;
  if (periods === undefined) return isError ? words.unknown : words.loading;
  const { reached, of } = reachedIn(periods, amount, dayOf(today));
  return of === 0 ? words.none : words[draft.action](reached, of, draft.period);
}

const scoped = (draft: BudgetDraft) => ({
  ...(draft.scope === 'project' && draft.projectId !== null ? { project_id: draft.projectId } : {}),
  ...(draft.scope === 'api_key' && draft.keyId !== null ? { api_key_id: draft.keyId } : {}),
});
const startOfToday = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;
const instant = (ms: number): string => new Date(ms).toISOString();
const dayOf = (ms: number): string => instant(ms).slice(0, 10);
