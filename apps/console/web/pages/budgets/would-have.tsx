import { type ReactElement, type ReactNode, useState } from 'react';
import { useRead } from '../../api/use-api';
import { periodStart } from '../../calls/budget-period';
import { EACH } from '../../calls/budget-standing';
import { useRested } from '../../browser/use-rested';
import { useCan } from '../../session/organization';
import { Note } from '../../ui/states/notes';
import { reachedIn, type Budget, type BudgetPeriod } from './budget';
import { amountOf, scopeIdOf, type BudgetDraft } from './draft';
import { text } from './text';

const LOOKED_BACK = { week: 6, month: 6, quarter: 4 } as const;
const DAYS = 30;
const DAY_MS = 86_400_000;
const words = text.wouldHave;

/**
 * The effect that the budget, as it is typed, would have had in past periods. It says something from the start: a note that
 * appeared once it is known would move the buttons below it away from under the pointer. Nothing where the API cannot tell: of
 * sessions, of each, and of a member before there is a budget.
 */
export function WouldHave(props: WouldHaveProps): ReactElement | null {
  const { draft, changed } = props;
  const canReadUsage = useCan('usage:read');
  if (draft.period === 'session' || draft.scopeId === EACH) return null;
  const isTold = changed !== undefined || (canReadUsage && draft.scope !== 'member');
  return isTold ? (
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
  // Whom it names may be typed: it is asked for at rest.
  const counted = JSON.stringify(scoped(draft));
  const isTyping = useRested(counted) !== counted;
  if (amountOf(draft) === null) return words.needed;
  if (changed !== undefined) return <OfPeriods draft={draft} id={changed.id} />;
  if (draft.scope !== 'organization' && scopeIdOf(draft) === null) return words.needed;
  if (isTyping) return words.loading;
  return draft.period === 'day' ? <OfDays draft={draft} /> : <OfLonger draft={draft} />;
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
  const spent = new Map(
    data?.data.map(({ day = '', customer_nanos, provider_nanos }) => [day, customer_nanos + provider_nanos]),
  );
  const periods = Array.from({ length: DAYS }, (_, place) => {
    const start = today - (place + 1) * DAY_MS;
    return { start: dayOf(start), end: dayOf(start + DAY_MS), spent_nanos: spent.get(dayOf(start)) ?? 0n };
  });
  return <Sentence {...{ draft, isError }} periods={data && periods} />;
}

/** The API's own sum of each week, month or quarter: the console adds nothing up. */
function OfLonger({ draft }: { readonly draft: BudgetDraft }): ReactElement {
  const sums = [
    usePeriod(draft, 1),
    usePeriod(draft, 2),
    usePeriod(draft, 3),
    usePeriod(draft, 4),
    usePeriod(draft, 5),
    usePeriod(draft, 6),
  ].filter(({ isAsked }) => isAsked);
  const periods = sums.flatMap(({ period }) => period ?? []);
  const isError = sums.some((sum) => sum.isError);
  return <Sentence {...{ draft, isError }} periods={periods.length < sums.length ? undefined : periods} />;
}

function usePeriod(draft: BudgetDraft, ago: number) {
  const [today] = useState(startOfToday);
  const length = draft.period as keyof typeof LOOKED_BACK;
  const isAsked = ago <= LOOKED_BACK[length];
  const [start, end] = [periodStart(length, today, ago), periodStart(length, today, ago - 1)];
  const query = { start: instant(start), end: instant(end), ...scoped(draft) };
  const { data, isError } = useRead('/usage', { params: { query } }, { enabled: isAsked });
  const spent = data && data.total.customer_nanos + data.total.provider_nanos;
  const period =
    spent === undefined ? undefined : { start: dayOf(start), end: dayOf(end), spent_nanos: spent };
  return { isAsked, period, isError };
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

/** The filters of usage that count what the budget counts. */
function scoped(draft: BudgetDraft) {
  const { scope, projectId } = draft;
  const id = scopeIdOf(draft) ?? undefined;
  const project = scope === 'project' ? id : (projectId ?? undefined);
  return {
    ...(project !== undefined && { project_id: project }),
    ...(id !== undefined && scope === 'api_key' && { api_key_id: id }),
    ...(id !== undefined && scope === 'model' && { model: id }),
    ...(id !== undefined && scope === 'end_user' && { end_user: id }),
  };
}
const startOfToday = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;
const instant = (ms: number): string => new Date(ms).toISOString();
const dayOf = (ms: number): string => instant(ms).slice(0, 10);
