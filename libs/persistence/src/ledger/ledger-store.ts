import { setTimeout as wait } from 'node:timers/promises';
import { type HoldDecision } from '@svc/inference';
import { type NewId, ZERO_NANOS } from '@svc/kernel';
import { AdaptiveBatch, systemIds } from '@svc/platform';
import { type Database } from '../database/database';
import { failureKind, refusalFor } from '../database/failure';
import { bookCalls, type Booking } from './book-calls';
import { holdDecision } from './hold-decision';
import { type HoldRequest, holdRow } from './hold-request';
import { type Settlement, settlementRow, type SettlementRow } from './settlement';

const BATCH_MAX = 256;
const CONFLICT_RETRIES_MAX = 5;
const BACKOFF_FIRST_MS = 20;
const BACKOFF_MAX_MS = 1_000;

/**
 * The money path of every call: a hold before and a settlement after, each one transaction over the wallet, the budgets and
 * the request record (contract.md section 5, steps 7, 8 and 10). All that is to be booked goes in one batch a round trip.
 */
export class LedgerStore {
  private readonly bookings = new AdaptiveBatch(
    (batch: readonly Booking[]) => bookCalls(this.database, batch),
    {
      itemsMax: BATCH_MAX,
      isItemFault: (error) => failureKind(error) === 'data',
    },
  );
  private running = 0;
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /**
   * Holds what the call may cost, in its wallet and in every budget in scope, and writes its pending record.
   * @returns what is held, between `holdMin` and `holdMax`; or who refused `holdMin`, a blocking budget or the
   * wallet (that there is none included), and nothing is left behind.
   * @throws GatewayError `overloaded` while the database is away.
   */
  openHold(hold: HoldRequest): Promise<HoldDecision> {
    return this.tracked(this.untilHeld(hold));
  }

  /**
   * Ends a pending call: releases its hold, charges it, writes its events. Waits out a database that is away,
   * because a settlement may be repeated but not lost.
   * @returns false when the call was never held, or is settled otherwise: nothing was changed. A repeat of its own is none.
   */
  settle(settlement: Settlement): Promise<boolean> {
    return this.tracked(this.untilSettled(settlementRow(settlement, this.newId)));
  }

  /** Resolves when nothing is queued or under way. */
  async drain(): Promise<void> {
    while (this.running > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private async untilHeld(hold: HoldRequest): Promise<HoldDecision> {
    const row = holdRow(hold);
    for (let failures = 0; ; failures++) {
      try {
        return holdDecision(await this.bookings.add({ kind: 'hold', row }));
      } catch (error) {
        const kind = failureKind(error);
        // Only a conflict surely did not commit: after a lost connection the same hold might be opened twice.
        if (kind === 'connection') this.release(hold);
        if (kind !== 'conflict' || failures === CONFLICT_RETRIES_MAX) throw refusalFor(error);
        await wait(backoffMs(failures));
      }
    }
  }

  private async untilSettled(row: SettlementRow): Promise<boolean> {
    for (let failures = 0; ; failures++) {
      try {
        const { settled } = await this.bookings.add({ kind: 'settlement', row });
        return settled === true || (failures > 0 && (await this.wasMade(row)));
      } catch (error) {
        const kind = failureKind(error);
        if ((kind !== 'conflict' && kind !== 'connection') || this.database.pool.ending) throw error;
        await wait(backoffMs(failures));
      }
    }
  }

  /**
   * A try whose answer was lost may have committed: then the books have the very charge that it was to make. One without
   * a charge is taken as made: nothing hangs on it.
   */
  private async wasMade({ charge_id, charge_nanos }: SettlementRow): Promise<boolean> {
    if (charge_nanos === '0') return true;
    const { rowCount } = await this.database.pool.query('SELECT FROM ledger_transfers WHERE id = $1', [
      charge_id,
    ]);
    return rowCount === 1;
  }

  private tracked<T>(running: Promise<T>): Promise<T> {
    this.running++;
    running.then(this.ended, this.ended);
    return running;
  }

  private readonly ended = (): void => {
    if (--this.running > 0) return;
    for (const resume of this.whenIdle.splice(0)) resume();
  };

  /** Frees a hold that may have been opened although the answer was lost: its caller was told of a failure. */
  private release({ requestId, organizationId }: HoldRequest): void {
    const released = this.settle({
      requestId,
      organizationId,
      status: 'failed',
      charge: ZERO_NANOS,
      costState: 'final',
      provider: null,
      httpStatus: 503,
      errorCode: 'overloaded',
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

const backoffMs = (failures: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10), BACKOFF_MAX_MS);
