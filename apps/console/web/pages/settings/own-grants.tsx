import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { accountApi } from '../../api/client';
import { type components } from '../../api/generated/auth';
import { useWrite } from '../../api/use-write';
import { usePages } from '../../browser/pages-of-list';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useOrganization } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { text } from './text';

type Grant = components['schemas']['Grant'];

/** The start of the keys of this read, for what invalidates it. */
const GRANTS = '/api/v1/oauth/grants';
const words = text.account.grants;

/** Grants of the user to apps, in any organization. */
export function OwnGrants(): ReactElement {
  const { id } = useOrganization();
  const pages = usePages();
  const [revoked, setRevoked] = useState<Grant | null>(null);
  const grants = useQuery({
    queryKey: [id, GRANTS, pages.query],
    queryFn: ({ signal }) => accountApi.get(GRANTS, { params: { query: pages.query }, signal }),
  });
  return (
    <>
      <h3>{words.caption}</h3>
      <PagedTable of={grants} pages={pages} lines={3} columns={columnsOf(id, setRevoked)} words={words} />
      <RevokeGrant grant={revoked} onClose={() => setRevoked(null)} />
    </>
  );
}

const columnsOf = (organizationId: string, onRevoke: (grant: Grant) => void): readonly Column<Grant>[] => [
  {
    key: 'app',
    header: words.app,
    wraps: true,
    cell: ({ app, organization_id: other }) => (
      <>
        <Name>{app.name}</Name> {other !== organizationId && <Badge>{words.elsewhere}</Badge>}
      </>
    ),
  },
  { key: 'scopes', header: words.scopes, wraps: true, cell: ({ scopes }) => scopes.join(', ') },
  {
    key: 'state',
    header: words.state,
    cell: ({ state }) => <Badge tone={state === 'active' ? 'good' : 'neutral'}>{words.states[state]}</Badge>,
  },
  { key: 'granted', header: words.granted, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: 'used',
    header: words.used,
    cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
  },
  {
    key: 'end',
    header: words.end,
    cell: (grant) => grant.state === 'active' && <Button onClick={() => onRevoke(grant)}>{words.end}</Button>,
  },
];

function RevokeGrant(props: { readonly grant: Grant | null; readonly onClose: () => void }): ReactElement {
  const { grant, onClose } = props;
  const revoke = useWrite(
    (_, { id }: Grant) =>
      accountApi.post('/api/v1/oauth/grants/{grant_id}/revoke', { params: { path: { grant_id: id } } }),
    { changes: [GRANTS, '/oauth-apps', '/audit-log'], says: words.done },
  );
  return <ConfirmWrite write={revoke} input={grant} onClose={onClose} words={words} />;
}
