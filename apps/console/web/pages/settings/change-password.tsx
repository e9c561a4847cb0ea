import { type ReactElement, useState } from 'react';
import { accountApi } from '../../api/client';
import { refreshSession } from '../../api/transport';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { TextField } from '../../ui/fields/text-field';
import { text } from './text';
import { SESSIONS } from './use-sessions';

const words = text.account;

interface ChangePasswordProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ChangePassword({ isOpen, onClose }: ChangePasswordProps): ReactElement {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.changePassword}
      description={words.passwordNote}
    >
      <PasswordForm />
    </FormDialog>
  );
}

interface Draft {
  readonly current: string;
  readonly next: string;
  readonly again: string;
}

/** The passwords live in this form alone, and end with it. */
function PasswordForm(): ReactElement {
  const [draft, setDraft] = useState<Draft>({ current: '', next: '', again: '' });
  const [isTried, setTried] = useState(false);
  const { current, next, again } = draft;
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const write = useWrite(
    () => accountApi.post('/auth/password', { body: { current_password: current, new_password: next } }),
    { changes: [SESSIONS], says: words.passwordChanged },
  );
  const submit = async () => {
    setTried(true);
    if (current === '' || next === '' || next !== again) return;
    if ((await write.run(undefined)) === null) return;
    // The session goes on with another token against forged writes.
    await refreshSession();
    done();
  };
  return (
    <WriteForm
      write={write}
      isChanged={current !== '' || next !== '' || again !== ''}
      action={words.changePassword}
      onSubmit={() => void submit()}
    >
      <PasswordFields draft={draft} isTried={isTried} onChange={set} />
    </WriteForm>
  );
}

function PasswordFields(props: {
  readonly draft: Draft;
  readonly isTried: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}): ReactElement {
  const { draft, isTried, onChange } = props;
  const { current, next, again } = draft;
  const missing = (value: string) => (isTried && value === '' ? words.missing : null);
  return (
    <>
      <TextField
        name="current_password"
        type="password"
        autoComplete="current-password"
        label={words.current}
        value={current}
        problem={missing(current)}
        onChange={(value) => onChange({ current: value })}
      />
      <TextField
        name="new_password"
        type="password"
        autoComplete="new-password"
        label={words.next}
        hint={words.nextHint}
        value={next}
        problem={missing(next)}
        onChange={(value) => onChange({ next: value })}
      />
      <TextField
        type="password"
        autoComplete="new-password"
        label={words.again}
        value={again}
        problem={isTried && next !== again ? words.different : null}
        onChange={(value) => onChange({ again: value })}
      />
    </>
  );
}
