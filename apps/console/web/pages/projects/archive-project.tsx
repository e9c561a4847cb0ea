import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { type Write } from '../../api/writes';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useCan } from '../../session/organization';
import { Name } from '../../ui/text/id';
import { type Project } from './project';
import { text } from './text';

interface ArchiveProjectProps {
  readonly project: Project;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Ends the calls of a project's keys, and names those. */
export function ArchiveProject({ project, isOpen, onClose }: ArchiveProjectProps): ReactElement {
  const words = text.archive;
  const archive = useStateChange(project, 'archived', words.done);
  return (
    <ConfirmWrite approval="project.update" write={archive} isOpen={isOpen} onClose={onClose} words={words}>
      {isOpen && <KeysThatStop projectId={project.id} />}
      <p>{words.back}</p>
    </ConfirmWrite>
  );
}

export function ReactivateProject({ project, isOpen, onClose }: ArchiveProjectProps): ReactElement {
  const words = text.reactivate;
  const reactivate = useStateChange(project, 'active', words.done);
  return (
    <ConfirmWrite
      approval="project.update"
      write={reactivate}
      isOpen={isOpen}
      onClose={onClose}
      words={words}
      isDanger={false}
    />
  );
}

function useStateChange(project: Project, state: Project['state'], says: string): Write<undefined, Project> {
  const params = { path: { project_id: project.id } };
  return useWrite((api) => api.patch('/projects/{project_id}', { params, body: { state } }), {
    changes: ['/projects', '/audit-log'],
    says,
  });
}

const NAMED_MAX = 20;

function KeysThatStop({ projectId }: { readonly projectId: string }): ReactElement | null {
  const words = text.archive;
  const canRead = useCan('key:read');
  const query = { project_id: projectId, state: 'active', limit: NAMED_MAX } as const;
  const { data } = useRead('/keys', { params: { query } }, { enabled: canRead });
  if (!canRead) return <p>{words.unknownKeys}</p>;
  if (data === undefined) return null;
  if (data.data.length === 0) return <p>{words.noKeys}</p>;
  return (
    <>
      <p>{words.keys}</p>
      <ul>
        {data.data.map(({ id, name }) => (
          <li key={id}>
            <Name>{name}</Name>
          </li>
        ))}
      </ul>
      {data.has_more && <p>{words.more}</p>}
    </>
  );
}
