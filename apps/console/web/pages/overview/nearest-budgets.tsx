import { type ReactElement } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { formatMoney, spentShare } from '../../format/money';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { ShareMeter } from '../../ui/meter/share-meter';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { nearest } from './budget-nearness';
import styles from './overview.module.css';
import { text } from './text';

type Budget = components['schemas']['Budget'];

const SHOWN = 4;
const LISTED = 100;

/** The budgets that are the closest to their amounts. */
export function NearestBudgets(): ReactElement | null {
  const canRead = useCan('budget:read');
  const query = { enabled: 'true' as const, limit: LISTED };
  const budgets = useRead('/budgets', { params: { query } }, { enabled: canRead });
  if (!canRead) return null;
  const words = text.budgets;
  return (
    <Section title={words.title}>
      <Result of={budgets} lines={4}>
        {({ data, next_cursor }) => {
          const shown = nearest(data, SHOWN);
          if (shown.length === 0) return <p className="muted">{words.none}</p>;
          return (
            <>
              <ul className={styles.budgets}>
                {shown.map((budget) => (
                  <li key={budget.id}>
                    <BudgetMeter budget={budget} spent={budget.spent_nanos} />
                  </li>
                ))}
              </ul>
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

function BudgetMeter({ budget, spent }: { readonly budget: Budget; readonly spent: bigint }): ReactElement {
  const { id, name, amount_nanos: amount, warn_at_bps, action, resets_at } = budget;
  const share = spentShare(spent, amount);
  const tone = share >= 1 ? 'bad' : share >= warn_at_bps / 10_000 ? 'warn' : 'good';
  const words = text.budgets;
  return (
    <>
      <div className={styles.budget}>
        <PageLink to="/budgets/$budgetId" params={{ budgetId: id }}>
          <Name>{name}</Name>
        </PageLink>
        {share >= 1 && <Badge tone="bad">{action === 'block' ? words.blocks : words.over}</Badge>}
        <span className="number">
          <Money amount={spent} /> {words.spent} <Money amount={amount} />
        </span>
      </div>
      <ShareMeter
        label={words.meter(name, formatMoney(spent), formatMoney(amount), share)}
        share={share}
        tone={tone}
      />
      <p className={styles.small}>
        {words.warns(warn_at_bps / 10_000)}
        {resets_at !== null && (
          <>
            , {words.resets} <Time at={resets_at} as="relative" />
          </>
        )}
      </p>
    </>
  );
}
