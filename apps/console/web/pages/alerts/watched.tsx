import { Fragment, type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useNames, type NamesById } from '../../api/use-names';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { type AlertRule } from './alert';
import { type FilterName, metricFacts } from './metrics';
import { filterWords, text } from './text';

type Filtered = Pick<AlertRule, 'metric' | 'filter'>;

/** More budgets and webhooks than a page lists stay ids. */
const LISTED = 100;
const INTEGRATIONS = 50;

/** The filters that a rule sets. */
export const setFilters = ({ metric, filter }: Filtered): readonly (readonly [FilterName, string])[] =>
  metricFacts[metric].filters.flatMap((name) => {
    const value = filter[name];
    return value === null ? [] : [[name, value] as const];
  });

/** The names of what rules filter by, by the id. What the role may not read, and what is gone, is missing. */
export function useWatchedNames(rules: readonly Filtered[]): NamesById {
  const set = rules.flatMap(setFilters);
  const idsOf = (of: FilterName) => set.flatMap(([name, id]) => (name === of ? [id] : []));
  const isRead = (of: FilterName, may: boolean) => ({ enabled: may && idsOf(of).length > 0 });
  const keys = useNames('/keys', idsOf('api_key_id'));
  const projects = useNames('/projects', idsOf('project_id'));
  const listed = { params: { query: { limit: LISTED } } };
  const budgets = useRead('/budgets', listed, isRead('budget_id', useCan('budget:read')));
  const webhooks = useRead('/webhooks', listed, isRead('webhook_endpoint_id', useCan('webhook:write')));
  const integrations = useRead(
    '/integrations',
    { params: { query: { limit: INTEGRATIONS } } },
    isRead('integration_id', useCan('integration:read')),
  );
  return new Map([
    ...keys,
    ...projects,
    ...(budgets.data?.data ?? []).map(({ id, name }) => [id, name] as const),
    ...(webhooks.data?.data ?? []).map(({ id, url }) => [id, url] as const),
    ...(integrations.data?.data ?? []).map(({ id, name }) => [id, name] as const),
  ]);
}

/** The pages of what has one, with the parameter that is its id. */
const pages: Readonly<Partial<Record<FilterName, readonly [to: string, parameter: string]>>> = {
  project_id: ['/projects/$projectId', 'projectId'],
  api_key_id: ['/keys/$keyId', 'keyId'],
  webhook_endpoint_id: ['/webhooks/$endpointId', 'endpointId'],
  integration_id: ['/integrations/$integrationId', 'integrationId'],
};
/** Filters whose value is a name. */
const named: readonly FilterName[] = ['model', 'provider'];

interface WatchedProps {
  readonly of: FilterName;
  readonly value: string;
  readonly names: NamesById;
}

/** The value of one filter: its name with a link to its page, or its id. */
export function Watched({ of, value, names }: WatchedProps): ReactElement {
  const name = named.includes(of) ? value : names.get(value);
  if (name === undefined) return <Id id={value} isShort />;
  const [to, parameter] = pages[of] ?? [];
  if (to === undefined || parameter === undefined) return <Name>{name}</Name>;
  return (
    <PageLink to={to} params={{ [parameter]: value }}>
      <Name>{name}</Name>
    </PageLink>
  );
}

/** All that a rule is filtered by, in a cell of the list. */
export function WatchedScope(props: { readonly rule: Filtered; readonly names: NamesById }): ReactElement {
  const { rule, names } = props;
  const filters = setFilters(rule);
  if (filters.length === 0) return <>{text.rules.everything}</>;
  return (
    <>
      {filters.map(([name, value], nth) => (
        <Fragment key={name}>
          {nth > 0 && ' · '}
          {filterWords[name]} <Watched of={name} value={value} names={names} />
        </Fragment>
      ))}
    </>
  );
}
