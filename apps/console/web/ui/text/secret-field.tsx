import { type ReactElement, useId } from 'react';
import fields from '../fields/fields.module.css';
import { CopyButton } from './copy-button';

interface SecretFieldProps {
  /** The kind of secret: `API key`. */
  readonly label: string;
  readonly secret: string;
}

/** In a browser that cannot size the field by what it holds. */
const CHARACTERS_A_LINE = 32;
const LINES_MAX = 6;

/**
 * A secret to be saved now: read only, copied only when asked. All of it can be seen: it breaks into lines, and what is
 * longer still shows its beginning.
 */
export function SecretField({ label, secret }: SecretFieldProps): ReactElement {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <div className={fields.inputGroup}>
        <textarea
          id={id}
          className={`${fields.input} ${fields.whole} mono`}
          readOnly
          rows={Math.min(LINES_MAX, Math.ceil(secret.length / CHARACTERS_A_LINE))}
          value={secret}
          autoComplete="off"
          spellCheck={false}
          // Backwards, so that a browser which shows where a selection ends shows the beginning.
          onFocus={({ target }) => target.setSelectionRange(0, target.value.length, 'backward')}
        />
        <CopyButton text={secret} what={label} isLabelled />
      </div>
    </div>
  );
}
