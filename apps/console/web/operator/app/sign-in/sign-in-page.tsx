import { type ReactElement, useEffect, useRef } from 'react';
import { Logo } from '../../../ui/icons/icons';
import styles from './session.module.css';
import { text } from './text';
import { TokenForm } from './token-form';

/** Stands in for every page while nobody is signed in. The address stays: it is where one goes on. */
export function SignInPage({ wasSignedIn }: { readonly wasSignedIn: boolean }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${text.signIn} · ${text.title} · Svc`;
    input.current?.focus();
  }, []);
  return (
    <main className={styles.signIn}>
      <div className={styles.card}>
        <h1>
          <Logo /> {text.title}
        </h1>
        <p className="muted">{text.purpose}</p>
        <p role="status">{wasSignedIn && text.signedOut}</p>
        <TokenForm input={input} />
      </div>
    </main>
  );
}
