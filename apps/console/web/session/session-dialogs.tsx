import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { logIn } from '../api/transport';
import { visibleText } from '../format/visible-text';
import { Button } from '../ui/button/button';
import { AlertDialog } from '../ui/dialog/dialog';
import { Form } from '../ui/fields/form';
import { TextField } from '../ui/fields/text-field';
import { WarningNote } from '../ui/states/notes';
import { Time } from '../ui/text/time';
import { announceLogIn } from './other-tabs';
import { sessionStore, useSessionState } from './session-store';
import styles from './session-dialogs.module.css';

const NOTICE_MS = 15 * 60_000;

/** Asks to log in again when the session has ended, over the page, so that nothing typed is lost; and warns before. */
export function SessionDialogs(): ReactElement {
  const { phase, session } = useSessionState();
  const [isAsked, setIsAsked] = useState(false);
  const endsSoon = useEndsSoon(session.expires_at);
  const isOpen = phase === 'ended' || isAsked;
  const password = useRef<HTMLInputElement>(null);
  return (
    <>
      <div role="status" className={styles.notice}>
        {endsSoon && phase === 'live' && (
          <WarningNote>
            Your session ends at <Time at={session.expires_at} as="clock" />.{' '}
            <Button onClick={() => setIsAsked(true)}>Log in again</Button>
          </WarningNote>
        )}
      </div>
      <AlertDialog
        isOpen={isOpen}
        title={phase === 'ended' ? 'Your session has ended' : 'Log in again'}
        description={<p>Log in to go on where you were. What you typed is still there.</p>}
        initialFocus={password}
        {...(phase === 'live' && { onClose: () => setIsAsked(false) })}
      >
        <LoginForm
          email={session.user.email}
          input={password}
          onDone={() => setIsAsked(false)}
          onCancel={phase === 'live' ? () => setIsAsked(false) : null}
        />
      </AlertDialog>
    </>
  );
}

interface LoginFormProps {
  readonly email: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onDone: () => void;
  readonly onCancel: (() => void) | null;
}

function LoginForm({ email, input, onDone, onCancel }: LoginFormProps): ReactElement {
  const { password, setPassword, isBusy, error, submit } = useLogin(email, input, onDone);
  const leave = () => window.location.replace(loginAddress());
  return (
    <Form
      error={error}
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
        onChange={setPassword}
      />
    </Form>
  );
}

function useLogin(email: string, input: RefObject<HTMLInputElement | null>, onDone: () => void) {
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
      input.current?.focus();
    }
    setIsBusy(false);
  };
  return { password, setPassword, isBusy, error, submit };
}

const ignore = (): void => undefined;

/** The login page, which comes back to where the reader is now. */
export const loginAddress = (): string =>
  `/auth/login?return_to=${encodeURIComponent(window.location.pathname + window.location.search)}`;

function useEndsSoon(expiresAt: string): boolean {
  const ends = Date.parse(expiresAt);
  const [isSoon, setIsSoon] = useState(false);
  useEffect(() => {
    const check = () => setIsSoon(ends - Date.now() < NOTICE_MS);
    check();
    const timer = setInterval(check, NOTICE_MS / 30);
    return () => clearInterval(timer);
  }, [ends]);
  return isSoon;
}
