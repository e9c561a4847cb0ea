import { type Database, lockOrganization, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';
import { type Budget, type BudgetOverride } from '../../rules/budget/budget';
import {
  type BudgetFilter,
  type BudgetRecord,
  conditionsOf,
  IS_CURRENT,
  readBudget,
  readBudgets,
  visible,
} from './budget-rows';
import { beginAnew, lockWallet, mendSpends } from './mend-spends';

export type NewBudget = Budget & { readonly organizationId: string };

/** Fields that a budget has for good. */
type Fixed = 'id' | 'scope' | 'scopeId' | 'projectId' | 'period';

/** The customers' side of budgets. Calls reserve and spend through the LedgerStore. */
export class BudgetStore {
  constructor(private readonly database: Database) {}

  /** @param onlyProject shows only the budgets of this project and of its keys; null for all. */
  async listBudgets(
    organizationId: string,
    { limit, before }: Page,
    filter: BudgetFilter,
    onlyProject: string | null = null,
  ): Promise<Slice<BudgetRecord>> {
    const rows = await readBudgets(
      this.database.prisma,
      [
        visible(organizationId, onlyProject),
        ...(before === null ? [] : [Prisma.sql`g.id < ${before}`]),
        ...conditionsOf(filter),
      ],
      Prisma.sql`ORDER BY g.id DESC LIMIT ${limit + 1}`,
    );
    return sliceOf(rows, { limit, before }, (record) => record);
  }

  /** @param onlyProject as of {@link listBudgets}. */
  async findBudget(
    organizationId: string,
    budgetId: string,
    onlyProject: string | null = null,
  ): Promise<BudgetRecord | null> {
    const conditions = [visible(organizationId, onlyProject), Prisma.sql`g.id = ${budgetId}`];
    const [found] = await readBudgets(this.database.prisma, conditions);
    return found ?? null;
  }

  /** Counts the budgets. Locks the organization until the transaction ends, so that none is created meanwhile. */
  async lockBudgetCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.budget.count({ where: { organizationId } });
  }

  async createBudget(
    tx: Transaction,
    { amount, projectId, override, ...budget }: NewBudget,
  ): Promise<BudgetRecord> {
    const prisma = prismaOf(tx);
    const data = { ...budget, projectId: projectId ?? '', amountNanos: amount, ...overrideColumns(override) };
    await prisma.budget.create({ data });
    return readBudget(prisma, budget.id);
  }

  /**
   * Locks the budget until the transaction ends, so that the audit entry states the right old and new values. The lock
   * leaves the primary key free: the first call of a period inserts a row that refers to it.
   */
  async lockBudget(tx: Transaction, organizationId: string, budgetId: string): Promise<BudgetRecord | null> {
    const conditions = [visible(organizationId, null), Prisma.sql`g.id = ${budgetId}`];
    const [found] = await readBudgets(prismaOf(tx), conditions, Prisma.sql`FOR NO KEY UPDATE OF g`);
    return found ?? null;
  }

  /**
   * Changes only the given fields. They apply from the next call on. Usage while the budget was disabled is counted
   * first.
   * @param before the budget, locked.
   */
  async changeBudget(
    tx: Transaction,
    before: BudgetRecord,
    { amount, override, ...fields }: Partial<Omit<Budget, Fixed>>,
  ): Promise<BudgetRecord> {
    const prisma = prismaOf(tx);
    const { id, organizationId } = before;
    const { enabled = before.enabled } = fields;
    const data = {
      ...fields,
      ...(amount !== undefined && { amountNanos: amount }),
      ...(override !== undefined && overrideColumns(override)),
    };
    await prisma.budget.update({ where: { id }, data });
    await mendSpends(tx, organizationId);
    if (enabled !== before.enabled) await beginAnew(tx, before);
    const after = await readBudget(prisma, id);
    await rejudge(prisma, id, after.amountInForce > before.amountInForce);
    return after;
  }

  /**
   * Calls in flight settle without it. The wallet's lock keeps out calls that have read the budget and not yet reserved
   * in it. Without the lock their whole batch would fail on the missing budget.
   * @param budget locked.
   */
  async deleteBudget(tx: Transaction, budget: BudgetRecord): Promise<void> {
    await lockWallet(tx, budget.organizationId);
    await prismaOf(tx).budget.delete({ where: { id: budget.id } });
    await beginAnew(tx, budget);
  }
}

const overrideColumns = (override: BudgetOverride | null) => ({
  overrideAmountNanos: override?.amount ?? null,
  overrideUntil: override?.until ?? null,
  overrideReason: override?.reason ?? null,
});

/**
 * Makes the worker review the current period again. A lowered budget may be exceeded now. A raised budget can warn and
 * be exceeded once more.
 */
async function rejudge(prisma: Prisma.TransactionClient, budgetId: string, isRaised: boolean): Promise<void> {
  await prisma.$executeRaw`
    UPDATE budget_spends s SET review_due = true,
      warned_at = CASE WHEN s.spent_nanos::numeric * 10000 >= budget_amount(g)::numeric * g.warn_at_bps
        THEN s.warned_at END,
      exceeded_at = CASE WHEN s.spent_nanos >= budget_amount(g) OR NOT ${isRaised} THEN s.exceeded_at END,
      refused_at = CASE WHEN s.spent_nanos >= budget_amount(g) OR NOT ${isRaised} THEN s.refused_at END
    FROM budgets g
    WHERE g.id = ${budgetId} AND s.budget_id = g.id AND ${IS_CURRENT}`;
}
