import { type ReactElement } from 'react';
import { ChevronsIcon } from '../icons/icons';
import { type Choice } from './choice';
import styles from './fields.module.css';

export interface SelectProps<Value extends string> {
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
  readonly placeholder?: string | undefined;
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
}

/** The class of a select's button. */
export const buttonClass = `${styles.input} ${styles.trigger}`;

type ShownProps = Pick<SelectProps<string>, 'value' | 'placeholder'> & {
  readonly choices: readonly Choice<string>[];
};

/** The content of a select's button. */
export function SelectValue({ value, choices, placeholder = 'Choose…' }: ShownProps): ReactElement {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <>
      <span className={chosen === undefined ? styles.placeholder : undefined}>
        {chosen?.label ?? placeholder}
      </span>
      <ChevronsIcon />
    </>
  );
}
