import { type IntegrationKind } from '@svc/integrations';
import { type JsonValue } from '@svc/kernel';
import { type Database } from '../database/database';
import { type DeliveryScheduleOptions } from '../webhooks/delivery-schedule';

/** A delivery to an integration under a lease. Its holder may make one attempt and settle it. */
export interface LeasedIntegrationDelivery {
  readonly id: string;
  readonly integrationId: string;
  readonly kind: IntegrationKind;
  readonly leaseId: string;
  /** A manual retry starts the next round. */
  readonly round: number;
  /** 1 to 6, within the round. */
  readonly attemptNumber: number;
  /** By the database's clock. */
  readonly claimedAt: Date;
}

/** A leased delivery with everything needed to send it. */
export interface ClaimedIntegrationDelivery extends LeasedIntegrationDelivery {
  readonly organizationId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The rendered message, without secrets. */
  readonly body: string;
  readonly config: Readonly<Record<string, JsonValue>>;
  /** Opens with the `integrationSecretContext`. */
  readonly sealedSecret: Buffer | null;
}

/** Longer than the longest attempt and its settlement. */
const LEASE_MS = 30_000;

/** Chooses the deliveries to integrations to send next, as `DeliverySchedule` does for endpoints. */
export class IntegrationSchedule {
  private readonly leaseMs: number;

  constructor(
    private readonly database: Database,
    { leaseMs = LEASE_MS }: DeliveryScheduleOptions = {},
  ) {
    this.leaseMs = leaseMs;
  }

  /**
   * Leases due deliveries, fairly over integrations, at most 8 in flight to each over all dispatchers.
   * @returns none when nothing may be sent, else 1 to `limit`: there may be more.
   */
  async claim(limit: number): Promise<readonly ClaimedIntegrationDelivery[]> {
    const { rows } = await this.database.pool.query<ClaimedIntegrationDelivery>({
      name: 'claim_integration_deliveries',
      text: `SELECT delivery_id AS id, integration_id AS "integrationId", organization_id AS "organizationId", kind,
               event_id AS "eventId", event_type AS "eventType", body, round, attempt AS "attemptNumber",
               lease_id AS "leaseId", claimed_at AS "claimedAt", config, secret_ciphertext AS "sealedSecret"
             FROM claim_integration_deliveries($1, $2)`,
      values: [limit, this.leaseMs],
    });
    return rows;
  }

  /** Deliveries whose lease has expired. One that was manually retried since has attempt number 0. */
  async findLost(limit: number): Promise<readonly LeasedIntegrationDelivery[]> {
    const { rows } = await this.database.pool.query<LeasedIntegrationDelivery>({
      name: 'lost_integration_deliveries',
      text: `SELECT d.id, d.integration_id AS "integrationId", i.kind, d.lease_id AS "leaseId", d.round,
               d.attempt_count AS "attemptNumber", d.lease_until - $2 * interval '1 ms' AS "claimedAt"
             FROM integration_deliveries d JOIN integrations i ON i.id = d.integration_id
             WHERE d.lease_id IS NOT NULL AND d.lease_until < clock_timestamp() ORDER BY d.lease_until LIMIT $1`,
      values: [limit, this.leaseMs],
    });
    return rows;
  }
}
