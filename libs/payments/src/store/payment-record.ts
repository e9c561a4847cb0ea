import { type Payment } from '@svc/database/rows';
import { nanos, type Nanos } from '@svc/kernel';
import { type PaidBack } from '../rules/claw-back';
import { type PaymentState } from '../rules/payment-state';

export interface PaymentRecord extends PaidBack {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: 'checkout' | 'auto';
  /** Whole cents. */
  readonly amount: Nanos;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** True where money moves. */
  readonly livemode: boolean;
  readonly state: PaymentState;
  /** The provider's id of the checkout. */
  readonly providerReference: string | null;
  /** The provider's id of the payment. */
  readonly intentReference: string | null;
  readonly checkoutUrl: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** The provider's code. */
  readonly failureCode: string | null;
  /** The difference from what was asked for. */
  readonly reviewReason: string | null;
  readonly creditGrantId: string | null;
  /** True where the card of a checkout is kept. */
  readonly savePaymentMethod: boolean;
  /** The card that an automatic payment is charged to. */
  readonly paymentMethodId: string | null;
  readonly receiptNumber: string | null;
  /** Taken from the wallet for refunds and disputes. */
  readonly taken: Nanos;
  readonly owed: Nanos;
  readonly writtenOff: Nanos;
  readonly createdBy: { readonly type: string; readonly id: string | null };
  readonly cancelRequestedAt: Date | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly fence: bigint;
}

export const toPayment = (row: Payment): PaymentRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  kind: row.kind as PaymentRecord['kind'],
  amount: nanos(row.amountNanos),
  currency: row.currency,
  livemode: row.livemode,
  state: row.state as PaymentState,
  providerReference: row.providerReference,
  intentReference: row.intentReference,
  checkoutUrl: row.checkoutUrl,
  successUrl: row.successUrl,
  cancelUrl: row.cancelUrl,
  failureCode: row.failureCode,
  reviewReason: row.reviewReason,
  creditGrantId: row.creditGrantId,
  savePaymentMethod: row.savePaymentMethod,
  paymentMethodId: row.paymentMethodId,
  receiptNumber: row.receiptNumber,
  refunded: nanos(row.refundedNanos),
  withdrawn: nanos(row.withdrawnNanos),
  reinstated: nanos(row.reinstatedNanos),
  taken: nanos(row.clawedBackNanos),
  owed: nanos(row.owedNanos),
  writtenOff: nanos(row.writtenOffNanos),
  createdBy: { type: row.createdByType, id: row.createdById },
  cancelRequestedAt: row.cancelRequestedAt,
  createdAt: row.createdAt,
  completedAt: row.completedAt,
  fence: row.fence,
});
