import { type ReactElement, type ReactNode } from 'react';
import { WarningIcon } from '../icons/icons';
import styles from './fields.module.css';
import { useFieldError } from './form-errors';

interface GroupProps {
  /** The API's name of what the controls make together, by which its errors are shown here. */
  readonly name: string;
  readonly problem?: string | null;
  readonly children: ReactNode;
}

/** Several controls that make one field of the API, and the error about it. */
export function Group({ name, problem = null, children }: GroupProps): ReactElement {
  const refused = useFieldError(name);
  const wrong = problem ?? refused;
  return (
    <div className={styles.form}>
      {children}
      {wrong !== null && (
        <p className={styles.problem} role="alert">
          <WarningIcon /> {wrong}
        </p>
      )}
    </div>
  );
}
