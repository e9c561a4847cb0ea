import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { Result } from '../../ui/states/result';
import { Empty } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { CreateProject } from './name-project';
import { type Project } from './project';
import { useProjectColumns } from './project-columns';
import { projectsRoute } from './route';
import { text } from './text';

const PAGE_SIZE = 50;

export function ProjectsPage(): ReactElement {
  const { create = false } = projectsRoute.useSearch();
  const navigate = projectsRoute.useNavigate();
  const canWrite = useCan('project:write');
  const pages = usePages();
  const query = { limit: PAGE_SIZE, cursor: pages.cursor };
  const projects = useRead('/projects', { params: { query } }, { keepsPrevious: true });
  const setCreating = (isOpen: boolean) =>
    void navigate({
      search: (address) => ({ ...address, create: isOpen || undefined }),
      state: true,
      replace: true,
    });
  const createButton = canWrite && (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <Result of={projects} lines={10}>
        {({ data, next_cursor }) => (
          <>
            <ProjectRows rows={data} isStale={projects.isPlaceholderData} isFirst={!pages.hasPrevious} />
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
      {canWrite && <CreateProject isOpen={create} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ProjectRows({
  rows,
  isStale,
  isFirst,
}: {
  readonly rows: readonly Project[];
  readonly isStale: boolean;
  readonly isFirst: boolean;
}): ReactElement {
  const columns = useProjectColumns(rows);
  if (rows.length === 0 && isFirst) return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
  return (
    <DataTable
      caption={text.caption}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      isStale={isStale}
    />
  );
}
