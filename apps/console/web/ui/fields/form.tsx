import { createContext, type ReactElement, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { ApprovalReason } from '../../app/approval-reason';
import { ErrorNote } from '../states/error-note';
import styles from './fields.module.css';

interface FormErrors {
  readonly error: Error | null;
  readonly claim: (name: string) => () => void;
}
const FormContext = createContext<FormErrors>({ error: null, claim: () => () => undefined });

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

/** The message of the form's error, if it is about this field: `limits` also for `limits.rpm` and `limits[2]`. */
export function useFieldError(name: string | undefined): string | null {
  const { error, claim } = use(FormContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  return name !== undefined && isAbout(error, name) ? error.message : null;
}

const isAbout = (error: Error | null, name: string): error is ApiError =>
  error instanceof ApiError &&
  error.param !== null &&
  (error.param === name || error.param.startsWith(`${name}.`) || error.param.startsWith(`${name}[`));
