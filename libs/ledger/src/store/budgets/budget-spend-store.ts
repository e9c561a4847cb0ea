import { type Database, Outbox, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { type EventData, recordEvent, type RecordedEvent } from '@svc/events';
import { type Clock, jsonInteger, nanos, nanosToJson, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/runtime';
import { mendSpends } from './mend-spends';

type BudgetEventData = EventData['budget.exceeded'];

/** A reviewed period of a budget, with what changed since its last review. */
interface ReviewedSpend {
  readonly organization_id: string;
  readonly budget_id: string;
  readonly name: string;
  readonly scope: BudgetEventData['scope'];
  readonly scope_id: string;
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
   * recorded once a period, in one transaction with the mark of it, also with several workers.
   * @returns how many periods were reviewed.
   */
  announceCrossings(limit: number): Promise<number> {
    return new UnitOfWork(this.database).transaction(async (tx) => {
      const reviewed = await this.review(tx, limit);
      const events = reviewed.flatMap((spend) => this.eventsOf(spend));
      if (events.length > 0) await this.outbox.append(tx, ...events);
      return reviewed.length;
    });
  }

  /**
   * Corrects drift in the current days and months of enabled budgets. Usage that a budget missed is counted as spent,
   * and reserved becomes what its calls in flight hold.
   * @returns how many periods were corrected.
   */
  async reconcile(): Promise<number> {
    const { rows } = await this.database.background.query<{ organization_id: string }>(
      'SELECT DISTINCT organization_id FROM budget_drift ORDER BY organization_id',
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
        SELECT s.budget_id, s.period_key, g.organization_id, g.name, g.scope, g.scope_id, g.period, g.amount_nanos,
          g.warn_at_bps, g.action,
          g.enabled AND s.warned_at IS NULL
            AND s.spent_nanos::numeric * 10000 >= g.amount_nanos::numeric * g.warn_at_bps AS warns,
          g.enabled AND s.exceeded_at IS NULL
            AND (s.spent_nanos >= g.amount_nanos OR s.refused_at IS NOT NULL) AS exceeds
        FROM budget_spends s JOIN budgets g ON g.id = s.budget_id
        WHERE s.review_due
        ORDER BY s.budget_id, s.period_key LIMIT ${limit}
        FOR UPDATE OF s SKIP LOCKED
      )
      UPDATE budget_spends s SET review_due = false,
        warned_at = CASE WHEN due.warns THEN now() ELSE s.warned_at END,
        exceeded_at = CASE WHEN due.exceeds THEN now() ELSE s.exceeded_at END
      FROM due WHERE s.budget_id = due.budget_id AND s.period_key = due.period_key
      RETURNING due.*, s.spent_nanos`;
  }

  private eventsOf({ organization_id, warns, exceeds, ...spend }: ReviewedSpend): readonly RecordedEvent[] {
    const data: BudgetEventData = {
      ...spend,
      amount_nanos: nanosToJson(nanos(spend.amount_nanos)),
      spent_nanos: jsonInteger(spend.spent_nanos),
    };
    const types = [
      ...(warns ? (['budget.threshold_crossed'] as const) : []),
      ...(exceeds ? (['budget.exceeded'] as const) : []),
    ];
    return types.map((type) =>
      recordEvent(this.newId('event'), type, organization_id, this.clock.now(), data),
    );
  }
}
