import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { PagedTable } from '../../ui/table/paged-table';
import { alertColumns } from './alert-columns';
import { AlertFilters } from './alert-filters';
import { alertsRoute } from './route';
import { text } from './text';

/** What has fired, newest first. */
export function AlertList(): ReactElement {
  const { state, rule } = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const pages = usePages();
  const query = { state, alert_rule_id: rule, ...pages.query };
  const alerts = useRead('/alerts', { params: { query } }, { keepsPrevious: true });
  return (
    <>
      <AlertFilters />
      <PagedTable
        of={alerts}
        pages={pages}
        lines={10}
        columns={alertColumns}
        words={text.alerts}
        filters={[state, rule]}
        onClear={() => void navigate({ search: {} })}
      />
    </>
  );
}
