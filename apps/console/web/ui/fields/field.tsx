import { type ReactElement, type ReactNode, useId } from 'react';
import { WarningIcon } from '../icons/icons';
import styles from './fields.module.css';
import { useFieldError } from './form-errors';
import { wrongMark } from './wrong-fields';

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The API's name of the field, by which its errors are shown here. */
  readonly name?: string;
  /** The problem of the typed text, found before anything is sent. */
  readonly problem?: string | null | undefined;
}

/** Properties that the control of a field takes, so that label, hint and error are said with it. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** A label, its control, a hint, and the error that the form or the API found. */
export function Field(
  props: FieldProps & { readonly children: (control: ControlProps) => ReactNode },
): ReactElement {
  const { label, hint, name, problem = null, children } = props;
  const id = useId();
  const refused = useFieldError(name);
  const wrong = problem ?? refused;
  const described = [wrong !== null && `${id}-problem`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return (
    <div className={styles.field} {...wrongMark(problem, refused)}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': wrong === null ? undefined : true,
      })}
      {wrong !== null && (
        <p id={`${id}-problem`} className={styles.problem}>
          <WarningIcon /> {wrong}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
