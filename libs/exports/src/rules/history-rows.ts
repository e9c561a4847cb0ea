import { type JsonValue } from '@svc/kernel';

/** The fields behind a row of the audit log. */
interface ShownAuditEntry {
  readonly id: string;
  readonly organizationId: string;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly actorLabel: string | null;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly targetLabel: string | null;
  readonly changes: Readonly<Record<string, { readonly from?: JsonValue; readonly to?: JsonValue }>>;
  readonly requestId: string | null;
  readonly approvalRequestId: string | null;
  readonly createdAt: Date;
}

export const auditRow = (entry: ShownAuditEntry) => ({
  id: entry.id,
  organization_id: entry.organizationId,
  actor: { type: entry.actor.type, id: entry.actor.id, label: entry.actorLabel },
  action: entry.action,
  target: { type: entry.targetType, id: entry.targetId, label: entry.targetLabel },
  changes: entry.changes,
  request_id: entry.requestId,
  approval_request_id: entry.approvalRequestId,
  created_at: entry.createdAt.toISOString(),
});

interface ShownDeliveryAttempt {
  readonly round: number;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly error: string | null;
}

/** The fields behind a row of a webhook delivery. */
interface ShownDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly round: number;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly ShownDeliveryAttempt[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A webhook delivery as the API shows it, without its payload and what the receiver answered. */
export const deliveryRow = (delivery: ShownDelivery) => ({
  id: delivery.id,
  organization_id: delivery.organizationId,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  status: delivery.status,
  round: delivery.round,
  attempt_count: delivery.attemptCount,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  attempts_log: delivery.attempts.map(({ round, attempt, startedAt, durationMs, statusCode, error }) => ({
    round,
    attempt,
    at: startedAt.toISOString(),
    duration_ms: durationMs,
    status_code: statusCode,
    error,
  })),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
});
