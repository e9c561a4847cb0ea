import { type Prisma } from '@svc/database/rows';
import { deliveryAfter, type DeliveryProgress } from '@svc/events';
import { type NewId } from '@svc/kernel';
import { type DeliveryQueue, type LockedReceiver } from './delivery-queue';
import { type EndedAttempt, type SettledDelivery } from './ended-attempt';
import { ReceiverStanding } from './receiver-standing';

export interface LockedDelivery extends DeliveryProgress {
  readonly id: string;
  readonly leaseId: string;
  readonly eventType: string;
}

/** The input of a settlement: the locked rows and the configuration. */
export interface SettlementFacts {
  readonly queue: DeliveryQueue;
  readonly receivers: readonly LockedReceiver[];
  /** The deliveries that are still under the lease of their attempt. */
  readonly deliveries: readonly LockedDelivery[];
  readonly newId: NewId;
  readonly retryDelaysSeconds?: readonly number[] | undefined;
}

/** Rows to write, as the statement of DeliverySettlement reads them. */
interface SettlementRows {
  readonly deliveries: object[];
  readonly attempts: object[];
  readonly receivers: object[];
  readonly paces: object[];
}

export interface SettlementDecision {
  /** The result of each attempt; null for a void one. */
  readonly settled: readonly (SettledDelivery | null)[];
  readonly rows: SettlementRows;
  /** Statements that announce disabled receivers. */
  readonly tellings: readonly Prisma.Sql[];
}

/** Decides the results of attempts, in the order they ended. */
export function decide(attempts: readonly EndedAttempt[], facts: SettlementFacts): SettlementDecision {
  const { queue, newId, retryDelaysSeconds } = facts;
  const standings = new Map(facts.receivers.map((receiver) => [receiver.id, new ReceiverStanding(receiver)]));
  const leased = new Map(
    facts.deliveries.map((delivery) => [`${delivery.id} ${delivery.leaseId}`, delivery]),
  );
  const rows: SettlementRows = { deliveries: [], attempts: [], receivers: [], paces: [] };
  const tellings: Prisma.Sql[] = [];

  const settled = attempts.map((attempt) => {
    const { id, leaseId, receiverId } = attempt.delivery;
    const standing = standings.get(receiverId);
    const delivery = leased.get(`${id} ${leaseId}`);
    if (standing === undefined || delivery === undefined) return null;
    leased.delete(`${id} ${leaseId}`);

    const { status, nextAttemptAt } = progressAfter(delivery, attempt, standing.receiver, retryDelaysSeconds);
    const isReceiverDisabled = !attempt.isOwnFault && standing.add(attempt.outcome, delivery.eventType);
    rows.deliveries.push({ id, status, next_attempt_at: nextAttemptAt });
    // The number of a lost attempt is unknown once its delivery was manually retried.
    if (attempt.delivery.attemptNumber > 0) rows.attempts.push(attemptRow(attempt));
    if (isReceiverDisabled)
      tellings.push(...queue.tellDisabled(standing.receiver, standing.consecutiveFailures, newId));
    return { status, nextAttemptAt, isReceiverDisabled };
  });

  for (const standing of standings.values()) addReceiver(rows, standing, queue);
  return { settled, rows, tellings };
}

function progressAfter(
  delivery: LockedDelivery,
  { outcome, isFinal, retryAfterSeconds, delivery: { round, attemptNumber } }: EndedAttempt,
  { now, isDeleted }: LockedReceiver,
  retryDelaysSeconds: readonly number[] | undefined,
): DeliveryProgress {
  // The delivery was manually retried meanwhile. This attempt is only recorded, and the new round goes on.
  if (delivery.round !== round || attemptNumber === 0) return delivery;
  const progress = deliveryAfter(delivery, outcome, now, retryDelaysSeconds);
  if (progress.nextAttemptAt === null) return progress;
  if (isFinal === true || isDeleted) return { ...progress, status: 'dead', nextAttemptAt: null };
  if (retryAfterSeconds == null) return progress;
  const earliestMs = now.getTime() + retryAfterSeconds * 1_000;
  return { ...progress, nextAttemptAt: new Date(Math.max(progress.nextAttemptAt.getTime(), earliestMs)) };
}

function addReceiver(rows: SettlementRows, standing: ReceiverStanding, queue: DeliveryQueue): void {
  const { receiver, successes, failures } = standing;
  if (successes + failures > 0) rows.paces.push({ receiver_id: receiver.id, successes, failures });
  const row = standing.row(queue);
  if (row !== null) rows.receivers.push(row);
}

const attemptRow = ({ delivery, durationMs, statusCode, error, responseExcerpt }: EndedAttempt): object => ({
  delivery_id: delivery.id,
  round: delivery.round,
  attempt: delivery.attemptNumber,
  started_at: delivery.claimedAt,
  duration_ms: durationMs,
  status_code: statusCode,
  error,
  response_excerpt: responseExcerpt,
});
