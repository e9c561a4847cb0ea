import { healthAfterPatch, isEventTypePattern, type EndpointHealth } from '@svc/events';
import { GatewayError } from '@svc/kernel';

/** The events that a webhook endpoint or an integration is to receive. @throws GatewayError `unknownEventType`. */
export function readEventTypes(given: readonly string[]): readonly string[] {
  const at = given.findIndex((text) => !isEventTypePattern(text));
  if (at < 0) return given;
  const param = `event_types[${String(at)}]`;
  throw new GatewayError(
    'unknownEventType',
    `${param}: must be the name of an event, or <noun>.* of one. /api/v1/webhook-events lists them.`,
    { param },
  );
}

interface ReceiverHealth extends EndpointHealth {
  readonly disabledReason: string | null;
}

/** The health of an endpoint or an integration after a change. @param enabled undefined where it was not given. */
export function healthAfterChange(before: ReceiverHealth, enabled: boolean | undefined): ReceiverHealth {
  const { state, consecutiveFailures } = enabled === undefined ? before : healthAfterPatch(before, enabled);
  return {
    state,
    consecutiveFailures,
    disabledReason: enabled === undefined ? before.disabledReason : null,
  };
}
