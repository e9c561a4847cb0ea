import { type components } from '../api/generated/management';
import { every } from '../browser/every';

export type ModelRequest = components['schemas']['Request'];
export type ProviderAttempt = ModelRequest['attempts'][number];
export type Status = ModelRequest['status'];

export const statuses = every<Status>()(
  'pending',
  'succeeded',
  'failed',
  'cancelled',
  'reconciliation_required',
);

/** The state of a cost, as a reader is told of it. */
export type Charge = 'not_charged' | 'provisional' | 'final';

export function chargeOf({ cost }: Pick<ModelRequest, 'cost'>): Charge {
  if (cost.state === 'provisional') return 'provisional';
  return cost.customer_nanos === 0n ? 'not_charged' : 'final';
}

const PENDING_EVERY_MS = 2_000;
const PROVISIONAL_EVERY_MS = 30_000;

/** How often a call that is shown is read again, in milliseconds; false once nothing of it can change. */
export function readAgainEvery({ status, cost }: ModelRequest): number | false {
  if (status === 'pending') return PENDING_EVERY_MS;
  return cost.state === 'provisional' ? PROVISIONAL_EVERY_MS : false;
}
