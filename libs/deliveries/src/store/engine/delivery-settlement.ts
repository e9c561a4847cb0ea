import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type Database, failureKind, inPoolTransaction, type PoolConnection } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { AdaptiveBatch, systemIds } from '@svc/runtime';
import { type DeliveryQueue } from './delivery-queue';
import { type EndedAttempt, type SettledDelivery } from './ended-attempt';
import { type LeasedDelivery } from './leased-delivery';
import { lockReceivers } from './receiver-standing';
import {
  decide,
  type LockedDelivery,
  type SettlementDecision,
  type SettlementFacts,
} from './settlement-decision';
import { lockDeliveriesText, writeSettlementText } from './settlement-statements';

export interface DeliverySettlementOptions {
  /** Seconds after the first, second, … failure of a round: `SVC_WEBHOOK_RETRY_DELAYS`. */
  readonly retryDelaysSeconds?: readonly number[] | undefined;
  readonly newId?: NewId;
}

/** Not a failure of the database, so a retry would not help. */
class UndecidableError extends Error {
  override readonly name = 'UndecidableError';
}

const BATCH_MAX = 512;
/** A cancelled statement may succeed at the next try. One that never does must not block later batches. */
const FAILURES_MAX = 10;

/**
 * Settles attempts. One transaction writes the attempts, the state of their deliveries, the health of the receivers and
 * what tells of those that it disables, for all attempts that ended meanwhile.
 */
export class DeliverySettlement<Leased extends LeasedDelivery = LeasedDelivery> {
  private readonly retryDelaysSeconds: readonly number[] | undefined;
  private readonly newId: NewId;
  private readonly lockText: string;
  private readonly writeText: string;
  private readonly batch = new AdaptiveBatch<EndedAttempt, SettledDelivery | null>(
    (attempts) => this.send(attempts),
    {
      itemsMax: BATCH_MAX,
      isItemFault: (error) => error instanceof UndecidableError || failureKind(error) === 'data',
    },
  );

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    { retryDelaysSeconds, newId = systemIds }: DeliverySettlementOptions = {},
  ) {
    this.retryDelaysSeconds = retryDelaysSeconds;
    this.newId = newId;
    this.lockText = lockDeliveriesText(queue);
    this.writeText = writeSettlementText(queue);
  }

  /**
   * Retries while the database is unavailable, because every attempt must be recorded.
   * @returns null when the delivery no longer has this lease. Then the settlement is void and nothing was changed.
   */
  settle(attempt: EndedAttempt<Leased>): Promise<SettledDelivery | null> {
    return this.batch.add(attempt);
  }

  private async send(attempts: readonly EndedAttempt[]): Promise<readonly (SettledDelivery | null)[]> {
    const { pool } = this.database;
    for (let failures = 0; ; failures++) {
      try {
        return await inPoolTransaction(pool, (client) => this.settleAll(client, attempts));
      } catch (error) {
        if (error instanceof UndecidableError || pool.ending) throw error;
        const kind = failureKind(error);
        if (kind === 'data' || (kind === 'other' && failures === FAILURES_MAX)) throw error;
        await wait(backoffMs(failures));
      }
    }
  }

  /** The same lock order everywhere: receivers, then deliveries, then (by their trigger) lanes, each in the order of ids. */
  private async settleAll(
    client: PoolConnection,
    attempts: readonly EndedAttempt[],
  ): Promise<readonly (SettledDelivery | null)[]> {
    const { queue, newId, retryDelaysSeconds } = this;
    const { deliveries: table } = queue.tables;
    const ids = attempts.map(({ delivery }) => delivery.id);
    const leaseIds = attempts.map(({ delivery }) => delivery.leaseId);
    const receiverIds = [...new Set(attempts.map(({ delivery }) => delivery.receiverId))];
    const receivers = await lockReceivers(client, queue, receiverIds);
    const { rows: deliveries } = await client.query<LockedDelivery>({
      name: `lock_leased_${table}`,
      text: this.lockText,
      values: [ids, leaseIds],
    });
    const facts = { queue, receivers, deliveries, newId, retryDelaysSeconds };
    const { settled, rows, tellings } = decideOrThrow(attempts, facts);
    if (rows.deliveries.length > 0) {
      const tables = [rows.deliveries, rows.attempts, rows.receivers, rows.paces];
      const values = tables.map((each) => JSON.stringify(each));
      await client.query({ name: `settle_${table}`, text: this.writeText, values });
    }
    for (const { text, values } of tellings) await client.query(text, values);
    return settled;
  }
}

function decideOrThrow(attempts: readonly EndedAttempt[], facts: SettlementFacts): SettlementDecision {
  try {
    return decide(attempts, facts);
  } catch (error) {
    throw new UndecidableError('an attempt could not be settled', { cause: error });
  }
}
