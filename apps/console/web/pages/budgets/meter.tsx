import { type ReactElement, useState } from 'react';
import { PressureNote } from '../../calls/budget-pressure';
import { meterTones, standingOf, type BudgetPressure } from '../../calls/budget-standing';
import { amountWords, limitWords } from '../../calls/text';
import { formatMoney, spentShare } from '../../format/money';
import { formatPercent } from '../../format/numbers';
import { ShareMeter } from '../../ui/meter/share-meter';
import { Filled } from '../../ui/text/filled';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { reachedAt, type Budget } from './budget';
import { text } from './text';
import styles from './budgets.module.css';

interface MeterProps {
  readonly budget: Budget;
  readonly pressure: BudgetPressure;
}

/**
 * The spend of a budget, the rest, and the calls that it refused. One of sessions, and one of each, has no bar: each session, and each
 * of the scope, has its own spend.
 */
export function Meter({ budget, pressure }: MeterProps): ReactElement {
  const { name, period, spent_nanos: spent, amount_in_force_nanos: inForce } = budget;
  const words = text.meter;
  const amount = <Money amount={inForce} />;
  if (spent === null)
    return (
      <span className={styles.spent}>
        <span className="number">
          {period === 'session' ? (
            <Filled sentence={words.inSession} places={{ amount }} />
          ) : (
            <Filled
              sentence={limitWords.upToEach}
              places={{ amount: <Filled sentence={amountWords[period]} places={{ amount }} /> }}
            />
          )}
        </span>
        <PressureNote budget={budget} pressure={pressure} />
      </span>
    );
  const share = spentShare(spent, inForce);
  return (
    <span className={styles.spent}>
      <span className="number">
        {words.spentWord} <Money amount={spent} /> {words.of} {amount} ({formatPercent(share)})
      </span>
      <ShareMeter
        label={words.label(name)}
        valueText={words.spent(formatMoney(spent), formatMoney(inForce), share)}
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
