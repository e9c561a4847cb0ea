import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { ErrorNote } from '../states/error-note';
import { ApprovalReason } from './approval-reason';
import styles from './fields.module.css';
import { FormContext, isAbout } from './form-errors';

export interface FormProps {
  readonly onSubmit: () => void;
  /** The error of the last write. One that names a field is shown at that field, any other above the buttons. */
  readonly error: Error | null;
  readonly children: ReactNode;
  /** Buttons, the safe one first. */
  readonly actions: ReactNode;
  /** What approval policies call what it does: `api_key.create`. */
  readonly approval?: string;
  /** Its name, where the page has several forms. */
  readonly label?: string;
}

/** A form whose fields show the API's own words, by the `param` that an error names. */
export function Form({ onSubmit, error, children, actions, approval, label }: FormProps): ReactElement {
  const [names, setNames] = useState<readonly string[]>([]);
  const errors = useMemo(() => {
    const claim = (name: string) => {
      setNames((claimed) => [...claimed, name]);
      return () => setNames((claimed) => claimed.filter((other) => other !== name));
    };
    return { error, claim };
  }, [error]);
  const isClaimed = names.some((name) => isAbout(error, name));
  return (
    <FormContext value={errors}>
      <form
        noValidate
        className={styles.form}
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          // A form in a dialog is, for React, inside the form that opened it.
          event.stopPropagation();
          onSubmit();
        }}
      >
        {children}
        {approval !== undefined && <ApprovalReason action={approval} />}
        {!isClaimed && <ErrorNote error={error} />}
        <div className={styles.actions}>{actions}</div>
      </form>
    </FormContext>
  );
}
