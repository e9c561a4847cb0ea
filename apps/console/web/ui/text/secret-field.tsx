import { type ReactElement, useId } from 'react';
import fields from '../fields/fields.module.css';
import { CopyButton } from './copy-button';

interface SecretFieldProps {
  /** What it holds: `API key`. */
  readonly label: string;
  readonly secret: string;
}

/** A secret to be saved now: read only, whole, copied only when asked. */
export function SecretField({ label, secret }: SecretFieldProps): ReactElement {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <div className={fields.inputGroup}>
        <input
          id={id}
          className={`${fields.input} mono`}
          readOnly
          value={secret}
          autoComplete="off"
          spellCheck={false}
          onFocus={({ target }) => target.select()}
        />
        <CopyButton text={secret} what={label} isLabelled />
      </div>
    </div>
  );
}
