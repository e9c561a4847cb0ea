import { type ReactElement } from 'react';
import { ApiError } from '../../api/api-error';
import { WarningIcon } from '../icons/icons';
import { Id } from '../text/id';
import styles from './states.module.css';
import { approvalRequestOf, WaitsForApproval } from './waits-for-approval';

/** An error inside a form or a dialog, read out at once: the message, its code and the request id. */
export function ErrorNote({ error }: { readonly error: Error | null }): ReactElement | null {
  if (error === null) return null;
  const waitingId = approvalRequestOf(error);
  if (waitingId !== null) return <WaitsForApproval requestId={waitingId} />;
  return (
    <div role="alert" className={styles.note} data-tone="bad">
      <WarningIcon />
      <div>
        <p>{error.message}</p>
        <ErrorFacts error={error} />
      </div>
    </div>
  );
}

/** What somebody who is asked for help wants to know. */
export function ErrorFacts({ error }: { readonly error: Error }): ReactElement | null {
  if (!(error instanceof ApiError)) return null;
  return (
    <p className={styles.facts}>
      <code>{error.code}</code>
      {error.requestId !== null && (
        <>
          {' '}
          · <Id id={error.requestId} />
        </>
      )}
    </p>
  );
}
