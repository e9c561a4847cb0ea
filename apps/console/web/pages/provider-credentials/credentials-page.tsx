import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { PagedTable } from '../../ui/table/paged-table';
import { AddCredential } from './add-credential';
import { useCredentialColumns } from './credential-columns';
import { CredentialFilters } from './credential-filters';
import { credentialList } from './list';
import { Providers } from './providers';
import { text } from './text';

export function CredentialsPage(): ReactElement {
  const list = useList(credentialList);
  const canWrite = useCan('credential:write');
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const credentials = useRead('/provider-credentials', { params: { query } }, { keepsPrevious: true });
  const adding = useOpened('add');
  const addButton = canWrite && <AddButton onClick={adding.open}>{text.add}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={addButton}>
      <CredentialFilters />
      <PagedTable
        of={credentials}
        pages={pages}
        columns={useCredentialColumns()}
        words={text}
        {...list.filtered}
        firstAction={<FirstButton opens="add" needs="credential:write" label={text.first} />}
      />
      {credentials.data !== undefined && <Providers />}
      {canWrite && <AddCredential {...adding.dialog} />}
    </Page>
  );
}
