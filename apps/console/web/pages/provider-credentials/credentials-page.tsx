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
import { AddCredential } from './add-credential';
import { type Credential } from './credential';
import { useCredentialColumns } from './credential-columns';
import { CredentialFilters } from './credential-filters';
import { Providers } from './providers';
import { credentialsRoute } from './route';
import { text } from './text';

const PAGE_SIZE = 50;

export function CredentialsPage(): ReactElement {
  const { add = false, provider, state } = credentialsRoute.useSearch();
  const navigate = credentialsRoute.useNavigate();
  const canWrite = useCan('credential:write');
  const pages = usePages();
  const query = { provider, state, limit: PAGE_SIZE, cursor: pages.cursor };
  const credentials = useRead('/provider-credentials', { params: { query } }, { keepsPrevious: true });
  const setAdding = (isOpen: boolean) =>
    void navigate({
      search: (address) => ({ ...address, add: isOpen || undefined }),
      state: true,
      replace: true,
    });
  const addButton = canWrite && (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <Page title={text.title} subtitle={text.purpose} actions={addButton}>
      <CredentialFilters />
      <Result of={credentials} lines={6}>
        {({ data, next_cursor }) => (
          <>
            <CredentialRows
              rows={data}
              isStale={credentials.isPlaceholderData}
              isFirst={!pages.hasPrevious}
            />
            <Pagination pages={pages} nextCursor={next_cursor} />
            <Providers />
          </>
        )}
      </Result>
      {canWrite && <AddCredential isOpen={add} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function CredentialRows({
  rows,
  isStale,
  isFirst,
}: {
  readonly rows: readonly Credential[];
  readonly isStale: boolean;
  readonly isFirst: boolean;
}): ReactElement {
  const { provider, state } = credentialsRoute.useSearch();
  const navigate = credentialsRoute.useNavigate();
  const columns = useCredentialColumns();
  if (rows.length > 0 || !isFirst)
    return (
      <DataTable
        caption={text.caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={isStale}
      />
    );
  if (provider !== undefined || state !== undefined)
    return <NoMatch what={text.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
}
