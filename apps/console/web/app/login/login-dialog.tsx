import { type ReactElement, type RefObject, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { logIn } from '../../api/transport';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { AlertDialog } from '../../ui/dialog/dialog';
import { Form } from '../../ui/fields/form';
import { TextField } from '../../ui/fields/text-field';
import { loginAddress } from '../../session/login-address';
import { announceLogIn } from '../../session/other-tabs';
import { sessionStore, useSession } from '../../session/session-store';

interface LoginDialogProps {
  readonly isOpen: boolean;
  /** Whether the session has ended already: then only a login, or leaving, closes the dialog. */
  readonly hasEnded: boolean;
  readonly onClose: () => void;
}

/** Asks for the password over the page, so that nothing typed is lost. */
export function LoginDialog({ isOpen, hasEnded, onClose }: LoginDialogProps): ReactElement {
  const { user } = useSession();
  const password = useRef<HTMLInputElement>(null);
  return (
    <AlertDialog
      isOpen={isOpen}
      title={hasEnded ? 'Your session has ended' : 'Log in again'}
      description={<p>Log in to continue. What you typed is kept.</p>}
      initialFocus={password}
      {...(!hasEnded && { onClose })}
    >
      <LoginForm email={user.email} input={password} onDone={onClose} onCancel={hasEnded ? null : onClose} />
    </AlertDialog>
  );
}

interface LoginFormProps {
  readonly email: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onDone: () => void;
  readonly onCancel: (() => void) | null;
}

function LoginForm({ email, input, onDone, onCancel }: LoginFormProps): ReactElement {
  const { password, setPassword, isBusy, error, submit } = useLogin(email, onDone);
  const isWrong = error instanceof ApiError && error.code === 'invalid_login';
  const leave = () => window.location.replace(loginAddress());
  return (
    <Form
      error={isWrong ? null : error}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onCancel ?? leave}>
            {onCancel === null ? 'Log in as somebody else' : 'Cancel'}
          </Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Log in
          </Button>
        </>
      }
    >
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        readOnly
        value={visibleText(email)}
        onChange={ignore}
      />
      <TextField
        ref={input}
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        problem={isWrong ? error.message : null}
        onChange={setPassword}
      />
    </Form>
  );
}

function useLogin(email: string, onDone: () => void) {
  const [password, setPassword] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      const session = await logIn(email, password);
      announceLogIn(session);
      // Another user must not go on in the page of this one.
      if (session.user.id !== sessionStore.get().session.user.id) window.location.reload();
      sessionStore.begin(session);
      onDone();
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error('Logging in failed.'));
      setPassword('');
    }
    setIsBusy(false);
  };
  return { password, setPassword, isBusy, error, submit };
}

const ignore = (): void => undefined;
