import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { PagedTable } from '../../ui/table/paged-table';
import { CreateProject } from './name-project';
import { useProjectColumns } from './project-columns';
import { projectsRoute } from './route';
import { text } from './text';

export function ProjectsPage(): ReactElement {
  const { create = false } = projectsRoute.useSearch();
  const navigate = projectsRoute.useNavigate();
  const canWrite = useCan('project:write');
  const pages = usePages();
  const projects = useRead('/projects', { params: { query: pages.query } }, { keepsPrevious: true });
  const columns = useProjectColumns(projects.data?.data ?? []);
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
      <PagedTable of={projects} pages={pages} lines={10} columns={columns} words={text} />
      {canWrite && <CreateProject isOpen={create} onClose={() => setCreating(false)} />}
    </Page>
  );
}
