import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { PagedTable } from '../../ui/table/paged-table';
import { CreateKey } from './create-key';
import { useKeyColumns } from './key-columns';
import { KeyFilters } from './key-filters';
import { keyList } from './list';
import { text } from './text';

export function KeysPage(): ReactElement {
  const list = useList(keyList);
  const canCreate = useCan('key:create');
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const keys = useRead('/keys', { params: { query } }, { keepsPrevious: true });
  const columns = useKeyColumns(keys.data?.data ?? []);
  const creating = useOpened('create');
  const createButton = canCreate && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <KeyFilters />
      <PagedTable of={keys} pages={pages} lines={10} columns={columns} words={text} {...list.filtered} />
      {canCreate && <CreateKey {...creating.dialog} />}
    </Page>
  );
}
