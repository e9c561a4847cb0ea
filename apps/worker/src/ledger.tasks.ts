import { type Database } from '@svc/database';
import { type Clock, type NewId } from '@svc/kernel';
import {
  abandonedSettlement,
  BudgetSpendStore,
  DatabaseHeartbeat,
  LedgerStore,
  RequestMonths,
  RequestRecordStore,
} from '@svc/ledger/store';
import { systemClock, systemIds } from '@svc/runtime';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';

interface LedgerRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Whole months of calls kept besides the current one; null keeps all. */
  readonly requestMonthsKept: number | null;
}

const BEAT_EVERY_MS = 2_000;
const RECONCILE_EVERY_MS = 5_000;
const RECONCILE_BUDGETS_EVERY_MS = 30_000;
const KEEP_MONTHS_EVERY_MS = 3_600_000;

const BUDGETS_AT_ONCE = 200;
const ABANDONED_AT_ONCE = 200;
const PROVISIONAL_AT_ONCE = 500;
/** How long a provider's own report may still correct an observed cost (docs/reference/money.md#cost-states). */
const SETTLE_WINDOW_MS = 15 * 60_000;
/** After this month: the worker may be down for two months before calls go to the default partition. */
const MONTHS_AHEAD = 2;

/** The periodic tasks of the books: budgets, calls that nobody settled, costs, and months of calls. */
export function ledgerTasks({ database, logger, metrics, requestMonthsKept }: LedgerRuntime) {
  const spends = new BudgetSpendStore(database);
  const suppressed = suppressedBudgetEvents(metrics);
  const heartbeat = new DatabaseHeartbeat(database);
  const records = new RequestRecordStore(database);
  const months = new RequestMonths(database);
  const ledger = new LedgerStore(database, { logger });
  const books = { records, ledger, clock: systemClock, newId: systemIds };
  const task = (name: string, everyMs: number, run: () => Promise<{ readonly more: boolean }>) => ({
    name,
    everyMs,
    run,
  });
  return [
    task('budget-events', RECONCILE_EVERY_MS, () => announceBudgetCrossings(spends, suppressed)),
    task('budget-reconciliation', RECONCILE_BUDGETS_EVERY_MS, () => reconcileBudgets(spends)),
    task('database-heartbeat', BEAT_EVERY_MS, () => beatHeartbeat(heartbeat)),
    task('abandoned-calls', RECONCILE_EVERY_MS, () => closeAbandonedCalls(books)),
    task('request-months', KEEP_MONTHS_EVERY_MS, () => makeRequestMonths(months)),
    task('old-requests', KEEP_MONTHS_EVERY_MS, () => dropOldRequestMonths(months, requestMonthsKept)),
    task('provisional-costs', RECONCILE_EVERY_MS, () => finaliseProvisionalCosts(records)),
  ];
}

export const suppressedBudgetEvents = (registry: Registry): Counter =>
  new Counter({
    name: 'svc_budget_events_suppressed_total',
    help: 'Events that budgets with an amount for each did not record: more than 100 of a type in an hour.',
    registers: [registry],
  });

/** Records events for budgets that crossed their threshold or their amount since the last run. */
export async function announceBudgetCrossings(
  spends: BudgetSpendStore,
  suppressedEvents: Pick<Counter, 'inc'>,
): Promise<{ readonly more: boolean }> {
  const { reviewed, suppressed } = await spends.announceCrossings(BUDGETS_AT_ONCE);
  suppressedEvents.inc(suppressed);
  return { more: reviewed === BUDGETS_AT_ONCE };
}

/** Reconciles the spend of budgets with the books (docs/reference/limits-and-budgets.md#budget-events). */
export async function reconcileBudgets(spends: BudgetSpendStore): Promise<{ readonly more: boolean }> {
  await spends.reconcile();
  return { more: false };
}

/** Proves that the database accepts writes: only then does a lapsed lease mean that its edge is dead. */
async function beatHeartbeat(heartbeat: DatabaseHeartbeat): Promise<{ readonly more: boolean }> {
  await heartbeat.beat();
  return { more: false };
}

export interface Books {
  readonly records: RequestRecordStore;
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Closes calls whose edge process died before it settled them. The lease is checked again as a call is closed; a call that
 * its edge settles at the same moment keeps that settlement.
 */
export async function closeAbandonedCalls(books: Books): Promise<{ readonly more: boolean }> {
  const { records, ledger, newId, clock } = books;
  const abandoned = await records.findAbandoned(ABANDONED_AT_ONCE);
  if (abandoned.length === 0) return { more: false };
  const closed = await ledger.closeAbandoned(
    abandoned.map((call) => abandonedSettlement(call, newId, clock)),
  );
  return { more: abandoned.length === ABANDONED_AT_ONCE && closed.length > 0 };
}

/** Makes observed costs final when the settle window ends without a provider's report. */
export async function finaliseProvisionalCosts(
  records: RequestRecordStore,
): Promise<{ readonly more: boolean }> {
  const finalised = await records.finaliseProvisional(SETTLE_WINDOW_MS, PROVISIONAL_AT_ONCE);
  return { more: finalised === PROVISIONAL_AT_ONCE };
}

/** Makes the partitions of the request log for this month and the next ones. A failure for one month does not stop the others. */
export async function makeRequestMonths(months: RequestMonths): Promise<{ readonly more: boolean }> {
  await Promise.all(Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => months.makeMonth(ahead)));
  return { more: false };
}

/** Drops the partitions of the request log before the last `monthsKept` whole months; null keeps all. */
export async function dropOldRequestMonths(
  months: RequestMonths,
  monthsKept: number | null,
): Promise<{ readonly more: boolean }> {
  if (monthsKept === null) return { more: false };
  return { more: (await months.dropOldest(monthsKept)) !== null };
}
