import { type Database } from '../database/database';

/** A delivery under a lease. The holder of the lease may make one attempt and settle it. */
export interface LeasedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly leaseId: string;
  /** A manual retry starts the next round. */
  readonly round: number;
  /** 1 to 6, within the round. */
  readonly attemptNumber: number;
  /** By the database's clock. */
  readonly claimedAt: Date;
}

/** A leased delivery with everything needed to send it. */
export interface ClaimedDelivery extends LeasedDelivery {
  readonly organizationId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The webhook body, byte for byte. */
  readonly payload: string;
  readonly url: string;
  /** The valid ones, the newest first. Each decrypts with the context `signingSecretContext`. */
  readonly sealedSecrets: readonly Buffer[];
  /** When it became due. */
  readonly dueAt: Date;
}

export interface DeliveryScheduleOptions {
  /** How long an attempt may take before its process counts as dead. */
  readonly leaseMs?: number;
}

/** The delay of deliveries (docs/decisions/0010). */
interface DeliveryLag {
  /** The longest time that a delivery to an enabled endpoint has been due; 0 without one. */
  readonly oldestSeconds: number;
  /** How many endpoints have a delivery that has waited longer than `overSeconds`. */
  readonly endpointsBehind: readonly { readonly overSeconds: number; readonly endpointCount: number }[];
}

interface ClaimRow {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly organization_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly payload: string;
  readonly round: number;
  readonly attempt: number;
  readonly lease_id: string;
  readonly due_at: Date;
  readonly claimed_at: Date;
  readonly url: string;
  readonly secret_ciphertext: Buffer;
  readonly previous_secret_ciphertext: Buffer | null;
}

/** Longer than the longest attempt (name resolution, 10 s, the rest of an answer) and its settlement. */
const LEASE_MS = 30_000;
const BEHIND_SECONDS = [1, 10, 60, 600];

const LEASED = `id, endpoint_id AS "endpointId", lease_id AS "leaseId", round, attempt_count AS "attemptNumber"`;

/**
 * Chooses the deliveries to send next, by the database's clock. Its locks keep dispatchers from taking the same ones.
 */
export class DeliverySchedule {
  private readonly leaseMs: number;

  constructor(
    private readonly database: Database,
    { leaseMs = LEASE_MS }: DeliveryScheduleOptions = {},
  ) {
    this.leaseMs = leaseMs;
  }

  /**
   * Leases due deliveries, fairly over endpoints, and so that no endpoint has more than 8 attempts in flight over all
   * dispatchers (docs/reference/webhooks.md#schedule).
   * @returns none when nothing may be sent, else 1 to `limit`: there may be more.
   */
  async claim(limit: number): Promise<readonly ClaimedDelivery[]> {
    const { rows } = await this.database.pool.query<ClaimRow>({
      name: 'claim_deliveries',
      text: 'SELECT * FROM claim_deliveries($1, $2)',
      values: [limit, this.leaseMs],
    });
    return rows.map(claimedDelivery);
  }

  /**
   * Deliveries whose lease has expired, because their process died or was paused for too long. One that was manually
   * retried since has attempt number 0.
   */
  async findLost(limit: number): Promise<readonly LeasedDelivery[]> {
    const { rows } = await this.database.pool.query<LeasedDelivery>({
      name: 'lost_deliveries',
      text: `SELECT ${LEASED}, lease_until - $2 * interval '1 ms' AS "claimedAt" FROM webhook_deliveries
             WHERE lease_id IS NOT NULL AND lease_until < clock_timestamp() ORDER BY lease_until LIMIT $1`,
      values: [limit, this.leaseMs],
    });
    return rows;
  }

  async lag(): Promise<DeliveryLag> {
    const { rows } = await this.database.pool.query<{ oldest: number; behind: readonly number[] }>({
      name: 'delivery_lag',
      text: `WITH lag AS MATERIALIZED (
               SELECT extract(epoch FROM clock_timestamp() - least(turn_at, waiting_since)) AS seconds
               FROM webhook_lanes WHERE least(turn_at, waiting_since) < now())
             SELECT (SELECT coalesce(max(seconds), 0)::float8 FROM lag) AS oldest,
               ARRAY(SELECT (SELECT count(*)::int FROM lag WHERE seconds > over)
                     FROM unnest($1::int[]) WITH ORDINALITY AS t (over, place) ORDER BY place) AS behind`,
      values: [BEHIND_SECONDS],
    });
    const [row] = rows;
    return {
      oldestSeconds: row?.oldest ?? 0,
      endpointsBehind: BEHIND_SECONDS.map((overSeconds, at) => ({
        overSeconds,
        endpointCount: row?.behind[at] ?? 0,
      })),
    };
  }
}

const claimedDelivery = (row: ClaimRow): ClaimedDelivery => ({
  id: row.delivery_id,
  endpointId: row.endpoint_id,
  leaseId: row.lease_id,
  round: row.round,
  attemptNumber: row.attempt,
  claimedAt: row.claimed_at,
  organizationId: row.organization_id,
  eventId: row.event_id,
  eventType: row.event_type,
  payload: row.payload,
  url: row.url,
  sealedSecrets: [
    row.secret_ciphertext,
    ...(row.previous_secret_ciphertext ? [row.previous_secret_ciphertext] : []),
  ],
  dueAt: row.due_at,
});
