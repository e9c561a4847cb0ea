import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../frame/page';
import { usePages } from '../../browser/pages-of-list';
import { SearchedTo } from '../../frame/searched-to';
import { PagedTable } from '../../ui/table/paged-table';
import { columns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { auditRoute } from './route';
import { text } from './text';

export function AuditPage(): ReactElement {
  const { action, actor, target, after, before } = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  const pages = usePages();
  const filter = { action, actor_id: actor, target_id: target, created_after: after, created_before: before };
  const query = { ...filter, ...pages.query };
  const entries = useRead('/audit-log', { params: { query } }, { keepsPrevious: true });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <AuditFilters />
      <PagedTable
        of={entries}
        pages={pages}
        lines={10}
        columns={columns}
        words={text}
        filters={[action, actor, target, after, before]}
        onClear={() => void navigate({ search: {} })}
        search={{
          nothingYet: text.nothingYet,
          searchedTo: (cursor) => <SearchedTo kind="auditEntry" cursor={cursor} />,
        }}
      />
    </Page>
  );
}
