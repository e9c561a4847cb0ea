import { type Database, type HistoryTable } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { timeOfId } from '@svc/kernel';
import { type deliveryRow } from '../rules/history-rows';

type ShownDelivery = Parameters<typeof deliveryRow>[0];
export type DeliveryRow = Omit<ShownDelivery, 'attempts' | 'createdAt'>;
type Attempt = ShownDelivery['attempts'][number];

export const deliveryTable: HistoryTable = {
  name: Prisma.sql`webhook_deliveries`,
  idKind: 'webhookDelivery',
  columns: Prisma.sql`id, organization_id AS "organizationId", endpoint_id AS "endpointId", event_id AS "eventId",
    event_type AS "eventType", status, round, attempt_count AS "attemptCount", next_attempt_at AS "nextAttemptAt",
    updated_at AS "updatedAt"`,
};

/** The attempts of deliveries, the oldest first, without what receivers answered. */
export async function attemptsOf(
  { exports }: Database,
  deliveries: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const { rows } = await exports.query<Attempt & { readonly deliveryId: string }>(
    `SELECT delivery_id AS "deliveryId", round, attempt, started_at AS "startedAt", duration_ms AS "durationMs",
       status_code AS "statusCode", error
     FROM webhook_delivery_attempts WHERE delivery_id = ANY ($1)`,
    [deliveries.map(({ id }) => id)],
  );
  const inOrder = rows.toSorted((a, b) => a.round - b.round || a.attempt - b.attempt);
  return Map.groupBy(inOrder, ({ deliveryId }) => deliveryId);
}

export const toDelivery = (row: DeliveryRow, attempts: readonly Attempt[]): ShownDelivery => ({
  ...row,
  attempts,
  createdAt: new Date(timeOfId(row.id)),
});
