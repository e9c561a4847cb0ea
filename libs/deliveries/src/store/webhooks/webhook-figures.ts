import { type Database, idRange } from '@svc/database';

/** Deliveries of one endpoint that are counted at most: 100 endpoints take some seconds of the database then. */
export const FIGURES_MAX = 10_000;
/** The newest deliveries whose attempts are timed. */
const TIMED_MAX = 1_000;
const DAY_MS = 86_400_000;

/** The deliveries to one endpoint in the last 24 hours. Counts are {@link FIGURES_MAX} at most. */
export interface WebhookFiguresRecord {
  readonly endpointId: string;
  readonly createdCount: number;
  readonly succeededCount: number;
  readonly deadCount: number;
  /** Of any age: for their time, or for the endpoint to be enabled. */
  readonly waitingCount: number;
  /** Of the attempts of the newest 1,000 of them; null where none was answered. */
  readonly p95DurationMs: number | null;
}

/** How the deliveries to an organization's endpoints went lately. */
export class WebhookFiguresStore {
  constructor(private readonly database: Database) {}

  /** Of every endpoint that is not deleted, the newest first. */
  listWebhookFigures(organizationId: string, now: Date): Promise<WebhookFiguresRecord[]> {
    const [from, to] = idRange('webhookDelivery', null, { createdAfter: new Date(now.getTime() - DAY_MS) });
    return this.database.prisma.$queryRaw<WebhookFiguresRecord[]>`
      SELECT e.id AS "endpointId", c.created AS "createdCount", c.succeeded AS "succeededCount", c.dead AS "deadCount",
        w.waiting AS "waitingCount", t.p95 AS "p95DurationMs"
      FROM webhook_endpoints e,
        LATERAL (
          SELECT count(*)::int AS created, count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
            count(*) FILTER (WHERE status = 'dead')::int AS dead
          FROM (
            SELECT status FROM webhook_deliveries
            WHERE (endpoint_id, id) >= (e.id, ${from}) AND (endpoint_id, id) < (e.id, ${to})
            ORDER BY endpoint_id DESC, id DESC LIMIT ${FIGURES_MAX}
          ) newest
        ) c,
        LATERAL (
          SELECT count(*)::int AS waiting FROM (
            SELECT FROM webhook_deliveries
            WHERE endpoint_id = e.id AND status IN ('queued', 'failed') AND lease_id IS NULL LIMIT ${FIGURES_MAX}
          ) due
        ) w,
        LATERAL (
          SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) AS p95
          FROM (
            SELECT id FROM webhook_deliveries
            WHERE (endpoint_id, id) >= (e.id, ${from}) AND (endpoint_id, id) < (e.id, ${to})
            ORDER BY endpoint_id DESC, id DESC LIMIT ${TIMED_MAX}
          ) newest
          JOIN webhook_delivery_attempts a ON a.delivery_id = newest.id AND a.duration_ms IS NOT NULL
        ) t
      WHERE e.organization_id = ${organizationId} AND e.deleted_at IS NULL
      ORDER BY e.id DESC`;
  }
}
