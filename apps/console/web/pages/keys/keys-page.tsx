import { Link } from '@tanstack/react-router';
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
import { CreateKey } from './create-key';
import { useKeyColumns } from './key-columns';
import { KeyFilters } from './key-filters';
import { KeysBySpend } from './keys-by-spend';
import { keyList } from './list';
import { keysRoute } from './route';
import { text } from './text';

/** Filters by which usage is not summed. */
const notOfUsage = ['q', 'state', 'purpose'] as const;

export function KeysPage(): ReactElement {
  const canCreate = useCan('key:create');
  const isBySpend = keysRoute.useSearch().order === 'spend';
  const canReadUsage = useCan('usage:read');
  const creating = useOpened('create');
  const createButton = canCreate && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={
        <>
          {canReadUsage && <OrderLink isBySpend={isBySpend} />}
          {createButton}
        </>
      }
    >
      {isBySpend && canReadUsage ? (
        <>
          <KeyFilters without={notOfUsage} />
          <KeysBySpend />
        </>
      ) : (
        <>
          <KeyFilters without={[]} />
          <NewestKeys />
        </>
      )}
      {canCreate && <CreateKey {...creating.dialog} />}
    </Page>
  );
}

/** A link that sorts the list as the header of the column does: a phone shows no headers. */
const OrderLink = ({ isBySpend }: { readonly isBySpend: boolean }): ReactElement => (
  <Link
    from={keysRoute.fullPath}
    to={keysRoute.to}
    search={({ project }) => ({ project, order: isBySpend ? undefined : ('spend' as const) })}
  >
    {isBySpend ? text.bySpend.newest : text.bySpend.highest}
  </Link>
);

function NewestKeys(): ReactElement {
  const list = useList(keyList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const keys = useRead('/keys', { params: { query } }, { keepsPrevious: true });
  const columns = useKeyColumns(keys.data?.data ?? []);
  return (
    <PagedTable
      of={keys}
      pages={pages}
      lines={10}
      columns={columns}
      words={text}
      {...list.filtered}
      firstAction={<FirstButton opens="create" needs="key:create" label={text.first} />}
    />
  );
}
