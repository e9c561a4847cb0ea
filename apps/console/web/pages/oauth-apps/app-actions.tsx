import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { type OauthApp } from './oauth-app';
import { ClientSecret, EditApp } from './register-app';
import { text } from './text';

const words = text.one;
interface DialogProps {
  readonly app: OauthApp;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Actions on an app. */
export function AppActions({ app }: { readonly app: OauthApp }): ReactElement {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'revoke' | null>(null);
  const close = () => setOpen(null);
  const revoked = app.state === 'revoked' ? words.revokedReason : null;
  return (
    <>
      <Button disabledReason={revoked} onClick={() => setOpen('edit')}>
        {words.edit}
      </Button>
      <Button
        disabledReason={revoked ?? (app.app_type === 'public' ? words.publicReason : null)}
        onClick={() => setOpen('rotate')}
      >
        {words.rotate}
      </Button>
      <Button variant="danger" disabledReason={revoked} onClick={() => setOpen('revoke')}>
        {words.revoke}
      </Button>
      <EditApp app={app} isOpen={open === 'edit'} onClose={close} />
      <RotateSecret app={app} isOpen={open === 'rotate'} onClose={close} />
      <RevokeApp app={app} isOpen={open === 'revoke'} onClose={close} />
    </>
  );
}

function RotateSecret({ app: { id }, isOpen, onClose }: DialogProps): ReactElement {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useWrite(
    (api) => api.post('/oauth-apps/{app_id}/rotate-secret', { params: { path: { app_id: id } } }),
    { changes: ['/oauth-apps', '/audit-log'] },
  );
  return (
    <>
      <ConfirmWrite
        approval="oauth_app.rotate_secret"
        write={rotate}
        isOpen={isOpen}
        onClose={onClose}
        words={text.rotate}
        onDone={({ client_secret }) => setSecret(client_secret)}
      />
      <ClientSecret secret={secret} onSaved={() => setSecret(null)} />
    </>
  );
}

const COUNTED = 100;

/** For good: it names how many grants of this organization end. */
function RevokeApp({ app: { id, name }, isOpen, onClose }: DialogProps): ReactElement {
  const canReadGrants = useCan('grant:read');
  const query = { app_id: id, state: 'active' as const, limit: COUNTED };
  const grants = useRead('/oauth-apps/grants', { params: { query } }, { enabled: isOpen && canReadGrants });
  const revoke = useWrite((api) => api.delete('/oauth-apps/{app_id}', { params: { path: { app_id: id } } }), {
    changes: ['/oauth-apps', '/audit-log'],
    says: text.revoke.done,
  });
  return (
    <ConfirmWrite write={revoke} isOpen={isOpen} onClose={onClose} words={text.revoke} typedName={name}>
      {grants.data !== undefined && (
        <p>{text.revoke.grants(grants.data.data.length, grants.data.next_cursor !== null)}</p>
      )}
    </ConfirmWrite>
  );
}
