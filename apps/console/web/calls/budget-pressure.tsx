import { type ReactElement } from 'react';
import { formatPlural } from '../format/numbers';
import { Money } from '../ui/text/money';
import { Time } from '../ui/text/time';
import { leftOf, type Budget, type BudgetPressure } from './budget-standing';
import { budgetWords as words } from './text';

interface PressureNoteProps {
  readonly budget: Budget;
  readonly pressure: BudgetPressure;
  /** True where the amount that is left is shown beside it. */
  readonly omitsLeft?: boolean;
}

/** `Left: $1.75. A usual call holds $2.00. 40 calls refused in 24 hours, the last 3 min ago.`, as far as it is known. */
export function PressureNote({
  budget,
  pressure: { refused, usualHold },
  omitsLeft = false,
}: PressureNoteProps): ReactElement | null {
  const left = omitsLeft ? null : leftOf(budget);
  if (left === null && usualHold === null && refused === null) return null;
  return (
    <span className="muted">
      {left !== null && (
        <>
          {words.left} <Money amount={left} />.{' '}
        </>
      )}
      {usualHold !== null && (
        <>
          {words.usualHold} <Money amount={usualHold} />.{' '}
        </>
      )}
      {refused !== null && (
        <>
          {words.refused(formatPlural(refused.count, 'call'))} <Time at={refused.lastAt} />.
        </>
      )}
    </span>
  );
}
