import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { useList } from '../../frame/use-list';
import { PagedTable } from '../../ui/table/paged-table';
import { alertColumns } from './alert-columns';
import { AlertFilters } from './alert-filters';
import { alertList } from './list';
import { READ_AGAIN_MS } from './read-again';
import { text } from './text';

/** Alerts, newest first. */
export function AlertList(): ReactElement {
  const list = useList(alertList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const alerts = useRead('/alerts', { params: { query } }, { keepsPrevious: true, everyMs: READ_AGAIN_MS });
  return (
    <>
      <AlertFilters />
      <PagedTable
        of={alerts}
        pages={pages}
        lines={10}
        columns={alertColumns}
        words={text.alerts}
        {...list.filtered}
      />
    </>
  );
}
