import { type ReactElement } from 'react';
import { useRead } from '../../../api/use-api';
import { type NamesById } from '../../../api/use-names';
import { PressureNote } from '../../../calls/budget-pressure';
import { BudgetScope, useScopeNames } from '../../../calls/budget-scope';
import { meterTones, standingOf, type Budget, type BudgetPressure } from '../../../calls/budget-standing';
import { useBudgetPressure } from '../../../calls/use-budget-pressure';
import { formatMoney, spentShare } from '../../../format/money';
import { Section } from '../../../frame/page';
import { useCan } from '../../../session/organization';
import { Badge } from '../../../ui/badge/badge';
import { ShareMeter } from '../../../ui/meter/share-meter';
import { PageLink } from '../../../ui/page-link';
import { Result } from '../../../ui/states/result';
import { Name } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { Time } from '../../../ui/text/time';
import { nearest } from './budget-nearness';
import styles from '../overview.module.css';
import { text } from './text';

const SHOWN = 4;
const LISTED = 100;

/** The budgets that are the closest to their amounts. */
export function NearestBudgets(): ReactElement | null {
  const canRead = useCan('budget:read');
  const query = { enabled: 'true' as const, limit: LISTED };
  const budgets = useRead('/budgets', { params: { query } }, { enabled: canRead });
  const pressureOf = useBudgetPressure({ withHolds: false });
  if (!canRead) return null;
  const words = text.budgets;
  return (
    <Section title={words.title}>
      <Result of={budgets} lines={4}>
        {({ data, next_cursor }) => {
          const shown = nearest(data, pressureOf, SHOWN);
          if (shown.length === 0) return <p className="muted">{words.none}</p>;
          return (
            <>
              <Meters of={shown} pressureOf={pressureOf} />
              <p className={styles.small}>
                {next_cursor !== null && <>{words.some} </>}
                {words.lag}
              </p>
            </>
          );
        }}
      </Result>
    </Section>
  );
}

interface MetersProps {
  readonly of: ReturnType<typeof nearest>;
  readonly pressureOf: (budget: Budget) => BudgetPressure;
}

function Meters({ of, pressureOf }: MetersProps): ReactElement {
  const names = useScopeNames(of);
  return (
    <ul className={styles.budgets}>
      {of.map((budget) => (
        <li key={budget.id}>
          <BudgetMeter
            budget={budget}
            spent={budget.spent_nanos}
            pressure={pressureOf(budget)}
            names={names}
          />
        </li>
      ))}
    </ul>
  );
}

interface BudgetMeterProps {
  readonly budget: Budget;
  readonly spent: bigint;
  readonly pressure: BudgetPressure;
  readonly names: NamesById;
}

function BudgetMeter({ budget, spent, pressure, names }: BudgetMeterProps): ReactElement {
  const { id, name, amount_in_force_nanos: amount, warn_at_bps, resets_at } = budget;
  const share = spentShare(spent, amount);
  const standing = standingOf(budget, pressure);
  const words = text.budgets;
  return (
    <>
      <div className={styles.budget}>
        <PageLink to="/budgets/$budgetId" params={{ budgetId: id }}>
          <Name>{name}</Name>
        </PageLink>
        {standing === 'blocking' && <Badge tone="bad">{words.blocks}</Badge>}
        {standing === 'over' && <Badge tone="bad">{words.over}</Badge>}
        <span className="number">
          <Money amount={spent} /> {words.spent} <Money amount={amount} />
        </span>
      </div>
      <ShareMeter
        label={words.meter(name, formatMoney(spent), formatMoney(amount), share)}
        share={share}
        tone={meterTones[standing]}
      />
      {standing === 'blocking' && (
        <p className={styles.small}>
          <PressureNote budget={budget} pressure={pressure} />
        </p>
      )}
      <p className={styles.small}>
        <BudgetScope of={budget} names={names} />, {words.warns(warn_at_bps / 10_000)}
        {resets_at !== null && (
          <>
            , {words.resets} <Time at={resets_at} as="relative" />
          </>
        )}
      </p>
    </>
  );
}
