import { type DeliveryQueue } from './delivery-queue';
import { updateReceivers } from './receiver-standing';

/** Locks the deliveries ($1) that are still under the lease ($2) of their attempt. */
export const lockDeliveriesText = ({ tables }: DeliveryQueue): string => `
    SELECT d.id, d.lease_id AS "leaseId", d.event_type AS "eventType", d.status, d.round,
      d.attempt_count AS "attemptCount", d.next_attempt_at AS "nextAttemptAt"
    FROM unnest($1::text[], $2::text[]) AS s (id, lease_id)
      JOIN ${tables.deliveries} d ON d.id = s.id AND d.lease_id = s.lease_id
    ORDER BY d.id FOR UPDATE OF d`;

/** Writes deliveries ($1), attempts ($2), receivers ($3), and the slots of their lanes by successes and failures ($4). */
export const writeSettlementText = (queue: DeliveryQueue): string => {
  const { deliveries, attempts, lanes, receiverId } = queue.tables;
  return `
    WITH attempts AS (
      INSERT INTO ${attempts}
        (delivery_id, round, attempt, started_at, duration_ms, status_code, error, response_excerpt)
      SELECT * FROM jsonb_to_recordset($2) AS a (delivery_id text, round int, attempt int, started_at timestamptz,
        duration_ms int, status_code int, error text, response_excerpt text)
      ON CONFLICT DO NOTHING
    ), receivers AS (${updateReceivers(queue, '$3')}
    ), lanes AS MATERIALIZED (
      SELECT l.${receiverId}, CASE WHEN p.failures > 0
          THEN greatest(l.slots >> least(p.failures, 8), 1) ELSE least(l.slots + p.successes, 8) END AS slots
      FROM ${lanes} l
        JOIN jsonb_to_recordset($4) AS p (receiver_id text, successes int, failures int)
          ON p.receiver_id = l.${receiverId}
      WHERE p.failures > 0 OR l.slots < 8
      ORDER BY l.${receiverId} FOR UPDATE OF l
    ), slots AS (
      UPDATE ${lanes} l SET slots = lanes.slots FROM lanes
      WHERE l.${receiverId} = lanes.${receiverId} AND l.slots <> lanes.slots
    )
    UPDATE ${deliveries} d SET status = s.status, next_attempt_at = s.next_attempt_at,
      lease_id = NULL, lease_until = NULL, updated_at = now()
    FROM jsonb_to_recordset($1) AS s (id text, status text, next_attempt_at timestamptz)
    WHERE d.id = s.id`;
};
