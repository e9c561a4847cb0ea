import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDone } from '../../../frame/form-dialog';
import { WriteForm } from '../../../frame/write-form';
import { SecretDialog } from '../../../ui/dialog/secret-dialog';
import { TextField } from '../../../ui/fields/text-field';
import { useWrite } from '../../api/use-api';
import { text } from './text';

const words = text.password;

interface ResetPasswordProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes a link for somebody who cannot log in. It is shown once. */
export function ResetPassword({ isOpen, onClose }: ResetPasswordProps): ReactElement {
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} description={<p>{words.why}</p>}>
        <ResetForm onLink={setLink} />
      </FormDialog>
      <SecretDialog
        secret={link}
        onSaved={() => setLink(null)}
        title={words.linkTitle}
        label={words.label}
        warning={words.warning}
      />
    </>
  );
}

function ResetForm({ onLink }: { readonly onLink: (url: string) => void }): ReactElement {
  const [email, setEmail] = useState('');
  const [isTried, setTried] = useState(false);
  const close = useFormDone();
  const reset = useWrite(
    (api, address: string) => api.post('/password-resets', { body: { email: address } }),
    {
      changes: [],
      says: words.done,
    },
  );
  const submit = async () => {
    setTried(true);
    if (email.trim() === '') return;
    const made = await reset.run(email.trim());
    if (made === null) return;
    close();
    onLink(made.reset_url);
  };
  return (
    <WriteForm write={reset} isChanged={email !== ''} action={words.action} onSubmit={() => void submit()}>
      <TextField
        name="email"
        type="email"
        label={words.email}
        value={email}
        problem={isTried && email.trim() === '' ? text.form.noOwner : null}
        onChange={setEmail}
      />
    </WriteForm>
  );
}
