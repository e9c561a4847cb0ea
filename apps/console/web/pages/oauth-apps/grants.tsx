import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { usePeople, type People } from '../../api/use-people';
import { usePages } from '../../browser/pages-of-list';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Person } from '../../frame/person';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { PageLink } from '../../ui/page-link';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { GrantFilters } from './grant-filters';
import { grantList } from './list';
import { type Grant } from './oauth-app';
import { oauthAppRoute } from './route';
import { stateWords, text } from './text';

const words = text.grants;

/** Grants of the organization's members to apps, by app and member. */
export function Grants(): ReactElement {
  const list = useList(grantList);
  const pages = usePages();
  const people = usePeople();
  const canRevoke = useCan('grant:revoke');
  const [revoked, setRevoked] = useState<Grant | null>(null);
  const query = { ...list.query, ...pages.query };
  const grants = useRead('/oauth-apps/grants', { params: { query } }, { keepsPrevious: true });
  return (
    <>
      <GrantFilters />
      <PagedTable
        of={grants}
        pages={pages}
        columns={columnsOf(people, canRevoke ? setRevoked : null)}
        words={words}
        {...list.filtered}
      />
      <RevokeGrant grant={revoked} onClose={() => setRevoked(null)} />
    </>
  );
}

const columnsOf = (people: People, onRevoke: ((grant: Grant) => void) | null): readonly Column<Grant>[] => [
  {
    key: 'app',
    header: words.app,
    cell: ({ app }) => (
      <PageLink to={oauthAppRoute.to} params={{ appId: app.id }}>
        <Name>{app.name}</Name>
      </PageLink>
    ),
  },
  { key: 'user', header: words.user, cell: ({ user_id: id }) => <Person id={id} people={people} /> },
  { key: 'scopes', header: words.scopes, wraps: true, cell: ({ scopes }) => scopes.join(', ') },
  {
    key: 'state',
    header: words.state,
    cell: ({ state }) => <Badge tone={state === 'active' ? 'good' : 'neutral'}>{stateWords[state]}</Badge>,
  },
  { key: 'granted', header: words.granted, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: 'used',
    header: words.lastUsed,
    cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
  },
  {
    key: 'actions',
    header: words.actions,
    cell: (grant) =>
      onRevoke !== null && grant.state === 'active' ? (
        <Button onClick={() => onRevoke(grant)}>{words.revoke}</Button>
      ) : (
        words.none
      ),
  },
];

function RevokeGrant(props: { readonly grant: Grant | null; readonly onClose: () => void }): ReactElement {
  const { grant, onClose } = props;
  const revoke = useWrite(
    (api, { id }: Grant) =>
      api.post('/oauth-apps/grants/{grant_id}/revoke', { params: { path: { grant_id: id } } }),
    { changes: ['/oauth-apps', '/audit-log'], says: text.revokeGrant.done },
  );
  return <ConfirmWrite write={revoke} input={grant} onClose={onClose} words={text.revokeGrant} />;
}
