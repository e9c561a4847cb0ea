import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Time } from '../../ui/text/time';
import { columns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { auditRoute } from './route';
import { searchedTo } from './searched-to';
import { text } from './text';

const PAGE_SIZE = 50;

export function AuditPage(): ReactElement {
  const { action, actor, target, after, before } = auditRoute.useSearch();
  const pages = usePages();
  const filter = { action, actor_id: actor, target_id: target, created_after: after, created_before: before };
  const query = { ...filter, limit: PAGE_SIZE, cursor: pages.cursor };
  const entries = useRead('/audit-log', { params: { query } }, { keepsPrevious: true });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <AuditFilters />
      <Result of={entries} lines={10}>
        {({ data, next_cursor: next }) => (
          <>
            {data.length > 0 ? (
              <DataTable
                caption={text.caption}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={entries.isPlaceholderData}
              />
            ) : (
              <NoRows hasMore={next !== null} />
            )}
            <Pagination
              pages={pages}
              nextCursor={next}
              {...(next !== null && data.length < PAGE_SIZE && { searchedTo: <SearchedTo cursor={next} /> })}
            />
          </>
        )}
      </Result>
    </Page>
  );
}

function NoRows({ hasMore }: { readonly hasMore: boolean }): ReactElement {
  const search = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  if (hasMore) return <p>{text.nothingYet}</p>;
  const { action, actor, target, after, before } = search;
  if ([action, actor, target, after, before].some((value) => value !== undefined))
    return <NoMatch what={text.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
}

function SearchedTo({ cursor }: { readonly cursor: string }): ReactElement {
  const at = searchedTo(cursor);
  return at === null ? <>{text.earlier}</> : <Time at={at} as="instant" />;
}
