import { type ReactElement, useState } from 'react';
import { PressureNote } from '../../calls/budget-pressure';
import { meterTones, standingOf, type BudgetPressure } from '../../calls/budget-standing';
import { formatMoney, spentShare } from '../../format/money';
import { formatPercent } from '../../format/numbers';
import { ShareMeter } from '../../ui/meter/share-meter';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { reachedAt, type Budget } from './budget';
import { text } from './text';
import styles from './budgets.module.css';

interface MeterProps {
  readonly budget: Budget;
  readonly pressure: BudgetPressure;
}

/** What a budget has spent, has left and has refused. A budget of sessions has no bar, as each session has its own spend. */
export function Meter({ budget, pressure }: MeterProps): ReactElement {
  const { name, spent_nanos: spent, amount_nanos: amount } = budget;
  const words = text.meter;
  if (spent === null)
    return (
      <span className={styles.spent}>
        <span className="number">
          {words.upTo} <Money amount={amount} /> {words.inSession}
        </span>
        <PressureNote budget={budget} pressure={pressure} />
      </span>
    );
  const share = spentShare(spent, amount);
  return (
    <span className={styles.spent}>
      <span className="number">
        {words.spentWord} <Money amount={spent} /> {words.of} <Money amount={amount} /> (
        {formatPercent(share)})
      </span>
      <ShareMeter
        label={words.label(name)}
        valueText={words.spent(formatMoney(spent), formatMoney(amount), share)}
        share={share}
        tone={meterTones[standingOf(budget, pressure)]}
      />
      <PressureNote budget={budget} pressure={pressure} />
    </span>
  );
}

/** `warns at 80 %, blocks at 100 %; resets …; at this pace reached …`. */
export function MeterNotes({ budget }: { readonly budget: Budget }): ReactElement {
  const [now] = useState(() => new Date());
  const { action, warn_at_bps: warnAt, resets_at: resetsAt } = budget;
  const reached = budget.enabled ? reachedAt(budget, now) : null;
  const words = text.meter;
  return (
    <p className="muted">
      {words[action](warnAt / 10_000)}
      {resetsAt !== null && (
        <>
          , {words.resets} <Time at={resetsAt} as="reset" />
        </>
      )}
      {reached !== null && (
        <>
          , {words.pace} <Time at={reached.toISOString()} as="instant" />
        </>
      )}
      . {words.lag}
    </p>
  );
}
