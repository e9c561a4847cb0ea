import { type ReactElement } from 'react';
import { type ReadQuery } from '../../api/client';
import { useRead } from '../../api/use-api';
import { type NamesById } from '../../api/use-names';
import { BudgetScope, eachOf, spentText, useScopeNames } from '../../calls/budget-scope';
import { EACH, leftOf, standingOf, type BudgetPressure } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { Section } from '../../frame/page';
import { Badge } from '../../ui/badge/badge';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { budgetsOfProject } from './budgets-of-project';
import { type Budget } from './project';
import { text } from './text';

const SHOWN = 100;
const words = text.budgets;

/** The budgets that count calls of the project alone, with what is left of each. */
export function ProjectBudgets({ projectId }: { readonly projectId: string }): ReactElement {
  const own = useBudgets({ scope: 'project', scope_id: projectId });
  const each = useBudgets({ scope: 'project', scope_id: EACH });
  const within = useBudgets({ project_id: projectId });
  const shown = budgetsOfProject(
    projectId,
    [own, each, within].flatMap(({ data }) => data?.data ?? []),
  );
  const names = useScopeNames(shown);
  const pressureOf = useBudgetPressure();
  const unread = [own, each, within].find(({ data }) => data === undefined) ?? own;
  return (
    <Section title={words.title}>
      <Result of={unread} lines={2}>
        {() =>
          shown.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <DataTable
              caption={words.caption}
              rows={shown}
              rowKey={({ id }) => id}
              columns={columnsOf(pressureOf, names)}
            />
          )
        }
      </Result>
    </Section>
  );
}

const useBudgets = (query: NonNullable<ReadQuery<'/budgets'>>) =>
  useRead('/budgets', { params: { query: { ...query, limit: SHOWN } } });

const columnsOf = (
  pressureOf: (budget: Budget) => BudgetPressure,
  names: NamesById,
): readonly Column<Budget>[] => [
  {
    key: 'name',
    header: words.name,
    cell: (budget) => (
      <NamedBudget budget={budget} isBlocking={standingOf(budget, pressureOf(budget)) === 'blocking'} />
    ),
  },
  {
    key: 'scope',
    header: words.scope,
    wraps: true,
    cell: (budget) => <BudgetScope of={budget} names={names} />,
  },
  { key: 'spent', header: words.spent, align: 'end', hint: words.lag, cell: spentText },
  {
    key: 'left',
    header: words.left,
    align: 'end',
    cell: (budget) => {
      const left = leftOf(budget);
      return left === null ? eachOf(budget) : <Money amount={left} />;
    },
  },
  {
    key: 'resets',
    header: words.resets,
    cell: (budget) =>
      budget.resets_at === null ? eachOf(budget) : <Time at={budget.resets_at} as="reset" />,
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
