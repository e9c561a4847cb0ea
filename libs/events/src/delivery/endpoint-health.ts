import { type EventType } from '../catalog/event-catalogue';
import { type DeliveryOutcome } from './delivery-progress';

/** Consecutive failures at which an endpoint is `failing`, and at which it is disabled (interface.md, Limits). */
export const FAILURES_TO_FAILING = 10;
export const FAILURES_TO_DISABLED = 25;

const TEST_EVENT: EventType = 'webhook.test';

export type EndpointState = 'active' | 'failing' | 'paused' | 'disabled';

export interface EndpointHealth {
  readonly state: EndpointState;
  readonly consecutiveFailures: number;
}

export interface HealthChange {
  readonly health: EndpointHealth;
  /** This outcome disabled it: the one moment for `webhook.endpoint_disabled`. */
  readonly isNowDisabled: boolean;
}

export const NEW_ENDPOINT_HEALTH: EndpointHealth = { state: 'active', consecutiveFailures: 0 };

/** The `enabled` of an endpoint: whether its deliveries are sent or wait. */
export const isEnabledState = (state: EndpointState): boolean => state === 'active' || state === 'failing';

/**
 * An endpoint's health after an attempt (contract.md section 8). Any 2xx ends a row of failures; a test that fails and
 * an attempt that our side lost say nothing about it. What a customer paused or the platform disabled stays so,
 * however an attempt ends that was still in flight: only a PATCH turns it on.
 */
export function healthAfter(
  health: EndpointHealth,
  outcome: DeliveryOutcome,
  eventType: string,
): HealthChange {
  if (outcome === 'acknowledged') {
    const state = isEnabledState(health.state) ? 'active' : health.state;
    return { health: { state, consecutiveFailures: 0 }, isNowDisabled: false };
  }
  if (outcome === 'worker_lost' || eventType === TEST_EVENT) return { health, isNowDisabled: false };

  const consecutiveFailures = health.consecutiveFailures + 1;
  const state = isEnabledState(health.state) ? stateAt(consecutiveFailures) : health.state;
  return {
    health: { state, consecutiveFailures },
    isNowDisabled: state === 'disabled' && health.state !== 'disabled',
  };
}

function stateAt(consecutiveFailures: number): EndpointState {
  if (consecutiveFailures >= FAILURES_TO_DISABLED) return 'disabled';
  return consecutiveFailures >= FAILURES_TO_FAILING ? 'failing' : 'active';
}

/** After a PATCH that sets `enabled`: true re-arms from any state, false pauses from any state. */
export const healthAfterPatch = (health: EndpointHealth, enabled: boolean): EndpointHealth =>
  enabled ? NEW_ENDPOINT_HEALTH : { ...health, state: 'paused' };
