import { type ReactElement } from 'react';
import { formatExactMoney, formatMoney, formatMoneyInFull, plainDollars } from '../../format/money';

interface MoneyProps {
  readonly amount: bigint;
  /** `detail` shows nine decimals and the nanos; `exact` nine decimals. */
  readonly as?: 'short' | 'exact' | 'detail';
}

const formats = { short: formatMoney, exact: formatExactMoney, detail: formatMoneyInFull };

/** An amount. Its tooltip has all decimals, and so has what is copied. */
export function Money({ amount, as = 'short' }: MoneyProps): ReactElement {
  const text = formats[as](amount);
  return (
    <data
      className="number"
      value={plainDollars(amount)}
      data-exact={plainDollars(amount)}
      {...(as !== 'detail' && { 'data-tip': formatMoneyInFull(amount) })}
    >
      {amount < 0n ? (
        <>
          <span aria-hidden="true">{text}</span>
          <span className="visually-hidden">minus {text.replace('\u2212', '')}</span>
        </>
      ) : (
        text
      )}
    </data>
  );
}
