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
import { CreateKey } from './create-key';
import { useKeyColumns } from './key-columns';
import { KeyFilters } from './key-filters';
import { type ApiKey } from './key';
import { keysRoute } from './route';
import { text } from './text';

const PAGE_SIZE = 50;

export function KeysPage(): ReactElement {
  const { create = false, q, state, project, purpose } = keysRoute.useSearch();
  const navigate = keysRoute.useNavigate();
  const canCreate = useCan('key:create');
  const pages = usePages();
  const filter = { q, state, project_id: project, purpose };
  const query = { ...filter, limit: PAGE_SIZE, cursor: pages.cursor };
  const keys = useRead('/keys', { params: { query } }, { keepsPrevious: true });
  const setCreating = (isOpen: boolean) =>
    void navigate({
      search: (address) => ({ ...address, create: isOpen || undefined }),
      state: true,
      replace: true,
    });
  const createButton = canCreate && (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <KeyFilters />
      <Result of={keys} lines={10}>
        {({ data, next_cursor }) => (
          <>
            <KeyRows rows={data} isStale={keys.isPlaceholderData} hasMore={next_cursor !== null} />
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
      {canCreate && <CreateKey isOpen={create} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function KeyRows({
  rows,
  isStale,
  hasMore,
}: {
  readonly rows: readonly ApiKey[];
  readonly isStale: boolean;
  readonly hasMore: boolean;
}): ReactElement {
  const { q, state, project, purpose } = keysRoute.useSearch();
  const navigate = keysRoute.useNavigate();
  const columns = useKeyColumns(rows);
  if (rows.length > 0 || hasMore)
    return (
      <DataTable
        caption={text.caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={isStale}
      />
    );
  if ([q, state, project, purpose].some((value) => value !== undefined))
    return <NoMatch what={text.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
}
