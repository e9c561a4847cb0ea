import { type ReactElement, useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedProps<Value extends string> {
  /** The name of the group: `Time zone`, `Period`. */
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
}

/** Two to five choices side by side, one of them taken: radio buttons, without any code of their own. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>): ReactElement {
  const { label, value, onChange, choices } = props;
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
