import { NumberField as BaseNumberField } from '@base-ui/react/number-field';
import { type ReactElement } from 'react';
import { MinusIcon, PlusIcon } from '../icons/icons';
import { Field, type FieldProps } from './field';
import styles from './fields.module.css';

export interface NumberFieldProps extends FieldProps {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

/** A count: never an amount of money, which a number would round. */
export function NumberField(props: NumberFieldProps): ReactElement {
  const { label, hint, name, problem, value, onChange, min = 0, max, step = 1 } = props;
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {({ id, ...control }) => (
        <BaseNumberField.Root
          id={id}
          value={value}
          onValueChange={onChange}
          locale="en-US"
          {...{ min, step }}
          {...(max !== undefined && { max })}
        >
          <BaseNumberField.Group className={styles.stepper}>
            <BaseNumberField.Decrement aria-label={`Decrease ${label}`}>
              <MinusIcon />
            </BaseNumberField.Decrement>
            <BaseNumberField.Input {...control} className={styles.input} />
            <BaseNumberField.Increment aria-label={`Increase ${label}`}>
              <PlusIcon />
            </BaseNumberField.Increment>
          </BaseNumberField.Group>
        </BaseNumberField.Root>
      )}
    </Field>
  );
}
