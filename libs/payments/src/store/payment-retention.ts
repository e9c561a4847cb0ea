import { type RetentionRule } from '@svc/database';

const DAY_MS = 86_400_000;

/** How long events of the provider are kept. */
export const paymentRetention: readonly RetentionRule[] = [
  {
    task: 'old-payment-events',
    table: 'provider_events',
    column: 'received_at',
    // Longer than the provider repeats an event.
    keepMs: 30 * DAY_MS,
    where: 'result IS NOT NULL',
    batch: 1_000,
  },
];
