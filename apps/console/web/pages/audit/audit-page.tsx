import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { Page } from '../../frame/page';
import { SearchedTo } from '../../frame/searched-to';
import { useList } from '../../frame/use-list';
import { PagedTable } from '../../ui/table/paged-table';
import { columns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { auditList } from './list';
import { text } from './text';

export function AuditPage(): ReactElement {
  const list = useList(auditList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const entries = useRead('/audit-log', { params: { query } }, { keepsPrevious: true });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <AuditFilters entries={entries.data?.data ?? []} />
      <PagedTable
        of={entries}
        pages={pages}
        lines={10}
        columns={columns}
        words={text}
        {...list.filtered}
        search={{
          nothingYet: text.nothingYet,
          searchedTo: (cursor) => <SearchedTo kind="auditEntry" cursor={cursor} />,
        }}
      />
    </Page>
  );
}
