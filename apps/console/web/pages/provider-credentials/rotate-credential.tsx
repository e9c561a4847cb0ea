import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { type Credential } from './credential';
import { NewSecretField } from './secret-field';
import { text } from './text';

interface RotateCredentialProps {
  readonly credential: Credential;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Puts a new secret in the place of the old one. The id stays. */
export function RotateCredential({ credential, isOpen, onClose }: RotateCredentialProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.rotate.title} description={text.rotate.note}>
      <RotateForm credential={credential} />
    </FormDialog>
  );
}

function RotateForm({ credential: { id } }: { readonly credential: Credential }): ReactElement {
  const [secret, setSecret] = useState('');
  const [isTried, setTried] = useState(false);
  const done = useFormDone();
  const params = { path: { credential_id: id } };
  const rotate = useWrite(
    (api) => api.post('/provider-credentials/{credential_id}/rotate', { params, body: { secret } }),
    { changes: ['/provider-credentials', '/audit-log'], says: text.rotate.done },
  );
  const isMissing = secret.trim() === '';
  const submit = async () => {
    setTried(true);
    if (!isMissing && (await rotate.run(undefined)) !== null) done();
  };
  return (
    <WriteForm
      approval="provider_credential.rotate"
      write={rotate}
      isChanged={secret !== ''}
      action={text.rotate.action}
      onSubmit={() => void submit()}
    >
      <NewSecretField
        value={secret}
        onChange={setSecret}
        problem={isTried && isMissing ? text.addForm.noSecret : null}
      />
    </WriteForm>
  );
}
