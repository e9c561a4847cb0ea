import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { Page } from '../../frame/page';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { PagedTable } from '../../ui/table/paged-table';
import { CreateProject } from './name-project';
import { useProjectColumns } from './project-columns';
import { text } from './text';

export function ProjectsPage(): ReactElement {
  const canWrite = useCan('project:write');
  const pages = usePages();
  const projects = useRead('/projects', { params: { query: pages.query } }, { keepsPrevious: true });
  const columns = useProjectColumns();
  const creating = useOpened('create');
  const createButton = canWrite && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <PagedTable
        of={projects}
        pages={pages}
        lines={10}
        columns={columns}
        words={text}
        firstAction={<FirstButton opens="create" needs="project:write" label={text.first} />}
      />
      {canWrite && <CreateProject {...creating.dialog} />}
    </Page>
  );
}
