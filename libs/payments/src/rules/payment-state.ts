const before = ['created', 'pending', 'failed', 'expired', 'cancelled'] as const;
const reviewed = ['review', 'dismissed'] as const;
const credited = ['succeeded', 'partially_refunded', 'refunded', 'disputed'] as const;

/** The states of a payment (docs/reference/payments.md#states). */
export const paymentStates = [...before, ...reviewed, ...credited] as const;

export type PaymentState = (typeof paymentStates)[number];
export type CreditedState = (typeof credited)[number];

/** True where the wallet was credited. */
export const isCredited = (state: PaymentState): state is CreditedState =>
  (credited as readonly string[]).includes(state);

/** True where nothing was credited, and a person has not been asked. */
export const isBeforeSuccess = (state: PaymentState): boolean =>
  (before as readonly string[]).includes(state);

/** True where its payer may still pay. A checkout takes another card after one was declined. */
export const isOpen = (state: PaymentState): boolean =>
  state === 'created' || state === 'pending' || state === 'failed';
