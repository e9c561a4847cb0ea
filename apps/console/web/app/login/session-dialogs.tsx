import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { Button } from '../../ui/button/button';
import { lazyPart } from '../../ui/loading/lazy-part';
import { WarningNote } from '../../ui/states/notes';
import { Time } from '../../ui/text/time';
import { useSessionState } from '../../session/session-store';
import styles from './session-dialogs.module.css';

const LoginDialog = lazyPart(async () => (await import('./login-dialog')).LoginDialog);

const NOTICE_MS = 15 * 60_000;
const CHECK_MS = 30_000;

/** Warns before the session ends, and asks to log in again when it has. */
export function SessionDialogs(): ReactElement {
  const { phase, session } = useSessionState();
  const [isAsked, setIsAsked] = useState(false);
  const endsSoon = useEndsSoon(session.expires_at);
  const hasEnded = phase === 'ended';
  const isOpen = hasEnded || isAsked;
  // Once it was shown it stays, so that its closing is shown too.
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <>
      <div role="status" className={styles.notice}>
        {endsSoon && !hasEnded && (
          <WarningNote>
            Your session ends at <Time at={session.expires_at} as="clock" />.{' '}
            <Button onClick={() => setIsAsked(true)}>Log in again</Button>
          </WarningNote>
        )}
      </div>
      <Suspense>
        {wasOpen && <LoginDialog isOpen={isOpen} hasEnded={hasEnded} onClose={() => setIsAsked(false)} />}
      </Suspense>
    </>
  );
}

function useEndsSoon(expiresAt: string): boolean {
  const ends = Date.parse(expiresAt);
  const [isSoon, setIsSoon] = useState(false);
  useEffect(() => {
    const check = () => setIsSoon(ends - Date.now() < NOTICE_MS);
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [ends]);
  return isSoon;
}
