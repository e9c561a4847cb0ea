import { type Database, lockOrganization, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { nanos, type Nanos, type Page, type Slice } from '@svc/kernel';
import { type Budget } from '../../rules/budget/budget';
import { lockWallet, mendSpends } from './mend-spends';

export interface BudgetRecord extends Budget {
  readonly organizationId: string;
  /** In the current day or month; null for a session budget, because each session has its own spend. */
  readonly spent: Nanos | null;
  /** When the next day or month begins; null for a session budget. */
  readonly resetsAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewBudget = Budget & { readonly organizationId: string };

export interface BudgetChange {
  readonly name?: string | undefined;
  readonly amount?: Nanos | undefined;
  readonly action?: Budget['action'] | undefined;
  readonly warnAtBps?: number | undefined;
  readonly enabled?: boolean | undefined;
}

const DAYS_SHOWN = 31;
const MONTHS_SHOWN = 12;

export interface BudgetFilter {
  readonly scope?: Budget['scope'] | undefined;
  readonly scopeId?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** Only the enabled budgets that can count a call of this key. */
  readonly appliesTo?: string | undefined;
}

/** What was spent in a day or month. */
export interface BudgetPeriod {
  /** `YYYY-MM-DD`. */
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly spent: Nanos;
}

/** The customers' side of budgets. Calls reserve and spend through the LedgerStore. */
export class BudgetStore {
  constructor(private readonly database: Database) {}

  /** @param onlyProject shows only the budgets of this project and of its keys; null for all. */
  async list(
    organizationId: string,
    { limit, before }: Page,
    { scope, scopeId, enabled, appliesTo }: BudgetFilter,
    onlyProject: string | null = null,
  ): Promise<Slice<BudgetRecord>> {
    const rows = await read(
      this.database.prisma,
      [
        visible(organizationId, onlyProject),
        ...(before === null ? [] : [Prisma.sql`g.id < ${before}`]),
        ...(scope === undefined ? [] : [Prisma.sql`g.scope = ${scope}`]),
        ...(scopeId === undefined ? [] : [Prisma.sql`g.scope_id = ${scopeId}`]),
        ...(enabled === undefined ? [] : [Prisma.sql`g.enabled = ${enabled}`]),
        ...(appliesTo === undefined ? [] : [binds(appliesTo)]),
      ],
      Prisma.sql`ORDER BY g.id DESC LIMIT ${limit + 1}`,
    );
    return sliceOf(rows, { limit, before }, (record) => record);
  }

  /** @param onlyProject as of {@link list}. */
  async find(
    organizationId: string,
    budgetId: string,
    onlyProject: string | null = null,
  ): Promise<BudgetRecord | null> {
    const conditions = [visible(organizationId, onlyProject), Prisma.sql`g.id = ${budgetId}`];
    const [found] = await read(this.database.prisma, conditions);
    return found ?? null;
  }

  /** The current day or month and those before it, newest first; none for a session budget. */
  async listPeriods(budgetId: string): Promise<readonly BudgetPeriod[]> {
    const rows = await this.database.prisma.$queryRaw<(Omit<BudgetPeriod, 'spent'> & { spent: bigint })[]>`
      SELECT to_char(start, 'YYYY-MM-DD') AS start, to_char(start + step, 'YYYY-MM-DD') AS "end",
        budget_usage(g, to_char(start, CASE g.period WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)) AS spent
      FROM budgets g,
        LATERAL (SELECT ('1 ' || g.period)::interval AS step, date_trunc(g.period, now() AT TIME ZONE 'UTC') AS current) AS p,
        LATERAL generate_series(current - step * CASE g.period WHEN 'day' THEN ${DAYS_SHOWN - 1}::int ELSE ${MONTHS_SHOWN - 1}::int END,
          current, step) AS start
      WHERE g.id = ${budgetId} AND g.period <> 'session'
      ORDER BY start DESC`;
    return rows.map((row) => ({ ...row, spent: nanos(row.spent) }));
  }

  /** Counts the budgets. Locks the organization until the transaction ends, so that none is created meanwhile. */
  async lockCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.budget.count({ where: { organizationId } });
  }

  async create(tx: Transaction, { amount, ...budget }: NewBudget): Promise<BudgetRecord> {
    const prisma = prismaOf(tx);
    await prisma.budget.create({ data: { ...budget, amountNanos: amount } });
    return readOne(prisma, budget.id);
  }

  /**
   * Locks the budget until the transaction ends, so that the audit entry states the right old and new values. The lock
   * leaves the primary key free: the first call of a period inserts a row that refers to it.
   */
  async lock(tx: Transaction, organizationId: string, budgetId: string): Promise<BudgetRecord | null> {
    const conditions = [visible(organizationId, null), Prisma.sql`g.id = ${budgetId}`];
    const [found] = await read(prismaOf(tx), conditions, Prisma.sql`FOR NO KEY UPDATE OF g`);
    return found ?? null;
  }

  /**
   * Changes only the given fields. They apply from the next call on. Usage while the budget was disabled is counted
   * first.
   * @param before the budget, locked.
   */
  async change(
    tx: Transaction,
    { id, organizationId, amount: amountBefore }: BudgetRecord,
    { name, amount, action, warnAtBps, enabled }: BudgetChange,
  ): Promise<BudgetRecord> {
    const prisma = prismaOf(tx);
    const data = {
      ...(name === undefined ? {} : { name }),
      ...(amount === undefined ? {} : { amountNanos: amount }),
      ...(action === undefined ? {} : { action }),
      ...(warnAtBps === undefined ? {} : { warnAtBps }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    await prisma.budget.update({ where: { id }, data });
    await mendSpends(tx, organizationId);
    await rejudge(prisma, id, amount !== undefined && amount > amountBefore);
    return readOne(prisma, id);
  }

  /**
   * Calls in flight settle without it. The wallet's lock keeps out calls that have read the budget and not yet reserved
   * in it. Without the lock their whole batch would fail on the missing budget.
   * @param budget locked.
   */
  async delete(tx: Transaction, { id, organizationId }: BudgetRecord): Promise<void> {
    await lockWallet(tx, organizationId);
    await prismaOf(tx).budget.delete({ where: { id } });
  }
}

/**
 * Makes the worker review the current period again. A lowered budget may be exceeded now. A raised budget can warn and
 * be exceeded once more.
 */
async function rejudge(prisma: Prisma.TransactionClient, budgetId: string, isRaised: boolean): Promise<void> {
  await prisma.$executeRaw`
    UPDATE budget_spends s SET review_due = true,
      warned_at = CASE WHEN s.spent_nanos::numeric * 10000 >= g.amount_nanos::numeric * g.warn_at_bps
        THEN s.warned_at END,
      exceeded_at = CASE WHEN s.spent_nanos >= g.amount_nanos OR NOT ${isRaised} THEN s.exceeded_at END,
      refused_at = CASE WHEN s.spent_nanos >= g.amount_nanos OR NOT ${isRaised} THEN s.refused_at END
    FROM budgets g
    WHERE g.id = ${budgetId} AND s.budget_id = g.id AND s.period_key = ${CURRENT_PERIOD}`;
}

/** The key of the current period, as open_holds writes it. A session budget has none. */
const CURRENT_PERIOD = Prisma.sql`to_char(now() AT TIME ZONE 'UTC',
  CASE g.period WHEN 'day' THEN 'YYYY-MM-DD' WHEN 'month' THEN 'YYYY-MM' END)`;

function visible(organizationId: string, onlyProject: string | null): Prisma.Sql {
  const ofOrganization = Prisma.sql`g.organization_id = ${organizationId}`;
  if (onlyProject === null) return ofOrganization;
  return Prisma.sql`${ofOrganization} AND (g.scope = 'project' AND g.scope_id = ${onlyProject}
    OR g.scope = 'api_key' AND g.scope_id IN (
      SELECT k.id FROM api_keys k WHERE k.organization_id = ${organizationId} AND k.project_id = ${onlyProject}))`;
}

/** A key that may name a project in each call is bound by no project's budget in all of them. An unknown key has none. */
const binds = (keyId: string): Prisma.Sql => Prisma.sql`g.enabled AND EXISTS (
  SELECT FROM api_keys k
  WHERE k.organization_id = g.organization_id AND k.id = ${keyId}
    AND CASE g.scope WHEN 'project' THEN g.scope_id = k.project_id WHEN 'api_key' THEN g.scope_id = k.id ELSE true END)`;

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

interface Row extends Omit<BudgetRecord, 'amount' | 'spent'> {
  readonly amount: bigint;
  readonly spent: bigint | null;
}

/** The spend of a disabled budget is not kept up to date, so it is computed from the recorded usage. */
async function read(
  prisma: Reader,
  conditions: readonly Prisma.Sql[],
  rest: Prisma.Sql = Prisma.empty,
): Promise<BudgetRecord[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT g.id, g.organization_id AS "organizationId", g.name, g.scope, g.scope_id AS "scopeId", g.period,
      g.amount_nanos AS amount, g.action, g.warn_at_bps AS "warnAtBps", g.enabled,
      g.created_at AS "createdAt", g.updated_at AS "updatedAt",
      CASE WHEN g.period <> 'session' THEN coalesce(
        (SELECT s.spent_nanos FROM budget_spends s
         WHERE g.enabled AND s.budget_id = g.id AND s.period_key = ${CURRENT_PERIOD}),
        budget_usage(g, ${CURRENT_PERIOD})) END AS spent,
      CASE WHEN g.period <> 'session' THEN
        (date_trunc(g.period, now() AT TIME ZONE 'UTC') + ('1 ' || g.period)::interval) AT TIME ZONE 'UTC'
      END AS "resetsAt"
    FROM budgets g WHERE ${Prisma.join([...conditions], ' AND ')} ${rest}`;
  return rows.map((row) => ({
    ...row,
    amount: nanos(row.amount),
    spent: row.spent === null ? null : nanos(row.spent),
  }));
}

async function readOne(prisma: Reader, budgetId: string): Promise<BudgetRecord> {
  const [found] = await read(prisma, [Prisma.sql`g.id = ${budgetId}`]);
  if (found === undefined) throw new Error('A budget that was just written is not there');
  return found;
}
