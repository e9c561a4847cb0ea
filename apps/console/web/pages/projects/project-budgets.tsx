import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { leftOf, standingOf, type BudgetPressure } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { formatMoney } from '../../format/money';
import { Section } from '../../frame/page';
import { Badge } from '../../ui/badge/badge';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { type Budget } from './project';
import { text } from './text';

const SHOWN = 100;
const words = text.budgets;

/** The budgets of the project itself, with what is left of each. */
export function ProjectBudgets({ projectId }: { readonly projectId: string }): ReactElement {
  const query = { scope: 'project', scope_id: projectId, limit: SHOWN } as const;
  const pressureOf = useBudgetPressure();
  const budgets = useRead('/budgets', { params: { query } });
  return (
    <Section title={words.title}>
      <Result of={budgets} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <DataTable
              caption={words.caption}
              rows={data}
              rowKey={({ id }) => id}
              columns={columnsOf(pressureOf)}
            />
          )
        }
      </Result>
    </Section>
  );
}

const columnsOf = (pressureOf: (budget: Budget) => BudgetPressure): readonly Column<Budget>[] => [
  {
    key: 'name',
    header: words.name,
    cell: (budget) => (
      <NamedBudget budget={budget} isBlocking={standingOf(budget, pressureOf(budget)) === 'blocking'} />
    ),
  },
  { key: 'period', header: words.period, cell: ({ period }) => words.periods[period] },
  {
    key: 'spent',
    header: words.spent,
    align: 'end',
    hint: words.lag,
    cell: ({ spent_nanos: spent, amount_nanos: amount }) =>
      spent === null
        ? text.eachSession(formatMoney(amount))
        : text.spentOf(formatMoney(spent), formatMoney(amount)),
  },
  {
    key: 'left',
    header: words.left,
    align: 'end',
    cell: (budget) => {
      const left = leftOf(budget);
      return left === null ? words.eachSession : <Money amount={left} />;
    },
  },
  {
    key: 'resets',
    header: words.resets,
    cell: ({ resets_at: at }) => (at === null ? words.eachSession : <Time at={at} as="reset" />),
  },
];

interface NamedBudgetProps {
  readonly budget: Budget;
  readonly isBlocking: boolean;
}

function NamedBudget({ budget: { id, name, enabled }, isBlocking }: NamedBudgetProps): ReactElement {
  return (
    <>
      <PageLink to="/budgets/$budgetId" params={{ budgetId: id }}>
        <Name>{name}</Name>
      </PageLink>{' '}
      {!enabled && <Badge>{words.disabled}</Badge>}
      {isBlocking && <Badge tone="bad">{words.blocking}</Badge>}
    </>
  );
}
