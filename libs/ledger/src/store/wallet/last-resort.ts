import { recordEvent } from '@svc/events';
import { type Clock, maxNanos, type NewId, ZERO_NANOS } from '@svc/kernel';
import { type Settlement } from './settlement';

/**
 * Replaces a settlement that the database refuses by one that always fits. It charges the same amounts, or zero for a
 * negative one, releases the hold, and asks finance to review the call.
 */
export function lastResort(refused: Settlement, newId: NewId, clock: Clock): Settlement {
  const { explanation: _, ...fitting } = refused;
  const { requestId, organizationId, model, provider } = fitting;
  const asked = recordEvent(newId('event'), 'request.reconciliation_required', organizationId, clock.now(), {
    request_id: requestId,
    model,
    provider,
    reason: 'settlement_refused',
  });
  return {
    ...fitting,
    status: 'reconciliation_required',
    charge: maxNanos(refused.charge, ZERO_NANOS),
    providerCost: maxNanos(refused.providerCost ?? ZERO_NANOS, ZERO_NANOS),
    usage: null,
    attempts: [],
    ttftMs: null,
    durationMs: null,
    events: [asked],
  };
}
