import { type ReactElement, useState } from 'react';
import { isId } from '@svc/kernel';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { visibleText } from '../../format/visible-text';
import fields from '../../ui/fields/fields.module.css';
import { Select } from '../../ui/fields/select';
import { Segmented } from '../../ui/segmented/segmented';
import { groupingOf, groupingsFor } from './groups';
import { periods } from './period';
import { overviewRoute } from './route';
import { text } from './text';
import styles from './overview.module.css';

const PROJECTS = 100;
const NAME_MAX = 256;

/** Controls of the view: the days, the grouping, the project. */
export function Controls(): ReactElement {
  const { period = '30d', group, end_user: endUser } = overviewRoute.useSearch();
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
          value={groupingOf(group, endUser)}
          choices={groupingsFor(endUser).map((value) => ({ value, label: text.byGroup(text.groups[value]) }))}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, group: next }) })}
        />
      </div>
      <ProjectSelect />
      {(group === 'end_user' || endUser !== undefined) && <EndUserField />}
    </search>
  );
}

/** The calls of one end user alone: set by Enter, cleared when it is emptied. */
function EndUserField(): ReactElement {
  const { end_user: endUser = '' } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  const [{ of, typed }, setTyped] = useState({ of: endUser, typed: endUser });
  // The address changes without it, too.
  if (of !== endUser) setTyped({ of: endUser, typed: endUser });
  const show = (named: string) =>
    void navigate({ search: (before) => ({ ...before, end_user: named === '' ? undefined : named }) });
  return (
    <form
      className={styles.select}
      onSubmit={(event) => {
        event.preventDefault();
        show(typed.trim());
      }}
    >
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        className={fields.input}
        aria-label={text.endUser}
        placeholder={text.endUser}
        data-tip={text.endUserHint}
        maxLength={NAME_MAX}
        value={typed}
        onChange={({ target }) => {
          setTyped({ of, typed: target.value });
          if (target.value === '') show('');
        }}
      />
    </form>
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
