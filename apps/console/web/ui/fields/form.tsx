import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { formatCount, formatList } from '../../format/numbers';
import { Footer } from '../footer/footer';
import { WarningIcon } from '../icons/icons';
import { ErrorNote } from '../states/error-note';
import { ApprovalReason } from './approval-reason';
import styles from './fields.module.css';
import { FormContext, isAbout } from './form-errors';
import { useRefusedSubmit } from './refused-submit';

const words = {
  check: (names: readonly string[]): string =>
    names.length === 1
      ? `Check the field ${formatList(names)}.`
      : `Check ${formatCount(names.length)} fields: ${formatList(names)}.`,
};

export interface FormProps {
  readonly onSubmit: () => void;
  /** The error of the last write. One that names a field is shown at that field, any other above the buttons. */
  readonly error: Error | null;
  readonly children: ReactNode;
  /** Buttons, the safe one first. */
  readonly actions: ReactNode;
  /** The action, as approval policies call it: `api_key.create`. */
  readonly approval?: string;
  /** Its name, where the page has several forms. */
  readonly label?: string;
}

/**
 * A form whose fields show the API's own words, by the `param` that an error names. A refused submit moves the focus to the
 * first field with an error, or to the error itself, and says so.
 */
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
  const { form, names: wrongNames, submitted } = useRefusedSubmit();
  return (
    <FormContext value={errors}>
      <form
        ref={form}
        noValidate
        className={styles.frame}
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          // A form in a dialog is, for React, inside the form that opened it.
          event.stopPropagation();
          onSubmit();
          submitted();
        }}
      >
        {children}
        {approval !== undefined && <ApprovalReason action={approval} />}
        {!isClaimed && <ErrorNote error={error} takesFocus />}
        <Footer note={<WhatToCheck names={wrongNames} />}>{actions}</Footer>
      </form>
    </FormContext>
  );
}

/** Said once for each refused submit. One field has the focus and its error beside it: it is only said, not shown. */
function WhatToCheck({ names }: { readonly names: readonly string[] }): ReactElement | null {
  if (names.length === 0) return null;
  return (
    <p role="alert" className={names.length === 1 ? 'visually-hidden' : styles.problem}>
      <WarningIcon /> {words.check(names)}
    </p>
  );
}
