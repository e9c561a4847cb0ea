import { type Database } from '@svc/database';
import { nanos, type Nanos } from '@svc/kernel';

interface WalletFigures {
  readonly organizationId: string;
  readonly balance: Nanos;
  /** The part of the balance that calls in flight may still cost. */
  readonly held: Nanos;
}

interface BudgetFigures {
  readonly organizationId: string;
  readonly budgetId: string;
  readonly period: 'day' | 'week' | 'month' | 'quarter';
  /** In the current period. */
  readonly spent: Nanos;
  readonly amount: Nanos;
}

/**
 * Wallets and budgets of all organizations, for metrics. Session budgets and those of each are left out: they have no one
 * spend.
 */
export class MoneyFigures {
  constructor(private readonly database: Database) {}

  /** Of the oldest organizations first. */
  async wallets(limit: number): Promise<readonly WalletFigures[]> {
    const { rows } = await this.database.pool.query<{ id: string; balance: string; held: string }>(
      `SELECT organization_id AS id, balance_nanos AS balance, held_nanos AS held
       FROM wallets ORDER BY organization_id LIMIT $1`,
      [limit],
    );
    return rows.map(({ id, balance, held }) => ({
      organizationId: id,
      balance: nanos(BigInt(balance)),
      held: nanos(BigInt(held)),
    }));
  }

  /** Enabled ones only, the oldest first. */
  async budgets(limit: number): Promise<readonly BudgetFigures[]> {
    const { rows } = await this.database.pool.query<BudgetRow>(
      `SELECT g.organization_id AS "organizationId", g.id AS "budgetId", g.period, budget_amount(g) AS amount,
         coalesce(s.spent_nanos, 0) AS spent
       FROM budgets g
       LEFT JOIN budget_spends s ON s.budget_id = g.id
         AND s.period_key = budget_period_key(g, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), NULL)
       WHERE g.enabled AND g.period <> 'session' AND g.scope_id <> '*'
       ORDER BY g.id LIMIT $1`,
      [limit],
    );
    return rows.map(({ spent, amount, ...budget }) => ({
      ...budget,
      spent: nanos(BigInt(spent)),
      amount: nanos(BigInt(amount)),
    }));
  }
}

type BudgetRow = Pick<BudgetFigures, 'organizationId' | 'budgetId' | 'period'> & {
  readonly spent: string;
  readonly amount: string;
};
