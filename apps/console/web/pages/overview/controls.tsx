import { type ReactElement } from 'react';
import { isId } from '@svc/kernel';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { visibleText } from '../../format/visible-text';
import { Select } from '../../ui/fields/select';
import { Segmented } from '../../ui/segmented/segmented';
import { groupings } from './groups';
import { periods } from './period';
import { overviewRoute } from './route';
import { text } from './text';
import styles from './overview.module.css';

const PROJECTS = 100;

/** What is shown: of which days, by what, of which project. */
export function Controls(): ReactElement {
  const { period = '30d', group = 'model' } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  return (
    <search aria-label={text.filters} className={styles.controls}>
      <Segmented
        label={text.period}
        value={period}
        choices={periods.map((value) => ({ value, label: text.periods[value] }))}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, period: next }) })}
      />
      <div className={styles.select}>
        <Select
          aria-label={text.groupBy}
          value={group}
          choices={groupings.map((value) => ({ value, label: text.byGroup(text.groups[value]) }))}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, group: next }) })}
        />
      </div>
      <ProjectSelect />
    </search>
  );
}

const ALL = 'all';

function ProjectSelect(): ReactElement | null {
  const { project } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  const canRead = useCan('project:read');
  const projects = useRead('/projects', { params: { query: { limit: PROJECTS } } }, { enabled: canRead });
  const known = projects.data?.data ?? [];
  if (known.length === 0 && project === undefined) return null;
  const listed = known.some(({ id }) => id === project) || project === undefined;
  const choices = [
    { value: ALL, label: text.allProjects },
    ...known.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
    ...(listed ? [] : [{ value: project, label: project }]),
  ];
  return (
    <div className={styles.select}>
      <Select
        aria-label={text.project}
        value={project ?? ALL}
        choices={choices}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, project: isId('project', next) ? next : undefined }),
          })
        }
      />
    </div>
  );
}
