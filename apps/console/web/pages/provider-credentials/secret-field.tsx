import { type ReactElement } from 'react';
import { TextField } from '../../ui/fields/text-field';
import { text } from './text';

interface NewSecretFieldProps {
  readonly value: string;
  readonly onChange: (secret: string) => void;
  readonly problem: string | null;
}

/** A secret is typed unseen, and no browser offers to keep it. */
export function NewSecretField({ value, onChange, problem }: NewSecretFieldProps): ReactElement {
  return (
    <TextField
      name="secret"
      label={text.addForm.secret}
      hint={text.addForm.secretHint}
      type="password"
      autoComplete="off"
      spellCheck={false}
      value={value}
      problem={problem}
      onChange={onChange}
    />
  );
}
