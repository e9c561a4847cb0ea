import { type ComponentProps, type ReactElement } from 'react';
import { Field, type FieldProps } from './field';
import styles from './fields.module.css';

type NativeInput = Pick<
  ComponentProps<'input'>,
  | 'type'
  | 'autoComplete'
  | 'placeholder'
  | 'readOnly'
  | 'required'
  | 'maxLength'
  | 'inputMode'
  | 'ref'
  | 'spellCheck'
>;

interface TextFieldProps extends FieldProps, NativeInput {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One line of text, or `datetime-local` and the like by `type`. */
export function TextField(props: TextFieldProps): ReactElement {
  const { label, hint, name, problem, value, onChange, ...native } = props;
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {(control) => (
        <input
          autoComplete="off"
          {...native}
          {...control}
          className={styles.input}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly placeholder?: string;
  /** Ctrl or Cmd with Enter. */
  readonly onSubmit?: () => void;
}

/** Several lines of text. */
export function TextArea(props: TextAreaProps): ReactElement {
  const {
    label,
    hint,
    name,
    problem,
    value,
    onChange,
    rows = 4,
    isCode = false,
    placeholder,
    onSubmit,
  } = props;
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {(control) => (
        <textarea
          {...control}
          className={isCode ? `${styles.input} mono` : styles.input}
          rows={rows}
          spellCheck={!isCode}
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onSubmit?.();
          }}
        />
      )}
    </Field>
  );
}
