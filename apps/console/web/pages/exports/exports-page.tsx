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
import { CreateExport } from './create-export';
import { isUnderWay } from './export';
import { useExportColumns } from './export-columns';
import { ExportFilters } from './export-filters';
import { exportList } from './list';
import { text } from './text';

/** How often what is under way is read again. */
const PROGRESS_MS = 3_000;

export function ExportsPage(): ReactElement {
  const canCreate = useCan('export:write');
  const creating = useOpened('create');
  const createButton = canCreate && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <ExportFilters />
      <ExportList />
      {canCreate && <CreateExport {...creating.dialog} />}
    </Page>
  );
}

function ExportList(): ReactElement {
  const list = useList(exportList);
  const columns = useExportColumns();
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const exports = useRead(
    '/exports',
    { params: { query } },
    { keepsPrevious: true, everyMs: ({ data }) => data.some(isUnderWay) && PROGRESS_MS },
  );
  return (
    <PagedTable
      of={exports}
      pages={pages}
      lines={8}
      columns={columns}
      words={text}
      {...list.filtered}
      firstAction={<FirstButton opens="create" needs="export:write" label={text.first} />}
    />
  );
}
