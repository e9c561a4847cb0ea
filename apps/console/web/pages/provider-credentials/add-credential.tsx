import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { TextField } from '../../ui/fields/text-field';
import { newPoolDraft, poolBody } from './pool';
import { PoolFields } from './pool-fields';
import { credentialsRoute } from './route';
import { NewSecretField } from './secret-field';
import { text } from './text';
import { useProviders } from './use-providers';

interface AddCredentialProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function AddCredential({ isOpen, onClose }: AddCredentialProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.addForm.title}>
      <AddForm />
    </FormDialog>
  );
}

const words = text.addForm;

/** The secret lives in this form alone, and ends with it. */
function AddForm(): ReactElement {
  const { provider: shown } = credentialsRoute.useSearch();
  const before = { provider: shown ?? null, label: '', secret: '' };
  const [draft, setDraft] = useState(before);
  const [pool, setPool] = useState(newPoolDraft);
  const [isTried, setTried] = useState(false);
  const providers = useProviders();
  const set = (change: Partial<typeof draft>) => setDraft((held) => ({ ...held, ...change }));
  const { provider, label, secret } = draft;
  const done = useFormDone();
  const add = useWrite(
    (api, to: string) =>
      api.post('/provider-credentials', {
        body: { provider: to, label: label.trim(), secret, ...poolBody(pool) },
      }),
    { changes: ['/provider-credentials', '/catalog', '/audit-log'], says: words.done },
  );
  const isWhole = label.trim() !== '' && secret.trim() !== '';
  const submit = async () => {
    setTried(true);
    if (provider !== null && isWhole && (await add.run(provider)) !== null) done();
  };
  return (
    <WriteForm
      approval="provider_credential.create"
      write={add}
      isChanged={label !== '' || secret !== '' || provider !== before.provider}
      action={words.submit}
      onSubmit={() => void submit()}
    >
      <ComboboxField
        name="provider"
        label={words.provider}
        value={provider}
        problem={isTried && provider === null ? words.noProvider : null}
        onChange={(next) => set({ provider: next })}
        choices={providers.map(({ name }) => ({ value: name, label: name }))}
      />
      <TextField
        name="label"
        label={words.label}
        hint={words.labelHint}
        value={label}
        problem={isTried && label.trim() === '' ? words.noLabel : null}
        onChange={(next) => set({ label: next })}
      />
      <NewSecretField
        value={secret}
        onChange={(next) => set({ secret: next })}
        problem={isTried && secret.trim() === '' ? words.noSecret : null}
      />
      <PoolFields draft={pool} onChange={(part) => setPool((held) => ({ ...held, ...part }))} />
    </WriteForm>
  );
}
