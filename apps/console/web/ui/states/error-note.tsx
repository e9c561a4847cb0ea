import { type ReactElement, useEffect, useRef } from 'react';
import { WarningIcon } from '../icons/icons';
import { ErrorFacts } from './error-facts';
import styles from './states.module.css';
import { approvalRequestOf, WaitsForApproval } from './waits-for-approval';

interface ErrorNoteProps {
  readonly error: Error | null;
  /** In a form, whose submit it answers. Elsewhere the focus stays, and the error comes into sight. */
  readonly takesFocus?: boolean;
}

/** An error inside a form or a dialog, read out at once: the message, its code and the request id. */
export function ErrorNote({ error, takesFocus = false }: ErrorNoteProps): ReactElement | null {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error === null) return;
    if (takesFocus) note.current?.focus({ preventScroll: true });
    note.current?.scrollIntoView({ block: 'nearest' });
  }, [error, takesFocus]);
  if (error === null) return null;
  const waitingId = approvalRequestOf(error);
  if (waitingId !== null) return <WaitsForApproval ref={note} requestId={waitingId} />;
  return (
    <div ref={note} role="alert" tabIndex={-1} className={styles.note} data-tone="bad">
      <WarningIcon />
      <div>
        <p>{error.message}</p>
        <ErrorFacts error={error} />
      </div>
    </div>
  );
}
