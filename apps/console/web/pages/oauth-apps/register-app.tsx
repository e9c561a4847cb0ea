import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { SecretDialog } from '../../ui/dialog/secret-dialog';
import { AppForm, type AppDraft } from './app-form';
import { type OauthApp } from './oauth-app';
import { text } from './text';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const emptyDraft: AppDraft = {
  name: '',
  app_type: 'confidential',
  redirect_uris: [],
  scopes: [],
  homepage: null,
};

/** Registers an app, and shows the secret of a confidential one once. */
export function RegisterApp({ isOpen, onClose }: DialogProps): ReactElement {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <FormDialog
        isOpen={isOpen && secret === null}
        onClose={onClose}
        size="large"
        title={text.form.registerTitle}
      >
        <NewApp onSecret={setSecret} />
      </FormDialog>
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

export const ClientSecret = (props: {
  readonly secret: string | null;
  readonly onSaved: () => void;
}): ReactElement => (
  <SecretDialog
    secret={props.secret}
    title={text.secret.title}
    label={text.secret.label}
    warning={text.secret.warning}
    onSaved={props.onSaved}
  />
);

/** A public app has no secret to show. */
function NewApp({ onSecret }: { readonly onSecret: (secret: string) => void }): ReactElement {
  const done = useFormDone();
  const register = useWrite((api, body: AppDraft) => api.post('/oauth-apps', { body }), {
    changes: ['/oauth-apps'],
    says: text.form.registered,
  });
  const submit = async (draft: AppDraft) => {
    const made = await register.run(draft);
    if (made === null) return;
    if (made.client_secret === null) done();
    else onSecret(made.client_secret);
  };
  return <AppForm initial={emptyDraft} isNew write={register} onSubmit={(draft) => void submit(draft)} />;
}

/** The type of an app stays what it is. */
export function EditApp({ app, isOpen, onClose }: DialogProps & { readonly app: OauthApp }): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} size="large" title={text.form.editTitle}>
      <ChangedApp app={app} onClose={onClose} />
    </FormDialog>
  );
}

function ChangedApp(props: { readonly app: OauthApp; readonly onClose: () => void }): ReactElement {
  const { app, onClose } = props;
  const params = { path: { app_id: app.id } };
  const change = useWrite(
    (api, { name, redirect_uris, scopes, homepage }: AppDraft) =>
      api.patch('/oauth-apps/{app_id}', { params, body: { name, redirect_uris, scopes, homepage } }),
    { changes: ['/oauth-apps', '/audit-log'], says: text.form.saved },
  );
  const submit = async (draft: AppDraft) => {
    if ((await change.run(draft)) !== null) onClose();
  };
  return <AppForm initial={app} write={change} onSubmit={(draft) => void submit(draft)} />;
}
