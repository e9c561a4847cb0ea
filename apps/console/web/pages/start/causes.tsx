import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { PressureNote } from '../../calls/budget-pressure';
import { standingOf } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { useCan } from '../../session/organization';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { text } from './text';
import styles from './start.module.css';

const LISTED = 100;

/** Why a call may not have arrived, with what can be checked from here. */
export function Causes(): ReactElement {
  const words = text.arrival;
  return (
    <div>
      <p>{words.causesTitle}</p>
      <ul className={styles.causes}>
        {words.causes.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
        <Funds />
        <BlockingBudgets />
      </ul>
    </div>
  );
}

function Funds(): ReactElement | null {
  const wallet = useRead('/wallet', {}, { enabled: useCan('wallet:read') });
  if (wallet.data === undefined) return null;
  return (
    <li>
      {text.arrival.funds} <Money amount={wallet.data.available_nanos} />
    </li>
  );
}

function BlockingBudgets(): ReactElement | null {
  const query = { enabled: 'true' as const, limit: LISTED };
  const budgets = useRead('/budgets', { params: { query } }, { enabled: useCan('budget:read') });
  const pressureOf = useBudgetPressure();
  if (budgets.data === undefined) return null;
  const blocking = budgets.data.data.filter(
    (budget) => standingOf(budget, pressureOf(budget)) === 'blocking',
  );
  if (blocking.length === 0) return <li>{text.arrival.noBudget}</li>;
  return (
    <li>
      {text.arrival.budgets}{' '}
      <ul className={styles.causes}>
        {blocking.map((budget) => (
          <li key={budget.id}>
            <Name>{budget.name}</Name> <PressureNote budget={budget} pressure={pressureOf(budget)} />
          </li>
        ))}
      </ul>
    </li>
  );
}
