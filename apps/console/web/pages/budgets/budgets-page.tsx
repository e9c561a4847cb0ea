import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { type NamesById } from '../../api/use-names';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { BudgetLimit, eachOf, useScopeNames } from '../../calls/budget-scope';
import { standingOf, type BudgetPressure } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { FirstButton } from '../../frame/first-button';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Budget } from './budget';
import { BudgetFilters } from './budget-filters';
import { CreateBudget } from './create-budget';
import { budgetList } from './list';
import { Meter } from './meter';
import { OverrideSentence } from './override-note';
import { budgetRoute } from './route';
import { StandingBadge } from './standing-badge';
import { text } from './text';

export function BudgetsPage(): ReactElement {
  const list = useList(budgetList);
  const canWrite = useCan('budget:write');
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const budgets = useRead('/budgets', { params: { query } }, { keepsPrevious: true });
  const names = useScopeNames(budgets.data?.data ?? []);
  const pressureOf = useBudgetPressure();
  const creating = useOpened('create');
  const createButton = canWrite && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <BudgetFilters />
      <PagedTable
        of={budgets}
        pages={pages}
        lines={8}
        columns={columnsOf(names, pressureOf)}
        words={text}
        {...list.filtered}
        firstAction={<FirstButton opens="create" needs="budget:write" label={text.first} />}
      />
      {canWrite && <CreateBudget {...creating.dialog} />}
    </Page>
  );
}

const columnsOf = (
  names: NamesById,
  pressureOf: (budget: Budget) => BudgetPressure,
): readonly Column<Budget>[] => [
  { key: 'name', header: text.columns.name, cell: (budget) => <Named of={budget} /> },
  {
    key: 'standing',
    header: text.columns.standing,
    cell: (budget) => <StandingBadge standing={standingOf(budget, pressureOf(budget))} />,
  },
  {
    key: 'spent',
    header: text.columns.spent,
    wraps: true,
    cell: (budget) => (
      <>
        <Meter budget={budget} pressure={pressureOf(budget)} />
        {budget.override !== null && budget.amount_in_force_nanos !== budget.amount_nanos && (
          <span className="muted">
            <OverrideSentence override={budget.override} usual={budget.amount_nanos} />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'scope',
    header: text.columns.scope,
    wraps: true,
    cell: (budget) => <BudgetLimit of={budget} names={names} />,
  },
  {
    key: 'resets',
    header: text.columns.resets,
    cell: (budget) =>
      budget.resets_at === null ? eachOf(budget) : <Time at={budget.resets_at} as="reset" />,
  },
];

const Named = ({ of: { id, name } }: { readonly of: Budget }): ReactElement => (
  <Link to={budgetRoute.to} params={{ budgetId: id }}>
    <Name>{name}</Name>
  </Link>
);
