import { type ReactElement, useState } from 'react';
import { useRead, useWrite } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { type OauthApp } from './oauth-app';
import { ClientSecret, EditApp } from './register-app';
import { text } from './text';

const words = text.one;
interface DialogProps {
  readonly app: OauthApp;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** What can be done with an app. */
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
  const confirm = async () => {
    const answer = await rotate.run(undefined);
    if (answer !== null) setSecret(answer.client_secret);
  };
  return (
    <>
      <ConfirmDialog
        approval="oauth_app.rotate_secret"
        isOpen={isOpen && secret === null}
        onClose={onClose}
        title={text.rotate.title}
        action={text.rotate.action}
        isBusy={rotate.isBusy}
        error={rotate.error}
        onConfirm={() => void confirm()}
      >
        <p>{text.rotate.body}</p>
      </ConfirmDialog>
      <ClientSecret
        secret={secret}
        onSaved={() => {
          setSecret(null);
          onClose();
        }}
      />
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
  const confirm = async () => {
    if ((await revoke.run(undefined)) !== null) onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.revoke.title}
      action={text.revoke.action}
      typedName={name}
      isBusy={revoke.isBusy}
      error={revoke.error}
      onConfirm={() => void confirm()}
    >
      <p>{text.revoke.body}</p>
      {grants.data !== undefined && (
        <p>{text.revoke.grants(grants.data.data.length, grants.data.next_cursor !== null)}</p>
      )}
    </ConfirmDialog>
  );
}
