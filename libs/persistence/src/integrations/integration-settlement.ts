import { deliveryAfter, healthAfter, type DeliveryProgress } from '@svc/events';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { AuditLog } from '../audit/audit-log';
import { type Database } from '../database/database';
import { prismaOf, type Transaction, UnitOfWork } from '../database/unit-of-work';
import { type EndedAttempt, type SettledDelivery } from '../webhooks/ended-attempt';
import { type LeasedIntegrationDelivery } from './integration-schedule';
import { lockIntegration, noteHealth, type LockedIntegration } from './integration-health';

/** How an attempt at an integration ended. */
export interface EndedIntegrationAttempt extends Omit<EndedAttempt, 'delivery'> {
  readonly delivery: LeasedIntegrationDelivery;
  /** Whether trying again cannot help: the delivery is dead. */
  readonly isFinal: boolean;
  /** The least time until the next try; null for that of the schedule. */
  readonly retryAfterSeconds: number | null;
}

interface IntegrationSettlementOptions {
  /** Seconds after the first, second, … failure of a round: `SVC_WEBHOOK_RETRY_DELAYS`. */
  readonly retryDelaysSeconds?: readonly number[];
  readonly newId?: NewId;
}

/**
 * Settles attempts at integrations, one transaction each: there are far fewer than of webhooks. The rules are those of
 * endpoints; locks are taken in the order integration, delivery, lane.
 */
export class IntegrationSettlement {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;

  constructor(
    database: Database,
    private readonly options: IntegrationSettlementOptions = {},
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, options.newId ?? systemIds);
  }

  /** @returns null when the delivery no longer has this lease. Then the settlement is void and nothing was changed. */
  settle(attempt: EndedIntegrationAttempt): Promise<SettledDelivery | null> {
    return this.unitOfWork.transaction(async (tx) => {
      const { delivery, outcome } = attempt;
      const integration = await lockIntegration(tx, delivery.integrationId);
      const leased = await lockLeased(tx, delivery);
      if (integration === null || leased === null) return null;
      const progress = this.progressAfter(leased, attempt, integration);
      await writeAttempt(tx, attempt);
      await writeProgress(tx, delivery, progress);
      if (outcome !== 'worker_lost' && !attempt.isOwnFault) {
        await changePace(tx, delivery.integrationId, outcome === 'acknowledged');
      }
      const change = attempt.isOwnFault
        ? { health: integration, isNowDisabled: false }
        : healthAfter(integration, outcome, leased.eventType);
      await noteHealth(tx, this.auditLog, integration, change, outcome === 'acknowledged');
      const { status, nextAttemptAt } = progress;
      return { status, nextAttemptAt, isEndpointDisabled: change.isNowDisabled };
    });
  }

  private progressAfter(
    leased: LeasedRow,
    { outcome, isFinal, retryAfterSeconds, delivery: { round, attemptNumber } }: EndedIntegrationAttempt,
    { now, isDeleted }: LockedIntegration,
  ): DeliveryProgress {
    // The delivery was manually retried meanwhile. This attempt is only recorded, and the new round goes on.
    if (leased.round !== round || attemptNumber === 0) return leased;
    const progress = deliveryAfter(leased, outcome, now, this.options.retryDelaysSeconds);
    if (progress.nextAttemptAt === null) return progress;
    if (isFinal || isDeleted) return { ...progress, status: 'dead', nextAttemptAt: null };
    const earliestMs = now.getTime() + (retryAfterSeconds ?? 0) * 1_000;
    return { ...progress, nextAttemptAt: new Date(Math.max(progress.nextAttemptAt.getTime(), earliestMs)) };
  }
}

interface LeasedRow extends DeliveryProgress {
  readonly eventType: string;
}

async function lockLeased(
  tx: Transaction,
  { id, leaseId }: LeasedIntegrationDelivery,
): Promise<LeasedRow | null> {
  const [row] = await prismaOf(tx).$queryRaw<LeasedRow[]>`
    SELECT event_type AS "eventType", status, round, attempt_count AS "attemptCount",
      next_attempt_at AS "nextAttemptAt"
    FROM integration_deliveries WHERE id = ${id} AND lease_id = ${leaseId} FOR UPDATE`;
  return row ?? null;
}

async function writeAttempt(
  tx: Transaction,
  { delivery, durationMs, statusCode, error, responseExcerpt }: EndedIntegrationAttempt,
): Promise<void> {
  // The number of a lost attempt is unknown once its delivery was manually retried.
  if (delivery.attemptNumber === 0) return;
  await prismaOf(tx).integrationDeliveryAttempt.createMany({
    data: {
      deliveryId: delivery.id,
      round: delivery.round,
      attempt: delivery.attemptNumber,
      startedAt: delivery.claimedAt,
      durationMs,
      statusCode,
      error,
      responseExcerpt,
    },
    skipDuplicates: true,
  });
}

const writeProgress = (
  tx: Transaction,
  { id }: LeasedIntegrationDelivery,
  { status, nextAttemptAt }: DeliveryProgress,
) =>
  prismaOf(tx).integrationDelivery.update({
    where: { id },
    data: { status, nextAttemptAt, leaseId: null, leaseUntil: null },
  });

/** One slot more for a success, half of them after a failure, as for endpoints. */
const changePace = (tx: Transaction, integrationId: string, isSuccess: boolean) =>
  prismaOf(tx).$executeRaw`UPDATE integration_lanes
    SET slots = CASE WHEN ${isSuccess} THEN least(slots + 1, 8) ELSE greatest(slots / 2, 1) END
    WHERE integration_id = ${integrationId}`;
