import { type ReactElement } from 'react';
import { parseMoney } from '../../format/money';
import { Field, type FieldProps } from './field';
import styles from './fields.module.css';

const problems = {
  empty: null,
  notAnAmount: 'Write an amount in dollars, for example 12.50.',
  tooManyDecimals: 'An amount has at most nine decimals.',
} as const;

interface MoneyFieldProps extends FieldProps {
  /** The text as typed: read it with `parseMoney`, and fill it with `plainDollars`. */
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

/** An amount in decimal dollars, up to nine decimals. */
export function MoneyField(props: MoneyFieldProps): ReactElement {
  const { label, hint, name, problem, value, onChange } = props;
  const parsed = parseMoney(value);
  const typo = 'problem' in parsed ? problems[parsed.problem] : null;
  return (
    <Field label={label} hint={hint} problem={problem ?? typo} {...(name !== undefined && { name })}>
      {(control) => (
        <div className={styles.prefixed}>
          <span aria-hidden="true">$</span>
          <input
            {...control}
            className={`${styles.input} ${styles.amount}`}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        </div>
      )}
    </Field>
  );
}
