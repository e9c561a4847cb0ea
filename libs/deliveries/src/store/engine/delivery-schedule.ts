import { type Database } from '@svc/database';
import { type DeliveryQueue } from './delivery-queue';
import { type ClaimedDelivery, type LeasedDelivery } from './leased-delivery';

export interface DeliveryScheduleOptions {
  /** How long an attempt may take before its process counts as dead. */
  readonly leaseMs?: number | undefined;
}

/** The delay of deliveries (docs/decisions/0010). */
interface DeliveryLag {
  /** The longest time that a delivery to an enabled receiver has been due; 0 without one. */
  readonly oldestSeconds: number;
  /** How many receivers have a delivery that has waited longer than `overSeconds`. */
  readonly receiversBehind: readonly { readonly overSeconds: number; readonly receiverCount: number }[];
}

/** Longer than the longest attempt (name resolution, 10 s, the rest of an answer) and its settlement. */
const LEASE_MS = 30_000;
const BEHIND_SECONDS = [1, 10, 60, 600];

/**
 * Chooses the deliveries to send next, by the database's clock. Its locks keep dispatchers from taking the same ones.
 */
export class DeliverySchedule<Leased extends LeasedDelivery, Claimed extends Leased & ClaimedDelivery> {
  /** Asks whether a receiver's turn has come. */
  readonly isDue: () => Promise<boolean>;
  private readonly leaseMs: number;

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    { leaseMs = LEASE_MS }: DeliveryScheduleOptions = {},
  ) {
    this.leaseMs = leaseMs;
    this.isDue = database.dueWork.of(`FROM ${queue.tables.lanes} WHERE turn_at <= clock_timestamp()`);
  }

  /**
   * Leases due deliveries, fairly over receivers, and so that no receiver has more than 8 attempts in flight over all
   * dispatchers (docs/reference/webhooks.md#schedule).
   * @returns none when nothing may be sent, else 1 to `limit`: there may be more.
   */
  async claimDeliveries(limit: number): Promise<readonly Claimed[]> {
    const { claimFunction, callColumns, tables } = this.queue;
    const { rows } = await this.database.pool.query<Claimed>({
      name: claimFunction,
      text: `SELECT delivery_id AS id, ${tables.receiverId} AS "receiverId", organization_id AS "organizationId",
               event_id AS "eventId", event_type AS "eventType", round, attempt AS "attemptNumber",
               lease_id AS "leaseId", due_at AS "dueAt", claimed_at AS "claimedAt", ${callColumns}
             FROM ${claimFunction}($1, $2)`,
      values: [limit, this.leaseMs],
    });
    return rows;
  }

  /**
   * Deliveries whose lease has expired, because their process died or was paused for too long. One that was manually
   * retried since has attempt number 0.
   */
  async findLost(limit: number): Promise<readonly Leased[]> {
    const { leasedColumns, tables } = this.queue;
    const { rows } = await this.database.pool.query<Leased>({
      name: `lost_${tables.deliveries}`,
      text: `SELECT d.id, r.id AS "receiverId", d.lease_id AS "leaseId", d.round, d.attempt_count AS "attemptNumber",
               d.lease_until - $2 * interval '1 ms' AS "claimedAt"${leasedColumns && `, ${leasedColumns}`}
             FROM ${tables.deliveries} d JOIN ${tables.receivers} r ON r.id = d.${tables.receiverId}
             WHERE d.lease_id IS NOT NULL AND d.lease_until < clock_timestamp() ORDER BY d.lease_until LIMIT $1`,
      values: [limit, this.leaseMs],
    });
    return rows;
  }

  async lag(): Promise<DeliveryLag> {
    const { lanes } = this.queue.tables;
    const { rows } = await this.database.pool.query<{ oldest: number; behind: readonly number[] }>({
      name: `lag_of_${lanes}`,
      text: `WITH lag AS MATERIALIZED (
               SELECT extract(epoch FROM clock_timestamp() - least(turn_at, waiting_since)) AS seconds
               FROM ${lanes} WHERE least(turn_at, waiting_since) < now())
             SELECT (SELECT coalesce(max(seconds), 0)::float8 FROM lag) AS oldest,
               ARRAY(SELECT (SELECT count(*)::int FROM lag WHERE seconds > over)
                     FROM unnest($1::int[]) WITH ORDINALITY AS t (over, place) ORDER BY place) AS behind`,
      values: [BEHIND_SECONDS],
    });
    const [row] = rows;
    return {
      oldestSeconds: row?.oldest ?? 0,
      receiversBehind: BEHIND_SECONDS.map((overSeconds, at) => ({
        overSeconds,
        receiverCount: row?.behind[at] ?? 0,
      })),
    };
  }
}
