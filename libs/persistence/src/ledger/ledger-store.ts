import { setTimeout as wait } from 'node:timers/promises';
import { type HoldDecision } from '@svc/inference';
import { type NewId, ZERO_NANOS } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { type Database } from '../database/database';
import { failureKind } from '../database/failure';
import { AdaptiveBatch } from './adaptive-batch';
import { holdDecision, type HoldDecisionRow } from './hold-decision';
import { type HoldRequest, holdRow } from './hold-request';
import { type Settlement, settlementRow } from './settlement';

const BATCH_MAX = 256;
const CONFLICT_RETRIES_MAX = 5;
const BACKOFF_FIRST_MS = 20;
const BACKOFF_MAX_MS = 1_000;

const OPEN_HOLDS = {
  name: 'open_holds',
  text: `SELECT held_nanos, refused_budget_id, refused_budget_name, warning_bps FROM open_holds($1::jsonb)`,
};
const SETTLE_REQUESTS = { name: 'settle_requests', text: 'SELECT settled FROM settle_requests($1::jsonb)' };

/**
 * The money path of every call: two batched round trips, each one transaction over the wallet, the budgets and the
 * request record (contract.md section 5, steps 7, 8 and 10).
 */
export class LedgerStore {
  private readonly holds = new AdaptiveBatch<HoldRequest, HoldDecision>((batch) => this.sendHolds(batch), {
    itemsMax: BATCH_MAX,
    isItemFault,
  });
  private readonly settlements = new AdaptiveBatch<Settlement, boolean>(
    (batch) => this.sendSettlements(batch),
    {
      itemsMax: BATCH_MAX,
      isItemFault,
    },
  );

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /**
   * Holds what the call may cost, in its wallet and in every budget in scope, and writes its pending record.
   * @returns what is held, between `holdMin` and `holdMax`; or who refused `holdMin`, a blocking budget or the
   * wallet (that there is none included), and nothing is left behind.
   */
  openHold(hold: HoldRequest): Promise<HoldDecision> {
    return this.holds.add(hold);
  }

  /**
   * Ends a pending call: releases its hold, charges it, writes its events. Waits out a database that is away,
   * because a settlement may be repeated but not lost.
   * @returns false when the call was settled before or never held: nothing was changed.
   */
  settle(settlement: Settlement): Promise<boolean> {
    return this.settlements.add(settlement);
  }

  /** Resolves when nothing is queued or under way. */
  async drain(): Promise<void> {
    await this.holds.drain();
    await this.settlements.drain();
  }

  private async sendHolds(batch: readonly HoldRequest[]): Promise<readonly HoldDecision[]> {
    const rows = JSON.stringify(batch.map(holdRow));
    for (let failures = 0; ; failures++) {
      try {
        const answer = await this.database.pool.query<HoldDecisionRow>({
          ...OPEN_HOLDS,
          values: [rows],
        });
        return answer.rows.map(holdDecision);
      } catch (error) {
        const kind = failureKind(error);
        // Only a conflict surely did not commit: after a lost connection the same hold might be opened twice.
        if (kind === 'connection') this.release(batch);
        if (kind !== 'conflict' || failures === CONFLICT_RETRIES_MAX) throw error;
        await wait(backoffMs(failures));
      }
    }
  }

  private async sendSettlements(batch: readonly Settlement[]): Promise<readonly boolean[]> {
    const rows = JSON.stringify(batch.map((settlement) => settlementRow(settlement, this.newId)));
    for (let failures = 0; ; failures++) {
      try {
        const answer = await this.database.pool.query<{ settled: boolean }>({
          ...SETTLE_REQUESTS,
          values: [rows],
        });
        return answer.rows.map(({ settled }) => settled);
      } catch (error) {
        const kind = failureKind(error);
        if ((kind !== 'conflict' && kind !== 'connection') || this.database.pool.ending) throw error;
        await wait(backoffMs(failures));
      }
    }
  }

  /** Frees holds that may have been opened although the answer was lost: their callers were told of a failure. */
  private release(batch: readonly HoldRequest[]): void {
    for (const { requestId, organizationId } of batch) {
      const released = this.settle({
        requestId,
        organizationId,
        status: 'failed',
        charge: ZERO_NANOS,
        costState: 'final',
        provider: null,
        httpStatus: 500,
        errorCode: 'internal',
        attempts: [],
        usage: null,
        ttftMs: null,
        durationMs: null,
        events: [],
      });
      // Fails only when the database was closed meanwhile: the worker then finds the hold abandoned.
      released.catch(() => undefined);
    }
  }
}

const isItemFault = (error: unknown): boolean => failureKind(error) === 'data';

const backoffMs = (failures: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10), BACKOFF_MAX_MS);
