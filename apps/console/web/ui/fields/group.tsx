import { type ReactElement, type ReactNode, useId } from 'react';
import { WarningIcon } from '../icons/icons';
import styles from './fields.module.css';
import { useFieldError } from './form-errors';
import { wrongMark } from './wrong-fields';

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
  const id = useId();
  return (
    // Its error is read out when the focus comes into it.
    <div
      className={styles.group}
      {...(wrong !== null && { role: 'group', 'aria-describedby': id })}
      {...wrongMark(problem, refused)}
    >
      {children}
      {wrong !== null && (
        <p id={id} className={styles.problem}>
          <WarningIcon /> {wrong}
        </p>
      )}
    </div>
  );
}
