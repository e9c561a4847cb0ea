import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './fields.module.css';

interface CheckProps {
  readonly label: ReactNode;
  readonly note?: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
}

/** A box to check, beside its words. */
export function Checkbox({ label, note, isChecked, onChange, isDisabled = false }: CheckProps): ReactElement {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        type="checkbox"
        id={id}
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        <label htmlFor={id}>{label}</label>
        {note !== undefined && (
          <span id={`${id}-note`} className={styles.hint}>
            {note}
          </span>
        )}
      </span>
    </div>
  );
}

interface RadioGroupProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly note?: ReactNode }[];
}

/** A few choices that are all to be read. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>): ReactElement {
  const { label, value, onChange, choices } = props;
  const id = useId();
  return (
    <fieldset className={styles.field}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <div className={styles.check} key={choice.value}>
          <input
            type="radio"
            name={id}
            id={id + choice.value}
            checked={choice.value === value}
            aria-describedby={choice.note === undefined ? undefined : `${id}${choice.value}-note`}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <label htmlFor={id + choice.value}>{choice.label}</label>
            {choice.note !== undefined && (
              <span id={`${id}${choice.value}-note`} className={styles.hint}>
                {choice.note}
              </span>
            )}
          </span>
        </div>
      ))}
    </fieldset>
  );
}

/** Something that is on or off at once, without a form around it. */
export function Switch({ label, isChecked, onChange, isDisabled = false }: CheckProps): ReactElement {
  const id = useId();
  return (
    <span className={styles.switch}>
      <button
        type="button"
        role="switch"
        className={styles.switchTrack}
        aria-checked={isChecked}
        disabled={isDisabled}
        onClick={() => onChange(!isChecked)}
        aria-labelledby={id}
      >
        <span className={styles.switchThumb} />
      </button>
      <span id={id}>{label}</span>
    </span>
  );
}
