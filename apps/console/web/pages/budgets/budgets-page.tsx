import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Budget } from './budget';
import { BudgetFilters } from './budget-filters';
import { CreateBudget } from './create-budget';
import { Meter } from './meter';
import { budgetRoute, budgetsRoute } from './route';
import { ScopeName, useScopeNames } from './scope-name';
import { StandingBadge } from './standing-badge';
import { text } from './text';

const PAGE_SIZE = 50;

export function BudgetsPage(): ReactElement {
  const { create = false, scope, enabled, key } = budgetsRoute.useSearch();
  const navigate = budgetsRoute.useNavigate();
  const canWrite = useCan('budget:write');
  const pages = usePages();
  const query = {
    scope,
    enabled: enabled === undefined ? undefined : (String(enabled) as 'true' | 'false'),
    applies_to: key,
    limit: PAGE_SIZE,
    cursor: pages.cursor,
  };
  const budgets = useRead('/budgets', { params: { query } }, { keepsPrevious: true });
  const setCreating = (isOpen: boolean) =>
    void navigate({
      search: (address) => ({ ...address, create: isOpen || undefined }),
      state: true,
      replace: true,
    });
  const createButton = canWrite && (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <BudgetFilters />
      <Result of={budgets} lines={8}>
        {({ data, next_cursor }) => (
          <>
            <Rows rows={data} isStale={budgets.isPlaceholderData} hasMore={next_cursor !== null} />
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
      {canWrite && <CreateBudget isOpen={create} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Rows(props: {
  readonly rows: readonly Budget[];
  readonly isStale: boolean;
  readonly hasMore: boolean;
}): ReactElement {
  const { rows, isStale, hasMore } = props;
  const { scope, enabled, key } = budgetsRoute.useSearch();
  const navigate = budgetsRoute.useNavigate();
  const names = useScopeNames(rows);
  const columns = text.columns;
  if (rows.length > 0 || hasMore)
    return (
      <DataTable
        caption={text.caption}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={isStale}
        columns={[
          { key: 'name', header: columns.name, cell: (budget) => <Named of={budget} /> },
          { key: 'standing', header: columns.standing, cell: (budget) => <StandingBadge of={budget} /> },
          { key: 'spent', header: columns.spent, cell: (budget) => <Meter budget={budget} /> },
          { key: 'scope', header: columns.scope, cell: (budget) => <ScopeName of={budget} names={names} /> },
          {
            key: 'resets',
            header: columns.resets,
            cell: ({ resets_at: at }) => (at === null ? text.session : <Time at={at} as="reset" />),
          },
        ]}
      />
    );
  if ([scope, enabled, key].some((value) => value !== undefined))
    return <NoMatch what={text.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
}

const Named = ({ of: { id, name } }: { readonly of: Budget }): ReactElement => (
  <Link to={budgetRoute.to} params={{ budgetId: id }}>
    <Name>{name}</Name>
  </Link>
);
