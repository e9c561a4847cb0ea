import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { PagedTable } from '../../ui/table/paged-table';
import { AddCredential } from './add-credential';
import { useCredentialColumns } from './credential-columns';
import { CredentialFilters } from './credential-filters';
import { Providers } from './providers';
import { credentialsRoute } from './route';
import { text } from './text';

export function CredentialsPage(): ReactElement {
  const { add = false, provider, state } = credentialsRoute.useSearch();
  const navigate = credentialsRoute.useNavigate();
  const canWrite = useCan('credential:write');
  const pages = usePages();
  const query = { provider, state, ...pages.query };
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
      <PagedTable
        of={credentials}
        pages={pages}
        columns={useCredentialColumns()}
        words={text}
        filters={[provider, state]}
        onClear={() => void navigate({ search: {} })}
      />
      {credentials.data !== undefined && <Providers />}
      {canWrite && <AddCredential isOpen={add} onClose={() => setAdding(false)} />}
    </Page>
  );
}
