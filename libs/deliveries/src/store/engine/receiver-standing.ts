import { type PoolConnection } from '@svc/database';
import { type DeliveryOutcome, type EndpointHealth, healthAfter, isEnabledState } from '@svc/events';
import { type DeliveryQueue, type LockedReceiver } from './delivery-queue';

/** A locked receiver with its changes by the attempts of a transaction, in the order in which they ended. */
export class ReceiverStanding<Receiver extends LockedReceiver = LockedReceiver> {
  successes = 0;
  failures = 0;
  private health: EndpointHealth;

  constructor(readonly receiver: Receiver) {
    const { state, consecutiveFailures } = receiver;
    this.health = { state, consecutiveFailures };
  }

  get consecutiveFailures(): number {
    return this.health.consecutiveFailures;
  }

  /**
   * @param eventType a test changes nothing by its failure.
   * @returns whether this outcome disabled the receiver, and is to be told.
   */
  add(outcome: DeliveryOutcome, eventType: string): boolean {
    if (outcome === 'acknowledged') this.successes++;
    if (outcome === 'failed') this.failures++;
    const { health, isNowDisabled } = healthAfter(this.health, outcome, eventType);
    this.health = health;
    return isNowDisabled && !this.receiver.isDeleted;
  }

  /** The row for {@link updateReceivers}; null where nothing is to be written. */
  row({ hasLastSuccess }: DeliveryQueue): object | null {
    const { id, now, ...before } = this.receiver;
    const { state, consecutiveFailures } = this.health;
    const isSame = state === before.state && consecutiveFailures === before.consecutiveFailures;
    const isSuccessNoted = hasLastSuccess && this.successes > 0;
    if (isSame && !isSuccessNoted) return null;
    return {
      id,
      state,
      enabled: isEnabledState(state),
      disabled_reason: state === 'disabled' ? 'consecutive_failures' : null,
      consecutive_failures: consecutiveFailures,
      last_success_at: isSuccessNoted ? now : null,
    };
  }
}

/** Locks receivers, deleted ones too, in the order of their ids, until the transaction ends. */
export async function lockReceivers<Receiver extends LockedReceiver>(
  client: PoolConnection,
  { tables: { receivers }, receiverColumns }: DeliveryQueue<Receiver>,
  ids: readonly string[],
): Promise<readonly Receiver[]> {
  const { rows } = await client.query<Receiver>({
    name: `lock_${receivers}`,
    // Adds a millisecond, because times are stored in whole milliseconds and nothing may be due before its delay is over.
    text: `SELECT id, organization_id AS "organizationId", state, consecutive_failures AS "consecutiveFailures",
             deleted_at IS NOT NULL AS "isDeleted",
             date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS now, ${receiverColumns}
           FROM ${receivers} WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
    values: [ids],
  });
  return rows;
}

/** The statement that writes the rows of standings. @param rows the parameter that has them: `$3`. */
export const updateReceivers = ({ tables, hasLastSuccess }: DeliveryQueue, rows: string): string => `
      UPDATE ${tables.receivers} r SET state = c.state, enabled = c.enabled, disabled_reason = c.disabled_reason,
        consecutive_failures = c.consecutive_failures,
        ${hasLastSuccess ? 'last_success_at = coalesce(c.last_success_at, r.last_success_at),' : ''}
        updated_at = CASE WHEN r.state = c.state THEN r.updated_at ELSE now() END
      FROM jsonb_to_recordset(${rows}) AS c (id text, state text, enabled boolean, disabled_reason text,
        consecutive_failures int, last_success_at timestamptz)
      WHERE r.id = c.id`;
