import { type ReactElement, type ReactNode } from 'react';
import { Checkbox } from './check-field';
import styles from './fields.module.css';

interface CheckListProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly note?: string | undefined;
  }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

/** Any of several choices; nothing where there are none. */
export function CheckList<Value extends string>(props: CheckListProps<Value>): ReactElement | null {
  const { label, choices, chosen, onChange } = props;
  if (choices.length === 0) return null;
  return (
    <fieldset className={styles.field}>
      <legend>{label}</legend>
      <div className={styles.boxes}>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            label={choice.label}
            {...(choice.note !== undefined && { note: choice.note })}
            isChecked={chosen.includes(choice.value)}
            onChange={(isOn) =>
              onChange(isOn ? [...chosen, choice.value] : chosen.filter((other) => other !== choice.value))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
