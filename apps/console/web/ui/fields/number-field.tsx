import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { formatCount } from '../../format/numbers';
import { MinusIcon, PlusIcon } from '../icons/later-icons';
import { Field, type FieldProps } from './field';
import styles from './fields.module.css';

interface NumberFieldProps extends FieldProps {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

/** A count: never an amount of money, which a number would round. */
export function NumberField(props: NumberFieldProps): ReactElement {
  const { label, hint, name, problem, value, onChange, min = 0, max = Infinity, step = 1 } = props;
  /** The typed text, until the field is left: then it is shown as the number that it is. */
  const [typed, setTyped] = useState<string | null>(null);
  const within = (count: number) => Math.min(max, Math.max(min, count));
  const move = (by: number) => {
    setTyped(null);
    onChange(within(value === null ? min : value + by));
  };
  const type = (text: string) => {
    const digits = text.replace(/[\s,]/g, '');
    if (!/^\d{0,15}$/.test(digits)) return;
    setTyped(text);
    onChange(digits === '' ? null : Number(digits));
  };
  const leave = () => {
    setTyped(null);
    if (value !== null && value !== within(value)) onChange(within(value));
  };
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {(control) => (
        <div role="group" className={styles.stepper}>
          <button type="button" tabIndex={-1} aria-label={`Decrease ${label}`} onClick={() => move(-step)}>
            <MinusIcon />
          </button>
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            className={styles.input}
            value={typed ?? (value === null ? '' : formatCount(value))}
            onChange={({ target }) => type(target.value)}
            onKeyDown={(event) => {
              const by = stepOf(event);
              if (by === 0) return;
              event.preventDefault();
              move(by * step);
            }}
            onBlur={leave}
          />
          <button type="button" tabIndex={-1} aria-label={`Increase ${label}`} onClick={() => move(step)}>
            <PlusIcon />
          </button>
        </div>
      )}
    </Field>
  );
}

const stepOf = ({ key }: KeyboardEvent): number => (key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0);
