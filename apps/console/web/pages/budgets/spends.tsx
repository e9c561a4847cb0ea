import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { pageOf, usePages } from '../../browser/pages-of-list';
import { ScopeSubject, SubjectLink } from '../../calls/budget-scope';
import { periodStartOf } from '../../calls/budget-period';
import { isOfEach } from '../../calls/budget-standing';
import { shortSubject } from '../../format/ids';
import { formatPercent } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { Section } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Filled } from '../../ui/text/filled';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { type Budget, type BudgetSpending } from './budget';
import { spendList } from './list';
import { text } from './text';

const words = text.spends;
/** More than these the API does not list (docs/reference/limits-and-budgets.md#an-amount-for-each). */
const LISTED_MAX = 1_000;

interface OfBudget {
  readonly budget: Budget;
}

const useSpends = ({ id }: Budget, query: { readonly scope_id?: string | undefined } = {}) =>
  useRead(
    '/budgets/{budget_id}/spends',
    { params: { path: { budget_id: id }, query } },
    { keepsPrevious: true },
  );

/** Who has spent what in the current period, in the order of the API: the most spent first. */
export function Spends({ budget }: OfBudget): ReactElement {
  const { query } = useList(spendList);
  const isEach = isOfEach(budget);
  const spends = useSpends(budget, isEach ? query : {});
  const title = budget.period === 'session' ? words.sessions : isEach ? words.each : words.one;
  return (
    <Section title={title}>
      {isEach && (
        <ListFilters
          of={spendList}
          chips={{
            whose: {
              label: words.whose,
              editor: picks(budget.scope === 'organization' ? 'subject' : budget.scope, {
                label: words.whose,
                takes: spendList.address.whose,
              }),
              shown: (id) => visibleText(shortSubject(id)),
            },
          }}
        />
      )}
      <Result of={spends} lines={4}>
        {({ data }) => <Rows budget={budget} rows={data} title={title} isStale={spends.isPlaceholderData} />}
      </Result>
    </Section>
  );
}

interface RowsProps extends OfBudget {
  readonly rows: readonly BudgetSpending[];
  readonly title: string;
  readonly isStale: boolean;
}

function Rows({ budget, rows, title, isStale }: RowsProps): ReactElement {
  const pages = usePages();
  const shown = pageOf(rows, pages);
  const { set } = useList(spendList);
  if (rows.length === 0) return <p className="muted">{words.empty}</p>;
  const isInPeriods = isOfEach(budget) && budget.period !== 'session';
  return (
    <>
      <DataTable
        caption={title}
        rows={shown.rows}
        rowKey={({ scope_id: id, session_id: session }) => `${id} ${session ?? ''}`}
        columns={[
          { key: 'who', header: words.who, cell: (row) => <Who budget={budget} row={row} /> },
          ...(budget.period === 'session' ? [sessionColumn] : []),
          ...amountColumns,
          ...(isInPeriods ? [periodsColumn((whose) => set({ whose }))] : []),
        ]}
        isStale={isStale}
      />
      {rows.length >= LISTED_MAX && <p className="muted">{words.more}</p>}
      <Pagination pages={pages} nextCursor={shown.nextCursor} />
    </>
  );
}

const amountColumns: readonly Column<BudgetSpending>[] = [
  {
    key: 'spent',
    header: words.spent,
    align: 'end',
    cell: ({ spent_nanos: spent }) => <Money amount={spent} />,
  },
  {
    key: 'reserved',
    header: words.reserved,
    hint: words.reservedHint,
    align: 'end',
    cell: ({ reserved_nanos: reserved }) => <Money amount={reserved} />,
  },
  { key: 'consumed', header: words.consumed, align: 'end', cell: (row) => consumedOf(row) },
];

const sessionColumn: Column<BudgetSpending> = {
  key: 'session',
  header: words.session,
  cell: ({ session_id: session }) => <Name>{session ?? ''}</Name>,
};

const periodsColumn = (show: (whose: string) => void): Column<BudgetSpending> => ({
  key: 'periods',
  header: words.periods,
  cell: ({ scope_id: id }) => <Button onClick={() => show(id)}>{words.showPeriods}</Button>,
});

const consumedOf = ({ consumed_bps: bps }: BudgetSpending): string => formatPercent(bps / 10_000);

interface OfRow extends OfBudget {
  readonly row: BudgetSpending;
}

/** A link to one of the scope, and for end users and models to the calls that the budget counts. */
function linkOf({ budget, row }: OfRow) {
  const { scope, project_id: project } = budget;
  const { scope_id: id, session_id: session } = row;
  const after = periodStartOf(budget)?.toISOString();
  return {
    scope,
    id,
    within: { ...(project !== null && { project }), ...(session !== null && { session }), after },
  };
}

/** A name with a link. An end user has the id beside it, or alone: names are not kept for all. */
function Who({ budget, row }: OfRow): ReactElement {
  const link = linkOf({ budget, row });
  if (budget.scope !== 'end_user') return <ScopeSubject {...link} name={row.name ?? undefined} />;
  if (row.name === null)
    return <Id id={row.scope_id} isShort wrap={(shown) => <SubjectLink {...link}>{shown}</SubjectLink>} />;
  return (
    <>
      <ScopeSubject {...link} name={row.name} /> <Id id={row.scope_id} isShort />
    </>
  );
}

/** Of a budget of each: who is the closest to the amount. */
export function MostConsumed({ budget }: OfBudget): ReactElement {
  return (
    <Result of={useSpends(budget)} lines={1}>
      {({ data: [most] }) => (
        <p>
          {most === undefined ? (
            words.nobody
          ) : (
            <Filled
              sentence={words.most}
              places={{
                who: <ScopeSubject {...linkOf({ budget, row: most })} name={most.name ?? undefined} />,
                spent: <Money amount={most.spent_nanos} />,
                amount: <Money amount={budget.amount_in_force_nanos} />,
                share: consumedOf(most),
              }}
            />
          )}
        </p>
      )}
    </Result>
  );
}
