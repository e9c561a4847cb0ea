import { type ReactElement, type ReactNode } from 'react';
import { InfoIcon, WarningIcon } from '../icons/icons';
import styles from './states.module.css';

interface NoteProps {
  readonly children: ReactNode;
}

/** Something to know. `hasRoom` keeps two lines for words that change once they are known: what is below stays where it is. */
export function Note({ children, hasRoom }: NoteProps & { readonly hasRoom?: boolean }): ReactElement {
  return (
    <div className={styles.note} data-room={hasRoom}>
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
