import { type Database } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { nanos, type Nanos } from '@svc/kernel';
import { type Budget, EACH } from '../../rules/budget/budget';
import { CURRENT_PERIOD, IS_CURRENT } from './budget-rows';

/** The spend of a day, week, month or quarter. */
export interface BudgetPeriod {
  /** `YYYY-MM-DD`. */
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly spent: Nanos;
}

/** The spend of one subject in the current period, or in a session. */
export interface BudgetSpending {
  readonly scopeId: string;
  /** Of the project, key, member or end user; the id of a model. Null where none is known. */
  readonly name: string | null;
  /** Null for a budget without sessions. */
  readonly sessionId: string | null;
  readonly spent: Nanos;
  readonly reserved: Nanos;
  /** Spent, of the amount in force, in basis points rounded down. */
  readonly consumedBps: number;
}

/** The current period included. */
const PERIODS_SHOWN = { day: 31, week: 26, month: 12, quarter: 4, session: 0 } as const;
const SPENDS_MAX = 1_000;

/** The spend of budgets, for display. */
export class BudgetSpendingStore {
  constructor(private readonly database: Database) {}

  /**
   * The current period and those before it, newest first; none for a session budget.
   * @param subject whose, for a budget of each
   */
  async listPeriods({ id, period }: Budget, subject: string | null): Promise<readonly BudgetPeriod[]> {
    const rows = await this.database.prisma.$queryRaw<(Omit<BudgetPeriod, 'spent'> & { spent: bigint })[]>`
      SELECT to_char(start, 'YYYY-MM-DD') AS start, to_char(start + step, 'YYYY-MM-DD') AS "end",
        budget_usage(g, budget_period_key(g, to_char(start, 'YYYY-MM-DD'), NULL) || ${subject === null ? '' : ` ${subject}`}) AS spent
      FROM budgets g,
        LATERAL (
          SELECT d.first_day::timestamp AS current, CASE g.period WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || g.period)::interval END AS step
          FROM budget_days(g.period, ${CURRENT_PERIOD}) d
        ) AS p,
        LATERAL generate_series(current - step * ${PERIODS_SHOWN[period] - 1}::int, current, step) AS start
      WHERE g.id = ${id} AND g.period <> 'session'
      ORDER BY start DESC`;
    return rows.map((row) => ({ ...row, spent: nanos(row.spent) }));
  }

  /**
   * The most spent first, at most 1,000: whoever has spent of a budget of each, every session of one for sessions, else
   * one row.
   * @param subject only theirs: of a budget of each one row, even where nothing was spent
   */
  async listSpends(budget: Budget, subject: string | null): Promise<readonly BudgetSpending[]> {
    const isOne = budget.period !== 'session' && (budget.scopeId !== EACH || subject !== null);
    const rows = await this.database.prisma.$queryRaw<Row[]>`
      SELECT spend.*, ${NAME} AS name, least(div(spend.spent::numeric * 10000, greatest(spend.amount, 1)), 1e15)::bigint AS "consumedBps"
      FROM (${isOne ? oneOf(budget, subject) : allOf(budget, subject)}) spend
      ORDER BY spend.spent DESC, spend."scopeId", spend."sessionId"`;
    return rows.map(({ amount, ...row }) => ({
      scopeId: row.scopeId,
      name: row.name,
      sessionId: row.sessionId,
      spent: nanos(row.spent),
      reserved: nanos(row.reserved),
      consumedBps: amount === 0n ? WHOLE_BPS : Number(row.consumedBps),
    }));
  }
}

/** A budget of nothing is consumed whole. */
const WHOLE_BPS = 10_000;

interface Row {
  readonly scopeId: string;
  readonly name: string | null;
  readonly sessionId: string | null;
  readonly spent: bigint;
  readonly reserved: bigint;
  readonly amount: bigint;
  readonly consumedBps: bigint;
}

const FIELDS = Prisma.sql`g.organization_id AS organization, g.scope, budget_amount(g) AS amount`;

function oneOf({ id, scopeId }: Budget, subject: string | null): Prisma.Sql {
  const of = scopeId === EACH ? subject : null;
  const key = Prisma.sql`${CURRENT_PERIOD} || ${of === null ? '' : ` ${of}`}`;
  return Prisma.sql`
    SELECT ${FIELDS}, ${of ?? scopeId} AS "scopeId", NULL::text AS "sessionId",
      CASE WHEN g.enabled AND s.budget_id IS NOT NULL THEN s.spent_nanos ELSE budget_usage(g, ${key}) END AS spent,
      coalesce(s.reserved_nanos, 0) AS reserved
    FROM budgets g LEFT JOIN budget_spends s ON s.budget_id = g.id AND s.period_key = ${key}
    WHERE g.id = ${id}`;
}

function allOf({ id, period, scopeId }: Budget, subject: string | null): Prisma.Sql {
  const session =
    period === 'session' ? Prisma.sql`split_part(s.period_key, ' ', 1)` : Prisma.sql`NULL::text`;
  const current = period === 'session' ? Prisma.sql`true` : IS_CURRENT;
  const theirs = subject === null || scopeId !== EACH ? Prisma.sql`true` : Prisma.sql`s.subject = ${subject}`;
  return Prisma.sql`
    SELECT ${FIELDS}, coalesce(s.subject, g.scope_id) AS "scopeId", ${session} AS "sessionId",
      s.spent_nanos AS spent, s.reserved_nanos AS reserved
    FROM budgets g JOIN budget_spends s ON s.budget_id = g.id
    WHERE g.id = ${id} AND ${current} AND ${theirs}
    ORDER BY s.spent_nanos DESC, s.period_key LIMIT ${SPENDS_MAX}`;
}

const NAME = Prisma.sql`CASE spend.scope
  WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = spend."scopeId")
  WHEN 'project' THEN (SELECT p.name FROM projects p WHERE p.organization_id = spend.organization AND p.id = spend."scopeId")
  WHEN 'api_key' THEN (SELECT k.name FROM api_keys k WHERE k.organization_id = spend.organization AND k.id = spend."scopeId")
  WHEN 'member' THEN (
    SELECT u.email FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = spend.organization AND m.id = spend."scopeId")
  WHEN 'end_user' THEN (
    SELECT e.end_user FROM usage_end_users e
    WHERE e.organization_id = spend.organization AND e.end_user_id = spend."scopeId" AND e.end_user IS NOT NULL
    ORDER BY e.day DESC LIMIT 1)
  ELSE spend."scopeId" END`;
