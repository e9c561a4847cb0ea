import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { usePages } from '../../browser/pages-of-list';
import { ConfirmWrite } from '../../frame/confirm-write';
import { FirstButton } from '../../frame/first-button';
import { useCan } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { ErrorNote } from '../../ui/states/error-note';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { LinkDialog } from './link-dialog';
import { type CreatedInvitation, type Invitation } from './member';
import { invitationStates, text } from './text';

const words = text.invitations;
const tones = { pending: 'accent', accepted: 'good', revoked: 'neutral', expired: 'warn' } as const;

const columns: readonly Column<Invitation>[] = [
  { key: 'email', header: text.columns.email, cell: ({ email }) => <Name>{email}</Name> },
  { key: 'role', header: text.columns.role, cell: ({ role }) => roleLabel(role) },
  {
    key: 'state',
    header: text.columns.state,
    cell: ({ state }) => <Badge tone={tones[state]}>{invitationStates[state]}</Badge>,
  },
  { key: 'invited', header: text.columns.invited, cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'expires', header: text.columns.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
];
const actions: Column<Invitation> = {
  key: 'actions',
  header: text.columns.actions,
  cell: (invitation) => <InvitationActions invitation={invitation} />,
};

export function Invitations(): ReactElement {
  const pages = usePages();
  const canWrite = useCan('member:write');
  const invitations = useRead(
    '/members/invitations',
    { params: { query: pages.query } },
    { keepsPrevious: true },
  );
  return (
    <PagedTable
      of={invitations}
      pages={pages}
      columns={canWrite ? [...columns, actions] : columns}
      words={words}
      firstAction={<FirstButton opens="invite" needs="member:write" label={words.first} />}
    />
  );
}

function InvitationActions({ invitation }: { readonly invitation: Invitation }): ReactElement {
  const [isAsked, setAsked] = useState(false);
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const options = { changes: ['/members/invitations', '/audit-log'] };
  const params = { path: { invitation_id: invitation.id } };
  const resend = useWrite(
    (api) => api.post('/members/invitations/{invitation_id}/resend', { params }),
    options,
  );
  const revoke = useWrite((api) => api.delete('/members/invitations/{invitation_id}', { params }), {
    ...options,
    says: words.revoked,
  });
  const disabledReason = invitation.state === 'pending' ? null : words.usedReason;
  return (
    <>
      <Button
        isBusy={resend.isBusy}
        disabledReason={disabledReason}
        data-tip={disabledReason ?? words.resendNote}
        onClick={() => void resend.run(undefined).then(setCreated)}
      >
        {words.resend}
      </Button>{' '}
      <Button disabledReason={disabledReason} onClick={() => setAsked(true)}>
        {words.revoke}
      </Button>
      <ErrorNote error={resend.error} />
      <LinkDialog created={created} onSaved={() => setCreated(null)} />
      <ConfirmWrite
        write={revoke}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        words={{ title: words.revokeTitle, action: words.revokeTitle }}
      >
        <p>
          <Name>{invitation.email}</Name>. {words.revokeEffect}
        </p>
      </ConfirmWrite>
    </>
  );
}
