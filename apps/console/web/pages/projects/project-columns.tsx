import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { spentText } from '../../calls/budget-scope';
import { PageLink } from '../../ui/page-link';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { budgetsOfProject } from './budgets-of-project';
import { type Budget, type Project } from './project';
import { projectRoute } from './route';
import { stateWords, text } from './text';

/** One call reads the budgets of all projects that are shown; an organization with more sees them project by project. */
const BUDGETS_MAX = 100;

export function StateBadge({ of: { state } }: { readonly of: Project }): ReactElement {
  return <Badge tone={state === 'active' ? 'good' : 'neutral'}>{stateWords[state]}</Badge>;
}

/** The columns of the list. What the role may not read, or what is not there yet, is no column. */
export function useProjectColumns(): readonly Column<Project>[] {
  const spend = useSpend();
  const budgets = useBudgets();
  const canReadKeys = useCan('key:read');
  return [
    { key: 'name', header: text.columns.name, cell: (project) => <NamedProject project={project} /> },
    { key: 'state', header: text.columns.state, cell: (project) => <StateBadge of={project} /> },
    ...(spend === null ? [] : [spendColumn(spend)]),
    ...(canReadKeys ? [keysColumn] : []),
    ...(budgets === null ? [] : [budgetsColumn(budgets)]),
    { key: 'created', header: text.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}

const NamedProject = ({ project: { id, name } }: { readonly project: Project }): ReactElement => (
  <Link to={projectRoute.to} params={{ projectId: id }}>
    <Name>{name}</Name>
  </Link>
);

const spendColumn = (spend: ReadonlyMap<string, bigint>): Column<Project> => ({
  key: 'spend',
  header: text.columns.spend,
  hint: text.hints.spend,
  align: 'end',
  cell: ({ id }) => <Money amount={spend.get(id) ?? 0n} />,
});

const keysColumn: Column<Project> = {
  key: 'keys',
  header: text.columns.keys,
  cell: ({ id }) => (
    <PageLink to="/keys" search={{ project: id }}>
      {text.itsKeys}
    </PageLink>
  ),
};

interface Budgets {
  readonly enabled: readonly Budget[];
  readonly areAll: boolean;
}

const budgetsColumn = ({ enabled, areAll }: Budgets): Column<Project> => ({
  key: 'budgets',
  header: text.columns.budgets,
  hint: text.hints.budgets,
  wraps: true,
  cell: ({ id }) => {
    if (!areAll) return text.moreBudgets;
    const own = budgetsOfProject(id, enabled);
    return own.length === 0 ? text.noBudget : own.map(spentText).join(' · ');
  },
});

/** The enabled budgets of projects; null while they are not known, or where the role may not know. */
function useBudgets(): Budgets | null {
  const query = { scope: 'project', enabled: 'true', limit: BUDGETS_MAX } as const;
  const { data } = useRead('/budgets', { params: { query } }, { enabled: useCan('budget:read') });
  if (data === undefined) return null;
  return { enabled: data.data, areAll: !data.has_more };
}

/**
 * Charges of each project, in nanos; null while unknown, or where the role may not know. One call sums up all
 * projects: its filter takes one.
 */
function useSpend(): ReadonlyMap<string, bigint> | null {
  const query = { group_by: 'project' };
  const { data } = useRead('/usage', { params: { query } }, { enabled: useCan('usage:read') });
  if (data === undefined) return null;
  return new Map(data.data.map(({ project_id: id, customer_nanos }) => [id ?? '', customer_nanos]));
}
