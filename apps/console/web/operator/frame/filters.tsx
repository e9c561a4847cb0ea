import { type ReactElement, type ReactNode } from 'react';
import { WarningNote } from '../../ui/states/notes';
import fields from '../../ui/fields/fields.module.css';
import styles from './filters.module.css';

/** The filters of a list, above it. */
export const Filters = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <search aria-label="Filters" className={styles.bar}>
    {children}
  </search>
);

/** The choices of a filter, after one that clears it. */
export const withAll = <Value extends string>(
  all: string,
  { choices }: { readonly choices: readonly Value[] },
  words: Readonly<Record<Value, string>>,
) => [{ value: 'all' as const, label: all }, ...choices.map((value) => ({ value, label: words[value] }))];

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
}

/** One of more choices than a narrow window has room for side by side: the browser's own list. */
export function Choice<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  const { label, value, onChange, choices } = props;
  return (
    <label className={styles.choice}>
      {label}
      <select
        className={fields.input}
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find((choice) => choice.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Buttons of a row or of a section, which break into lines where it is narrow. */
export const Buttons = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <span className={styles.buttons}>{children}</span>
);

/** Short fields beside each other, where there is room. */
export const Pair = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className={styles.pair}>{children}</div>
);

/** The second line of a cell. */
export const Part = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <span className={styles.part}>{children}</span>
);

/** Something to beware of, before the sections of a page. */
export const PageWarning = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className={styles.note}>
    <WarningNote>{children}</WarningNote>
  </div>
);

/** A text of several lines, as it was written. */
export const Prose = ({ children }: { readonly children: string }): ReactElement => (
  <p className={styles.prose}>{children}</p>
);
