import { recordEvent } from '@svc/events';
import { type Clock, type NewId, ZERO_NANOS } from '@svc/kernel';
import { type Settlement } from '../wallet/settlement';
import { type AbandonedCall } from './request-record-store';

/**
 * The settlement of an abandoned call. Its hold is released and nothing is charged, because no answer is completed
 * before its charge is committed. `request.reconciliation_required` asks finance to review it.
 */
export function abandonedSettlement(
  { id, organizationId, model }: AbandonedCall,
  newId: NewId,
  clock: Clock,
): Settlement {
  const event = { request_id: id, model, provider: null, reason: 'worker_lost' } as const;
  return {
    requestId: id,
    organizationId,
    model,
    status: 'reconciliation_required',
    charge: ZERO_NANOS,
    costState: 'final',
    usage: null,
    provider: null,
    attempts: [],
    httpStatus: null,
    errorCode: 'worker_lost',
    ttftMs: null,
    durationMs: null,
    explanation: {},
    events: [
      recordEvent(newId('event'), 'request.reconciliation_required', organizationId, clock.now(), event),
    ],
  };
}
