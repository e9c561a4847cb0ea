import { type Database } from '@svc/database';

/** A minute whose metrics the claimant sends to an integration: nobody else does, also not when it fails. */
export interface ClaimedMinute {
  readonly integrationId: string;
  readonly organizationId: string;
  /** Unix milliseconds of the start of the UTC minute. */
  readonly minuteMs: number;
}

/** After its end edges still write a minute for some seconds: every 5 s, and after the settlement. */
const WRITTEN_AFTER_SECONDS = 20;
/** Minutes before these were missed: while no dispatcher ran, or the integration was paused. */
const MISSED_AFTER_MINUTES = 10;

/** Which minutes of calls were sent as metrics (docs/decisions/0043). */
export class OtlpMetricCursors {
  constructor(private readonly database: Database) {}

  /**
   * Claims minutes that are due, one an integration. A minute is claimed once: metrics in delta temporality that are sent
   * twice would count double, and a minute that a killed process had claimed is missing.
   */
  async claim(limit: number): Promise<readonly ClaimedMinute[]> {
    await this.database.pool.query({ name: 'begin_otlp_metrics', text: BEGIN });
    const { rows } = await this.database.pool.query<ClaimedMinute>({
      name: 'claim_otlp_metrics',
      text: CLAIM,
      values: [limit],
    });
    return rows;
  }
}

const ACTIVE = `i.kind = 'otlp' AND i.enabled AND i.deleted_at IS NULL AND i.config -> 'signals' ? 'metrics'`;

const BEGIN = `
  INSERT INTO otlp_metric_cursors (integration_id, next_minute)
  SELECT i.id, date_trunc('minute', now()) FROM integrations i
  WHERE ${ACTIVE} AND NOT EXISTS (SELECT FROM otlp_metric_cursors c WHERE c.integration_id = i.id)
  ON CONFLICT DO NOTHING`;

/** The row lock makes each minute one claimant's: another one passes it by, and then reads the minute after it. */
const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT c.integration_id, i.organization_id,
      greatest(c.next_minute, date_trunc('minute', now()) - interval '${String(MISSED_AFTER_MINUTES)} min') AS minute
    FROM otlp_metric_cursors c JOIN integrations i ON i.id = c.integration_id
    WHERE ${ACTIVE} AND c.next_minute <= now() - interval '${String(60 + WRITTEN_AFTER_SECONDS)} s'
    ORDER BY c.next_minute LIMIT $1 FOR UPDATE OF c SKIP LOCKED
  )
  UPDATE otlp_metric_cursors c SET next_minute = due.minute + interval '1 min'
  FROM due WHERE c.integration_id = due.integration_id
  RETURNING c.integration_id AS "integrationId", due.organization_id AS "organizationId",
    (extract(epoch FROM due.minute) * 1000)::float8 AS "minuteMs"`;
