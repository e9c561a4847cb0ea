import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { ModelUsage } from '../../calls/model-usage';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PageLink } from '../../ui/page-link';
import { WarningNote } from '../../ui/states/notes';
import { Id } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { ArchiveProject, ReactivateProject } from './archive-project';
import { RenameProject } from './name-project';
import { type Project } from './project';
import { ProjectBudgets } from './project-budgets';
import { StateBadge } from './project-columns';
import { ProjectKeys } from './project-keys';
import { projectRoute, projectsRoute } from './route';
import { text } from './text';

const parent = <Link to={projectsRoute.to}>{text.project.parent}</Link>;

export function ProjectPage(): ReactElement {
  const { projectId } = projectRoute.useParams();
  const project = useRead('/projects/{project_id}', { params: { path: { project_id: projectId } } });
  return (
    <ReadPage of={project} words={text.project} parent={parent}>
      {(data) => <OneProject project={data} />}
    </ReadPage>
  );
}

function OneProject({ project }: { readonly project: Project }): ReactElement {
  const canWrite = useCan('project:write');
  const canReadUsage = useCan('usage:read');
  const canReadBudgets = useCan('budget:read');
  const canReadKeys = useCan('key:read');
  return (
    <Page
      title={project.name}
      parent={parent}
      subtitle={<StateBadge of={project} />}
      actions={canWrite && <Actions project={project} />}
    >
      {project.state === 'archived' && <WarningNote>{text.project.archived}</WarningNote>}
      <ProjectFacts project={project} />
      {canReadUsage && <ModelUsage of={{ project_id: project.id }} empty={text.project.usageEmpty} />}
      {canReadKeys && <ProjectKeys projectId={project.id} />}
      {canReadBudgets && <ProjectBudgets projectId={project.id} />}
    </Page>
  );
}

function ProjectFacts({ project }: { readonly project: Project }): ReactElement {
  const words = text.project;
  const canReadUsage = useCan('usage:read');
  const canReadAudit = useCan('audit:read');
  const canReadPolicy = useCan('policy:read');
  return (
    <Section title={words.facts}>
      <Facts
        of={[
          [words.id, <Id key="" id={project.id} />],
          [words.created, <Time key="" at={project.created_at} as="instant" />],
          [words.changed, <Time key="" at={project.updated_at} as="instant" />],
        ]}
      />
      {canReadUsage && (
        <p>
          <PageLink to="/requests" search={{ project: project.id }}>
            {words.requests}
          </PageLink>
        </p>
      )}
      {canReadPolicy && (
        <p>
          <PageLink to="/routing" search={{ level: 'project', project: project.id }}>
            {words.policy}
          </PageLink>
        </p>
      )}
      {canReadAudit && (
        <p>
          <PageLink to="/audit" search={{ target: project.id }}>
            {words.audit}
          </PageLink>
        </p>
      )}
    </Section>
  );
}

function Actions({ project }: { readonly project: Project }): ReactElement {
  const [open, setOpen] = useState<'rename' | 'archive' | 'reactivate' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('rename')}>{text.project.rename}</Button>
      {project.state === 'active' ? (
        <Button variant="danger" onClick={() => setOpen('archive')}>
          {text.project.archive}
        </Button>
      ) : (
        <Button onClick={() => setOpen('reactivate')}>{text.project.reactivate}</Button>
      )}
      <RenameProject project={project} isOpen={open === 'rename'} onClose={close} />
      <ArchiveProject project={project} isOpen={open === 'archive'} onClose={close} />
      <ReactivateProject project={project} isOpen={open === 'reactivate'} onClose={close} />
    </>
  );
}
