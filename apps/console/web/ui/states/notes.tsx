import { type ReactElement, type ReactNode } from 'react';
import { InfoIcon, WarningIcon } from '../icons/icons';
import styles from './states.module.css';

interface NoteProps {
  readonly children: ReactNode;
}

/** Something to know. */
export function Note({ children }: NoteProps): ReactElement {
  return (
    <div className={styles.note}>
      <InfoIcon />
      <div>{children}</div>
    </div>
  );
}

/** Something to beware of. */
export function WarningNote({ children }: NoteProps): ReactElement {
  return (
    <div className={styles.note} data-tone="warn">
      <WarningIcon />
      <div>{children}</div>
    </div>
  );
}
