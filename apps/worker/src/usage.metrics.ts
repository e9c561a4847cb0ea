import { setTimeout as wait } from 'node:timers/promises';
import { type Nanos } from '@svc/kernel';
import { type MoneyFigures } from '@svc/usage/store';
import { Gauge, type Logger, type Registry } from '@svc/runtime/observability';

/** Each has two series, so there are at most 10,000. */
const WALLETS_MAX = 2_500;
const BUDGETS_MAX = 2_500;
/** Scrapes within it share one reading. */
const READ_EVERY_MS = 15_000;
/** A scrape does not wait longer. Prometheus gives up after 10 s by default. */
const WAIT_MAX_MS = 2_000;
const NANOS_IN_USD = 1e9;

interface Figures {
  readonly wallets: Awaited<ReturnType<MoneyFigures['wallets']>>;
  readonly budgets: Awaited<ReturnType<MoneyFigures['budgets']>>;
}

interface OrganizationMetrics {
  readonly figures: Pick<MoneyFigures, 'wallets' | 'budgets'>;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Gauges of wallets and budgets by organization (docs/operate.md#metrics-of-money). While the database does not answer,
 * a scrape has none of them.
 */
export function measureOrganizations({
  figures,
  metrics,
  logger,
  now = () => performance.now(),
}: OrganizationMetrics) {
  const read = sharedReading(figures, logger, now);
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    fill: (gauge: Gauge<Label>, found: Figures) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics],
      async collect() {
        const found = await read();
        this.reset();
        if (found !== null) fill(this, found);
      },
    });

  const ofWallet = ['organization_id'] as const;
  gauge(
    'svc_wallet_balance_usd',
    'What an organization has, with what is held.',
    ofWallet,
    (each, { wallets }) => {
      for (const wallet of wallets)
        each.set({ organization_id: wallet.organizationId }, inUsd(wallet.balance));
    },
  );
  gauge('svc_wallet_held_usd', 'What calls in flight may still cost.', ofWallet, (each, { wallets }) => {
    for (const wallet of wallets) each.set({ organization_id: wallet.organizationId }, inUsd(wallet.held));
  });
  const ofBudget = ['organization_id', 'budget_id', 'period'] as const;
  gauge('svc_budget_spent_usd', 'Spent in the current day or month.', ofBudget, (each, { budgets }) => {
    for (const budget of budgets) each.set(labelsOf(budget), inUsd(budget.spent));
  });
  gauge('svc_budget_limit_usd', 'The amount of an enabled budget.', ofBudget, (each, { budgets }) => {
    for (const budget of budgets) each.set(labelsOf(budget), inUsd(budget.amount));
  });
}

/** The gauges of a scrape, and scrapes at once, wait for one reading. Null when it failed or takes too long. */
function sharedReading(
  figures: OrganizationMetrics['figures'],
  logger: Logger,
  now: () => number,
): () => Promise<Figures | null> {
  let reading: Promise<Figures | null> = Promise.resolve(null);
  let readAtMs = -Infinity;
  const readAll = async (): Promise<Figures | null> => {
    try {
      const [wallets, budgets] = await Promise.all([
        figures.wallets(WALLETS_MAX),
        figures.budgets(BUDGETS_MAX),
      ]);
      return { wallets, budgets };
    } catch (error) {
      logger.warn({ err: error }, 'wallets and budgets not measured');
      return null;
    }
  };
  return () => {
    if (now() - readAtMs >= READ_EVERY_MS) {
      readAtMs = now();
      reading = readAll();
    }
    return Promise.race([reading, wait(WAIT_MAX_MS, null, { ref: false })]);
  };
}

const inUsd = (amount: Nanos): number => Number(amount) / NANOS_IN_USD;

const labelsOf = ({ organizationId, budgetId, period }: Figures['budgets'][number]) => ({
  organization_id: organizationId,
  budget_id: budgetId,
  period,
});
