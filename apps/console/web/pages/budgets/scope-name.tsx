import { type ReactElement } from 'react';
import { type NamesById, useNames } from '../../api/use-names';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { type Budget } from './budget';
import { scopeWords } from './text';

/** The names of what budgets are of, in two calls at most. What the role may not read stays an id. */
export function useScopeNames(budgets: readonly Budget[]): NamesById {
  const idsOf = (scope: Budget['scope']) =>
    budgets.filter((budget) => budget.scope === scope).map(({ scope_id: id }) => id);
  const projects = useNames('/projects', idsOf('project'));
  const keys = useNames('/keys', idsOf('api_key'));
  return new Map([...projects, ...keys]);
}

export function ScopeName(props: { readonly of: Budget; readonly names: NamesById }): ReactElement {
  const { scope, scope_id: id } = props.of;
  if (scope === 'organization') return <>{scopeWords.organization}</>;
  const name = props.names.get(id);
  const [to, params] =
    scope === 'project' ? ['/projects/$projectId', { projectId: id }] : ['/keys/$keyId', { keyId: id }];
  return (
    <>
      {scopeWords[scope]}{' '}
      {name === undefined ? (
        <Id id={id} isShort />
      ) : (
        <PageLink to={to} params={params as Readonly<Record<string, string>>}>
          <Name>{name}</Name>
        </PageLink>
      )}
    </>
  );
}
