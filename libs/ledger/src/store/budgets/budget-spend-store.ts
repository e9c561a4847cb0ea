import { type Database, Outbox, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { type EventData, recordEvent, type RecordedEvent } from '@svc/events';
import { type Clock, jsonInteger, nanos, nanosToJson, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/runtime';
import { admitEvents } from './event-hours';
import { mendSpends, RECENT } from './mend-spends';

type BudgetEventData = EventData['budget.exceeded'];

/** A reviewed period of a budget, with what changed since its last review. */
interface ReviewedSpend {
  readonly organization_id: string;
  readonly budget_id: string;
  readonly name: string;
  readonly scope: BudgetEventData['scope'];
  readonly scope_id: string;
  readonly project_id: string | null;
  readonly subject: string | null;
  readonly period: BudgetEventData['period'];
  readonly period_key: string;
  readonly amount_nanos: bigint;
  readonly spent_nanos: bigint;
  readonly warn_at_bps: number;
  readonly action: BudgetEventData['action'];
  readonly warns: boolean;
  readonly exceeds: boolean;
}

/** The worker's side of budgets. Calls reserve and spend through the LedgerStore. */
export class BudgetSpendStore {
  private readonly outbox = new Outbox();

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Records `budget.threshold_crossed` and `budget.exceeded` for periods that changed since their last review. Each is
   * recorded once a period, in one transaction with the mark of it, also with several workers. A budget of each records
   * at most 100 of each an hour.
   * @returns how many periods were reviewed, and how many events were left out.
   */
  announceCrossings(limit: number): Promise<{ readonly reviewed: number; readonly suppressed: number }> {
    return new UnitOfWork(this.database).transaction(async (tx) => {
      const reviewed = await this.review(tx, limit);
      const crossings = reviewed.flatMap(crossingsIn);
      const admitted = await admitEvents(tx, crossings);
      const events = admitted.map((crossing) => this.eventOf(crossing));
      if (events.length > 0) await this.outbox.append(tx, ...events);
      return { reviewed: reviewed.length, suppressed: crossings.length - admitted.length };
    });
  }

  /**
   * Corrects drift in the current periods of enabled budgets, sessions aside. Usage that a budget missed is counted as spent,
   * and reserved becomes what its calls in flight hold.
   * @returns how many periods were corrected.
   */
  async reconcile(): Promise<number> {
    const { rows } = await this.database.background.query<{ organization_id: string }>(
      `SELECT DISTINCT organization_id FROM budget_drift WHERE ${RECENT} ORDER BY organization_id`,
    );
    let mended = 0;
    const unitOfWork = new UnitOfWork(this.database);
    for (const { organization_id: organizationId } of rows) {
      mended += await unitOfWork.transaction((tx) => mendSpends(tx, organizationId));
    }
    return mended;
  }

  /** The rows stay locked until the events are stored; calls that spend from them wait that long. */
  private review(tx: Transaction, limit: number): Promise<readonly ReviewedSpend[]> {
    return prismaOf(tx).$queryRaw<ReviewedSpend[]>`
      WITH due AS MATERIALIZED (
        SELECT s.budget_id, s.period_key, g.organization_id, g.name, g.scope, g.scope_id, nullif(g.project_id, '') AS project_id,
          g.period, budget_amount(g) AS amount_nanos, g.warn_at_bps, g.action,
          g.enabled AND s.warned_at IS NULL
            AND s.spent_nanos::numeric * 10000 >= budget_amount(g)::numeric * g.warn_at_bps AS warns,
          g.enabled AND s.exceeded_at IS NULL
            AND (s.spent_nanos >= budget_amount(g) OR s.refused_at IS NOT NULL) AS exceeds
        FROM budget_spends s JOIN budgets g ON g.id = s.budget_id
        WHERE s.review_due
        ORDER BY s.budget_id, s.period_key LIMIT ${limit}
        FOR UPDATE OF s SKIP LOCKED
      )
      UPDATE budget_spends s SET review_due = false,
        warned_at = CASE WHEN due.warns THEN now() ELSE s.warned_at END,
        exceeded_at = CASE WHEN due.exceeds THEN now() ELSE s.exceeded_at END
      FROM due WHERE s.budget_id = due.budget_id AND s.period_key = due.period_key
      RETURNING due.*, s.spent_nanos, s.subject`;
  }

  private eventOf({ type, spend }: Crossing): RecordedEvent {
    const { organization_id: organizationId, warns: _, exceeds: __, ...fields } = spend;
    const data: BudgetEventData = {
      ...fields,
      period_key: fields.period_key.split(' ', 1)[0] ?? '',
      amount_nanos: nanosToJson(nanos(fields.amount_nanos)),
      spent_nanos: jsonInteger(fields.spent_nanos),
    };
    return recordEvent(this.newId('event'), type, organizationId, this.clock.now(), data);
  }
}

interface Crossing {
  readonly type: 'budget.threshold_crossed' | 'budget.exceeded';
  readonly spend: ReviewedSpend;
}

const crossingsIn = (spend: ReviewedSpend): readonly Crossing[] => [
  ...(spend.warns ? [{ type: 'budget.threshold_crossed', spend } as const] : []),
  ...(spend.exceeds ? [{ type: 'budget.exceeded', spend } as const] : []),
];
