import {
  deliveryAfter,
  type DeliveryProgress,
  type EndpointHealth,
  healthAfter,
  isEnabledState,
  recordEvent,
  type RecordedEvent,
} from '@svc/events';
import { type NewId } from '@svc/kernel';
import { type EndedAttempt, type SettledDelivery } from './ended-attempt';

/** An endpoint that the settlement's transaction has locked. */
export interface LockedEndpoint extends EndpointHealth {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly isDeleted: boolean;
  /** The database's time. */
  readonly now: Date;
}

export interface LockedDelivery extends DeliveryProgress {
  readonly id: string;
  readonly leaseId: string;
  readonly eventType: string;
}

/** The input of a settlement: the locked rows and the configuration. */
export interface SettlementFacts {
  readonly endpoints: readonly LockedEndpoint[];
  /** The deliveries that are still under the lease of their attempt. */
  readonly deliveries: readonly LockedDelivery[];
  readonly newId: NewId;
  readonly retryDelaysSeconds?: readonly number[];
}

/** Rows to write, as the statement of DeliverySettlement reads them. */
interface SettlementRows {
  readonly deliveries: object[];
  readonly attempts: object[];
  readonly endpoints: object[];
  readonly events: object[];
  readonly paces: object[];
}

export interface SettlementDecision {
  /** The result of each attempt; null for a void one. */
  readonly settled: readonly (SettledDelivery | null)[];
  readonly rows: SettlementRows;
}

/** An endpoint with its changes by the attempts of a batch. */
interface EndpointStanding {
  readonly endpoint: LockedEndpoint;
  health: EndpointHealth;
  successes: number;
  failures: number;
}

/** Decides the results of attempts, in the order they ended. */
export function decide(attempts: readonly EndedAttempt[], facts: SettlementFacts): SettlementDecision {
  const standings = new Map(facts.endpoints.map((endpoint) => [endpoint.id, standingOf(endpoint)]));
  const leased = new Map(
    facts.deliveries.map((delivery) => [`${delivery.id} ${delivery.leaseId}`, delivery]),
  );
  const rows: SettlementRows = { deliveries: [], attempts: [], endpoints: [], events: [], paces: [] };

  const settled = attempts.map((attempt) => {
    const { id, leaseId, endpointId } = attempt.delivery;
    const standing = standings.get(endpointId);
    const delivery = leased.get(`${id} ${leaseId}`);
    if (standing === undefined || delivery === undefined) return null;
    leased.delete(`${id} ${leaseId}`);

    const progress = progressAfter(delivery, attempt, standing.endpoint, facts.retryDelaysSeconds);
    const disabled = judgeEndpoint(standing, delivery, attempt, facts.newId);
    const { status, nextAttemptAt } = progress;
    rows.deliveries.push({ id, status, next_attempt_at: nextAttemptAt });
    // The number of a lost attempt is unknown once its delivery was manually retried.
    if (attempt.delivery.attemptNumber > 0) rows.attempts.push(attemptRow(attempt));
    if (disabled !== null) rows.events.push(eventRow(disabled));
    return { status, nextAttemptAt, isEndpointDisabled: disabled !== null };
  });

  for (const standing of standings.values()) addEndpoint(rows, standing);
  return { settled, rows };
}

function progressAfter(
  delivery: LockedDelivery,
  { outcome, delivery: { round, attemptNumber } }: EndedAttempt,
  endpoint: LockedEndpoint,
  retryDelaysSeconds: readonly number[] | undefined,
): DeliveryProgress {
  // The delivery was manually retried meanwhile. This attempt is only recorded, and the new round goes on.
  if (delivery.round !== round || attemptNumber === 0) return delivery;
  const progress = deliveryAfter(delivery, outcome, endpoint.now, retryDelaysSeconds);
  if (progress.nextAttemptAt === null || !endpoint.isDeleted) return progress;
  return { ...progress, status: 'dead', nextAttemptAt: null };
}

/** @returns the event of the endpoint's disabling, if this attempt caused it. */
function judgeEndpoint(
  standing: EndpointStanding,
  { eventType }: LockedDelivery,
  { outcome, isOwnFault }: EndedAttempt,
  newId: NewId,
): RecordedEvent | null {
  if (isOwnFault) return null;
  if (outcome === 'acknowledged') standing.successes++;
  if (outcome === 'failed') standing.failures++;
  const { health, isNowDisabled } = healthAfter(standing.health, outcome, eventType);
  standing.health = health;
  if (!isNowDisabled || standing.endpoint.isDeleted) return null;

  const { id, organizationId, url, now } = standing.endpoint;
  return recordEvent(newId('event'), 'webhook.endpoint_disabled', organizationId, now.getTime(), {
    endpoint_id: id,
    url,
    reason: 'consecutive_failures',
    consecutive_failures: health.consecutiveFailures,
  });
}

function addEndpoint(
  rows: SettlementRows,
  { endpoint, health, successes, failures }: EndpointStanding,
): void {
  const { state, consecutiveFailures } = health;
  if (successes + failures > 0) rows.paces.push({ endpoint_id: endpoint.id, successes, failures });
  if (state === endpoint.state && consecutiveFailures === endpoint.consecutiveFailures) return;
  rows.endpoints.push({
    id: endpoint.id,
    state,
    enabled: isEnabledState(state),
    disabled_reason: state === 'disabled' ? 'consecutive_failures' : null,
    consecutive_failures: consecutiveFailures,
  });
}

const standingOf = (endpoint: LockedEndpoint): EndpointStanding => ({
  endpoint,
  health: { state: endpoint.state, consecutiveFailures: endpoint.consecutiveFailures },
  successes: 0,
  failures: 0,
});

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

const eventRow = ({ id, organizationId, type, payload }: RecordedEvent): object => ({
  id,
  organization_id: organizationId,
  type,
  payload,
});
