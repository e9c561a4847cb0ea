import { setTimeout as wait } from 'node:timers/promises';
import { type PoolClient } from 'pg';
import { type NewId } from '@svc/kernel';
import { AdaptiveBatch, systemIds } from '@svc/platform';
import { backoffMs } from '../database/backoff';
import { type Database } from '../database/database';
import { failureKind } from '../database/failure';
import { type EndedAttempt, type SettledDelivery } from './ended-attempt';
import {
  decide,
  type LockedDelivery,
  type LockedEndpoint,
  type SettlementDecision,
  type SettlementFacts,
} from './settlement-decision';

interface DeliverySettlementOptions {
  /** Seconds after the first, second, … failure of a round: `SVC_WEBHOOK_RETRY_DELAYS`. */
  readonly retryDelaysSeconds?: readonly number[];
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
 * The same lock order everywhere: endpoints, then deliveries, then (by their trigger) lanes, each in the order of ids.
 */
const LOCK_ENDPOINTS = {
  name: 'lock_settled_endpoints',
  // Adds a millisecond, because times are stored in whole milliseconds and nothing may be due before its delay is over.
  text: `SELECT id, organization_id AS "organizationId", url, state, consecutive_failures AS "consecutiveFailures",
           deleted_at IS NOT NULL AS "isDeleted", date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS now
         FROM webhook_endpoints WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
};
const LOCK_DELIVERIES = {
  name: 'lock_settled_deliveries',
  text: `SELECT d.id, d.lease_id AS "leaseId", d.event_type AS "eventType", d.status, d.round,
           d.attempt_count AS "attemptCount", d.next_attempt_at AS "nextAttemptAt"
         FROM unnest($1::text[], $2::text[]) AS s (id, lease_id)
           JOIN webhook_deliveries d ON d.id = s.id AND d.lease_id = s.lease_id
         ORDER BY d.id FOR UPDATE OF d`,
};
const WRITE = {
  name: 'settle_deliveries',
  text: `WITH attempts AS (
      INSERT INTO webhook_delivery_attempts
        (delivery_id, round, attempt, started_at, duration_ms, status_code, error, response_excerpt)
      SELECT * FROM jsonb_to_recordset($2) AS a (delivery_id text, round int, attempt int, started_at timestamptz,
        duration_ms int, status_code int, error text, response_excerpt text)
      ON CONFLICT DO NOTHING
    ), endpoints AS (
      UPDATE webhook_endpoints e SET state = c.state, enabled = c.enabled, disabled_reason = c.disabled_reason,
        consecutive_failures = c.consecutive_failures,
        updated_at = CASE WHEN e.state = c.state THEN e.updated_at ELSE now() END
      FROM jsonb_to_recordset($3) AS c (id text, state text, enabled boolean, disabled_reason text,
        consecutive_failures int)
      WHERE e.id = c.id
    ), events AS (
      INSERT INTO outbox_events (id, organization_id, type, payload)
      SELECT * FROM jsonb_to_recordset($4) AS v (id text, organization_id text, type text, payload text)
    ), lanes AS MATERIALIZED (
      SELECT l.endpoint_id, CASE WHEN p.failures > 0
          THEN greatest(l.slots >> least(p.failures, 8), 1) ELSE least(l.slots + p.successes, 8) END AS slots
      FROM webhook_lanes l
        JOIN jsonb_to_recordset($5) AS p (endpoint_id text, successes int, failures int) USING (endpoint_id)
      WHERE p.failures > 0 OR l.slots < 8
      ORDER BY l.endpoint_id FOR UPDATE OF l
    ), slots AS (
      UPDATE webhook_lanes l SET slots = lanes.slots FROM lanes
      WHERE l.endpoint_id = lanes.endpoint_id AND l.slots <> lanes.slots
    )
    UPDATE webhook_deliveries d SET status = s.status, next_attempt_at = s.next_attempt_at,
      lease_id = NULL, lease_until = NULL, updated_at = now()
    FROM jsonb_to_recordset($1) AS s (id text, status text, next_attempt_at timestamptz)
    WHERE d.id = s.id`,
};

/**
 * Settles attempts. One transaction writes the attempts, the state of their deliveries, the health of the endpoints and
 * a possible `webhook.endpoint_disabled`, for all attempts that ended meanwhile.
 */
export class DeliverySettlement {
  private readonly retryDelaysSeconds: readonly number[] | undefined;
  private readonly newId: NewId;
  private readonly batch = new AdaptiveBatch<EndedAttempt, SettledDelivery | null>(
    (attempts) => this.send(attempts),
    {
      itemsMax: BATCH_MAX,
      isItemFault: (error) => error instanceof UndecidableError || failureKind(error) === 'data',
    },
  );

  constructor(
    private readonly database: Database,
    { retryDelaysSeconds, newId = systemIds }: DeliverySettlementOptions = {},
  ) {
    this.retryDelaysSeconds = retryDelaysSeconds;
    this.newId = newId;
  }

  /**
   * Retries while the database is unavailable, because every attempt must be recorded.
   * @returns null when the delivery no longer has this lease. Then the settlement is void and nothing was changed.
   */
  settle(attempt: EndedAttempt): Promise<SettledDelivery | null> {
    return this.batch.add(attempt);
  }

  private async send(attempts: readonly EndedAttempt[]): Promise<readonly (SettledDelivery | null)[]> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.onConnection((client) => this.settleAll(client, attempts));
      } catch (error) {
        if (error instanceof UndecidableError || this.database.pool.ending) throw error;
        const kind = failureKind(error);
        if (kind === 'data' || (kind === 'other' && failures === FAILURES_MAX)) throw error;
        await wait(backoffMs(failures));
      }
    }
  }

  private async settleAll(
    client: PoolClient,
    attempts: readonly EndedAttempt[],
  ): Promise<readonly (SettledDelivery | null)[]> {
    const ids = attempts.map(({ delivery }) => delivery.id);
    const leaseIds = attempts.map(({ delivery }) => delivery.leaseId);
    const endpointIds = [...new Set(attempts.map(({ delivery }) => delivery.endpointId))];
    await client.query('BEGIN');
    const endpoints = await client.query<LockedEndpoint>({ ...LOCK_ENDPOINTS, values: [endpointIds] });
    const deliveries = await client.query<LockedDelivery>({ ...LOCK_DELIVERIES, values: [ids, leaseIds] });
    const { settled, rows } = decideOrThrow(attempts, {
      endpoints: endpoints.rows,
      deliveries: deliveries.rows,
      newId: this.newId,
      ...(this.retryDelaysSeconds === undefined ? {} : { retryDelaysSeconds: this.retryDelaysSeconds }),
    });
    const tables = [rows.deliveries, rows.attempts, rows.endpoints, rows.events, rows.paces];
    const values = tables.map((table) => JSON.stringify(table));
    if (rows.deliveries.length > 0) await client.query({ ...WRITE, values });
    await client.query('COMMIT');
    return settled;
  }

  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.database.pool.connect();
    // The pool handles errors of idle connections only. Without this listener, an error between two statements would
    // end the process.
    client.on('error', ignore);
    let isDone = false;
    try {
      const result = await work(client);
      isDone = true;
      return result;
    } finally {
      client.off('error', ignore);
      // Closes the connection after a failure, because its state is unknown.
      client.release(!isDone);
    }
  }
}

const ignore = (): void => undefined;

function decideOrThrow(attempts: readonly EndedAttempt[], facts: SettlementFacts): SettlementDecision {
  try {
    return decide(attempts, facts);
  } catch (error) {
    throw new UndecidableError('an attempt could not be settled', { cause: error });
  }
}
