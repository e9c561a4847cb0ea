import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { alertColumns } from './alert-columns';
import { AlertFilters } from './alert-filters';
import { alertsRoute } from './route';
import { text } from './text';

const PAGE_SIZE = 50;

/** What has fired, newest first. */
export function AlertList(): ReactElement {
  const { state, rule } = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const pages = usePages();
  const query = { state, alert_rule_id: rule, limit: PAGE_SIZE, cursor: pages.cursor };
  const alerts = useRead('/alerts', { params: { query } }, { keepsPrevious: true });
  const isFiltered = state !== undefined || rule !== undefined;
  const words = text.alerts;
  return (
    <>
      <AlertFilters />
      <Result of={alerts} lines={10}>
        {({ data, next_cursor }) => (
          <>
            {data.length > 0 || next_cursor !== null ? (
              <DataTable
                caption={words.caption}
                columns={alertColumns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={alerts.isPlaceholderData}
              />
            ) : isFiltered ? (
              <NoMatch what={words.what} onClear={() => void navigate({ search: {} })} />
            ) : (
              <Empty title={words.emptyTitle}>{words.empty}</Empty>
            )}
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
    </>
  );
}
