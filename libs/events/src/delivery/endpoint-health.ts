import { type EventType } from '../catalog/event-catalogue';
import { type DeliveryOutcome } from './delivery-progress';

/**
 * Consecutive failures at which an endpoint is `failing`, and at which it is disabled
 * (docs/reference/webhooks.md#endpoint-states).
 */
const FAILURES_TO_FAILING = 10;
const FAILURES_TO_DISABLED = 25;

const TEST_EVENTS: readonly string[] = ['webhook.test', 'integration.test'] satisfies EventType[];

export type EndpointState = 'active' | 'failing' | 'paused' | 'disabled';

export interface EndpointHealth {
  readonly state: EndpointState;
  readonly consecutiveFailures: number;
}

interface HealthChange {
  readonly health: EndpointHealth;
  /** True where this outcome disabled it. Then `webhook.endpoint_disabled` must be recorded. */
  readonly isNowDisabled: boolean;
}

export const NEW_ENDPOINT_HEALTH: EndpointHealth = { state: 'active', consecutiveFailures: 0 };

/** The `enabled` of an endpoint: whether its deliveries are sent. */
export const isEnabledState = (state: EndpointState): boolean => state === 'active' || state === 'failing';

/**
 * An endpoint's health after an attempt (docs/reference/webhooks.md#endpoint-states). Any 2xx resets the failures. A
 * failed test and a lost attempt change nothing. A paused or disabled endpoint stays so after any outcome of an attempt
 * in flight: only a PATCH enables it.
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
  if (outcome === 'worker_lost' || TEST_EVENTS.includes(eventType)) return { health, isNowDisabled: false };

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

/**
 * The health after a PATCH of `enabled`. False pauses in any state. True resets an endpoint that the platform disabled,
 * and resumes a paused one with its failures. An enabled endpoint stays unchanged.
 */
export function healthAfterPatch(health: EndpointHealth, enabled: boolean): EndpointHealth {
  if (!enabled) return { ...health, state: 'paused' };
  if (isEnabledState(health.state)) return health;
  const state = stateAt(health.consecutiveFailures);
  return health.state === 'disabled' || state === 'disabled' ? NEW_ENDPOINT_HEALTH : { ...health, state };
}
