import { Prisma } from '@svc/database/rows';
import { nanos, type Nanos } from '@svc/kernel';
import { type Budget, type BudgetScope } from '../../rules/budget/budget';

export interface BudgetRecord extends Budget {
  readonly organizationId: string;
  /** That of the override until it ends, else `amount`. */
  readonly amountInForce: Nanos;
  /** In the current period; null for a session budget and one of each, which have no one spend. */
  readonly spent: Nanos | null;
  /** When the next period begins; null for a session budget. */
  readonly resetsAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BudgetFilter {
  readonly scope?: BudgetScope | undefined;
  readonly scopeId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** Only the enabled budgets that can count a call of this key. */
  readonly appliesTo?: string | undefined;
  /** With `appliesTo`: of this end user, by their id. */
  readonly endUserId?: string | undefined;
}

/** The UTC day of now, as `budget_period_key` takes it. */
const TODAY = Prisma.sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** The key of the current period, as `decide_hold_parts` writes it. A session budget has none. */
export const CURRENT_PERIOD = Prisma.sql`budget_period_key(g, ${TODAY}, NULL)`;

/** True where a row `s` of `budget_spends` belongs to the current period of its budget `g`. */
export const IS_CURRENT = Prisma.sql`split_part(s.period_key, ' ', 1) = ${CURRENT_PERIOD}`;

export const conditionsOf = (filter: BudgetFilter): readonly Prisma.Sql[] => [
  ...(filter.scope === undefined ? [] : [Prisma.sql`g.scope = ${filter.scope}`]),
  ...(filter.scopeId === undefined ? [] : [Prisma.sql`g.scope_id = ${filter.scopeId}`]),
  ...(filter.projectId === undefined ? [] : [Prisma.sql`g.project_id = ${filter.projectId}`]),
  ...(filter.enabled === undefined ? [] : [Prisma.sql`g.enabled = ${filter.enabled}`]),
  ...(filter.appliesTo === undefined ? [] : [binds(filter.appliesTo, filter.endUserId ?? null)]),
];

/** @param onlyProject only what counts calls of this project and no others; null for all. */
export function visible(organizationId: string, onlyProject: string | null): Prisma.Sql {
  const ofOrganization = Prisma.sql`g.organization_id = ${organizationId}`;
  if (onlyProject === null) return ofOrganization;
  return Prisma.sql`${ofOrganization} AND (g.scope = 'project' AND g.scope_id = ${onlyProject} OR g.project_id = ${onlyProject}
    OR g.scope = 'api_key' AND g.scope_id IN (
      SELECT k.id FROM api_keys k WHERE k.organization_id = ${organizationId} AND k.project_id = ${onlyProject}))`;
}

/**
 * The budgets that count every call of the key. One that may name a project in each call is bound by no project's budget in
 * all of them, and one that may call any model by no model's. An unknown key has none.
 */
const binds = (keyId: string, endUserId: string | null): Prisma.Sql => Prisma.sql`g.enabled AND EXISTS (
  SELECT FROM api_keys k,
    budget_subject(g.scope, k.organization_id, k.project_id, k.id, ${endUserId}::text, k.member_id, NULL) AS subject
  WHERE k.organization_id = g.organization_id AND k.id = ${keyId} AND g.project_id IN ('', k.project_id)
    AND CASE g.scope WHEN 'model' THEN g.scope_id = '*' ELSE subject IS NOT NULL AND g.scope_id IN (subject, '*') END
    AND NOT (g.scope_id = '*' AND EXISTS (
      SELECT FROM budgets named
      WHERE named.organization_id = g.organization_id AND named.enabled AND named.scope_id = subject
        AND named.scope = g.scope AND named.period = g.period AND named.project_id = g.project_id)))`;

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

interface Row extends Omit<BudgetRecord, 'amount' | 'amountInForce' | 'override' | 'spent'> {
  readonly amount: bigint;
  readonly amountInForce: bigint;
  readonly overrideAmount: bigint | null;
  readonly overrideUntil: Date | null;
  readonly overrideReason: string | null;
  readonly spent: bigint | null;
}

/** The spend of a disabled budget is not kept up to date, so it is computed from the recorded usage. */
export async function readBudgets(
  prisma: Reader,
  conditions: readonly Prisma.Sql[],
  rest: Prisma.Sql = Prisma.empty,
): Promise<BudgetRecord[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT g.id, g.organization_id AS "organizationId", g.name, g.scope, g.scope_id AS "scopeId",
      nullif(g.project_id, '') AS "projectId", g.period,
      g.amount_nanos AS amount, budget_amount(g) AS "amountInForce", g.override_amount_nanos AS "overrideAmount",
      g.override_until AS "overrideUntil", g.override_reason AS "overrideReason",
      g.action, g.warn_at_bps AS "warnAtBps", g.enabled, g.created_at AS "createdAt", g.updated_at AS "updatedAt",
      CASE WHEN g.period <> 'session' AND g.scope_id <> '*' THEN coalesce(
        (SELECT s.spent_nanos FROM budget_spends s
         WHERE g.enabled AND s.budget_id = g.id AND s.period_key = ${CURRENT_PERIOD}),
        budget_usage(g, ${CURRENT_PERIOD})) END AS spent,
      (SELECT d.end_day::timestamp AT TIME ZONE 'UTC' FROM budget_days(g.period, ${CURRENT_PERIOD}) d) AS "resetsAt"
    FROM budgets g WHERE ${Prisma.join([...conditions], ' AND ')} ${rest}`;
  return rows.map(toRecord);
}

export async function readBudget(prisma: Reader, budgetId: string): Promise<BudgetRecord> {
  const [found] = await readBudgets(prisma, [Prisma.sql`g.id = ${budgetId}`]);
  if (found === undefined) throw new Error('A budget that was just written is not there');
  return found;
}

function toRecord({ overrideAmount, overrideUntil, overrideReason, ...row }: Row): BudgetRecord {
  const isOverridden = overrideAmount !== null && overrideUntil !== null && overrideReason !== null;
  return {
    ...row,
    amount: nanos(row.amount),
    amountInForce: nanos(row.amountInForce),
    override: isOverridden
      ? { amount: nanos(overrideAmount), until: overrideUntil, reason: overrideReason }
      : null,
    spent: row.spent === null ? null : nanos(row.spent),
  };
}
