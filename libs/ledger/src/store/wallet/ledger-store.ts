import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type Database, failureKind, type FailureKind, refusalFor } from '@svc/database';
import { type Clock, GatewayError, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type HoldDecision } from '../../rules/budget/evaluate-budgets';
import { type HoldBooking } from './book-calls';
import { BookingLanes } from './booking-lanes';
import { holdDecision } from './hold-decision';
import { HoldReleases } from './hold-releases';
import { type HoldRequest, holdRow } from './hold-request';
import { lastResort } from './last-resort';
import { OpenHolds } from './open-holds';
import { type Settlement, type SettlementRow, settlementRow } from './settlement';

/** A caller gets 503 within 5 s, whatever the database does. */
const HOLD_WAIT_MS = 4_000;
/**
 * After how many refusals a settlement is replaced by {@link lastResort}. Refused rows stay refused. A cancelled
 * statement, a full disk or a broken index may be over soon. An outage or a lock is no refusal: it is retried without
 * limit.
 */
const REFUSALS_MAX: Readonly<Record<FailureKind, number>> = {
  data: 2,
  other: 10,
  conflict: Infinity,
  connection: Infinity,
};

interface LedgerOptions {
  readonly newId?: NewId;
  readonly clock?: Clock;
  /** Logs refused settlements. */
  readonly logger?: Logger;
}

/**
 * The money path of every call: a hold before and a settlement after, each one transaction over the wallet, the budgets
 * and the request record (docs/reference/inference-and-compatibility.md#order-of-checks). All waiting bookings go in
 * one batch a round trip.
 */
export class LedgerStore {
  private readonly lanes: BookingLanes;
  private readonly releases: HoldReleases;
  private readonly openHolds: OpenHolds;
  private readonly newId: NewId;
  private running = 0;
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly options: LedgerOptions = {},
  ) {
    this.newId = options.newId ?? systemIds;
    this.lanes = new BookingLanes(database);
    this.releases = new HoldReleases(database, this.newId);
    this.openHolds = new OpenHolds(database, this.lanes);
  }

  /**
   * Holds what the call may cost, in its wallet and in every budget in scope, and writes its pending record.
   * @returns what is held, between `holdMin` and `holdMax`; or what refused `holdMin`: a blocking budget, or a wallet
   * that is too low or missing. A refusal writes nothing.
   * @throws GatewayError `overloaded` within 5 s, while the database is unavailable, does not answer, or has the wallet
   * locked.
   */
  openHold(hold: HoldRequest): Promise<HoldDecision> {
    const booking: HoldBooking = { kind: 'hold', row: holdRow(hold), isSent: false, isGivenUp: false };
    return this.tracked(
      new Promise((resolve, reject) => {
        const giveUp = (error: unknown) => {
          booking.isGivenUp = true;
          clearTimeout(timer);
          reject(refusalFor(error) as Error);
          // The caller gets a failure. A hold that was opened all the same would be orphaned.
          if (booking.isSent && mayHaveCommitted(error)) void this.tracked(this.releases.release(hold));
        };
        const timer = setTimeout(() => {
          giveUp(new GatewayError('overloaded', TOO_LATE));
        }, HOLD_WAIT_MS);
        this.lanes.add(booking).then((booked) => {
          clearTimeout(timer);
          if (booking.isGivenUp) return;
          const decision = holdDecision(booked);
          this.openHolds.note(hold, decision);
          resolve(decision);
        }, giveUp);
      }),
    );
  }

  /**
   * Ends a pending call: releases its hold, charges it, writes its events. It may be repeated but not lost. It retries
   * while the database is unavailable or locked, and after a cancellation. A refused settlement is replaced by one that
   * always fits. A hold that a crash of the database lost is opened again first.
   * @returns false when the call is not held (any more), or was settled by another settlement: nothing was changed. A retry
   * of its own does not count as another.
   */
  settle(settlement: Settlement): Promise<boolean> {
    return this.tracked(
      this.untilSettled(settlement).finally(() => {
        this.openHolds.forget(settlement.requestId);
      }),
    );
  }

  /**
   * Settles calls whose edge process is lost, if it still is at that moment. Calls of a locked wallet are left for the
   * next run.
   * @returns the ids of the calls that it closed.
   */
  async closeAbandoned(settlements: readonly Settlement[]): Promise<readonly string[]> {
    const batch = settlements.map((settlement) => settlementRow(settlement, this.newId));
    const { rows } = await this.database.booksAside.query<{ id: string }>({
      name: 'close_abandoned_calls',
      text: 'SELECT id FROM close_abandoned_calls($1::jsonb) AS id',
      values: [JSON.stringify(batch)],
    });
    return rows.map(({ id }) => id);
  }

  /** True where the hold of this call is being released after its caller got a failure. */
  isReleasing(requestId: string): boolean {
    return this.releases.isUnderWay(requestId);
  }

  /** Resolves when nothing is queued or under way. */
  async drain(): Promise<void> {
    while (this.running > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private async untilSettled(settlement: Settlement): Promise<boolean> {
    let row = settlementRow(settlement, this.newId);
    let refusals = 0;
    for (let failures = 0; ; failures++) {
      try {
        const { settled } = await this.lanes.add({ kind: 'settlement', row });
        if (settled === true) return true;
        if (await this.openHolds.reopenLost(row.request_id)) continue;
        return failures > 0 && (await this.wasMade(row));
      } catch (error) {
        if (this.database.pool.ending) throw error;
        const refusalsMax = REFUSALS_MAX[failureKind(error)];
        if (refusalsMax < Infinity && ++refusals === refusalsMax) {
          this.options.logger?.error({ request_id: row.request_id, err: error }, 'settlement refused');
          const fitting = lastResort(settlement, this.newId, this.options.clock ?? systemClock);
          row = { ...settlementRow(fitting, this.newId), charge_id: row.charge_id };
        }
        await wait(backoffMs(failures));
      }
    }
  }

  /**
   * A booking whose answer was lost may have committed. Then the ledger has its charge. One without a charge is taken
   * as committed, because nothing depends on it.
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
}

const TOO_LATE = 'The books did not answer in time. Nothing was sent or charged. Please retry.';

/** False where the server reported a failure. */
const mayHaveCommitted = (error: unknown): boolean =>
  error instanceof GatewayError || failureKind(error) === 'connection';
