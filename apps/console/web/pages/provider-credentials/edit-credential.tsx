import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { differing } from '../../api/differing';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { TextField } from '../../ui/fields/text-field';
import { type Credential } from './credential';
import { poolBody, poolDraftOf } from './pool';
import { PoolFields } from './pool-fields';
import { text } from './text';

type Change = components['schemas']['ProviderCredentialChange'];

interface EditCredentialProps {
  readonly credential: Credential;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Renames a credential, and changes its part in the provider's pool. */
export function EditCredential({ credential, isOpen, onClose }: EditCredentialProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.edit.title}>
      <EditForm credential={credential} />
    </FormDialog>
  );
}

function EditForm({ credential }: { readonly credential: Credential }): ReactElement {
  const [label, setLabel] = useState(credential.label);
  const [pool, setPool] = useState(poolDraftOf(credential));
  const [isTried, setTried] = useState(false);
  const done = useFormDone();
  const params = { path: { credential_id: credential.id } };
  const change = useWrite(
    (api, body: Change) => api.patch('/provider-credentials/{credential_id}', { params, body }),
    { changes: ['/provider-credentials', '/audit-log'], says: text.edit.done },
  );
  const typed = label.trim();
  const body: Change = differing({ label: typed, ...poolBody(pool) }, credential);
  const save = async () => {
    setTried(true);
    if (typed !== '' && (await change.run(body)) !== null) done();
  };
  return (
    <WriteForm
      approval="provider_credential.update"
      write={change}
      isChanged={Object.keys(body).length > 0}
      action={text.edit.action}
      onSubmit={() => void save()}
    >
      <TextField
        name="label"
        label={text.addForm.label}
        hint={text.addForm.labelHint}
        value={label}
        problem={isTried && typed === '' ? text.addForm.noLabel : null}
        onChange={setLabel}
      />
      <PoolFields draft={pool} onChange={(part) => setPool((held) => ({ ...held, ...part }))} />
    </WriteForm>
  );
}
