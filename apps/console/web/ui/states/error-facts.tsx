import { type ReactElement } from 'react';
import { ApiError } from '../../api/api-error';
import { Id } from '../text/id';
import styles from './states.module.css';

/** Facts for somebody who is asked for help. */
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
