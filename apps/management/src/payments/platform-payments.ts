import { Inject, Injectable } from '@nestjs/common';
import { known, type Caller } from '@svc/api';
import { isCredited, type PaymentState } from '@svc/payments';
import { GatewayError, nanos, nanosToJson, type Page, type Slice } from '@svc/kernel';
import { initialFields } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';
import { randomUUID } from 'node:crypto';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { PaymentOutcomes, type PaymentRecord, PaymentStore } from '@svc/payments/store';
import { LOGGER, PAYMENTS, type OpenPayments } from '../runtime';
import { requirePayments } from './open-payments';

/** The payments of all organizations, as the operator administers them. */
@Injectable()
export class PlatformPayments {
  constructor(
    private readonly store: PaymentStore,
    private readonly outcomes: PaymentOutcomes,
    private readonly mutations: Mutations,
    @Inject(PAYMENTS) private readonly payments: OpenPayments | null,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  list(page: Page, state: PaymentState | undefined): Promise<Slice<PaymentRecord>> {
    return this.store.listAll(page, state);
  }

  /** Credits what was asked for. @throws GatewayError `notFound`; `conflict` for a payment that is not in review. */
  accept(caller: Caller, id: string): Promise<PaymentRecord> {
    return this.change(caller, id, async ({ tx, audit }, payment) => {
      requireReview(payment);
      await audit('payment.review', id, { state: { from: 'review', to: 'succeeded' } });
      return this.outcomes.credit(tx, payment);
    });
  }

  /** It is never credited. @throws GatewayError `notFound`; `conflict` for a payment that is not in review. */
  dismiss(caller: Caller, id: string): Promise<PaymentRecord> {
    return this.change(caller, id, async ({ tx, audit }, payment) => {
      requireReview(payment);
      await audit('payment.review', id, { state: { from: 'review', to: 'dismissed' } });
      return this.store.dismiss(tx, id);
    });
  }

  /**
   * @param amountNanos null: all that is left of the payment.
   * @throws GatewayError `notFound`; `conflict` for more than is left of the payment, or than its wallet has available.
   */
  async refund(
    caller: Caller,
    id: string,
    { amountNanos, reason }: { readonly amountNanos: number | null; readonly reason: string },
  ): Promise<PaymentRecord> {
    const { settlement } = requirePayments(this.payments);
    const refundId = `refund-${randomUUID()}`;
    const newRefund = { id: refundId, amount: amountNanos === null ? null : nanos(amountNanos), reason };
    await this.change(caller, id, async ({ tx, audit }, payment) => {
      if (!isCredited(payment.state)) throw new GatewayError('conflict', 'The payment has not succeeded.');
      const taken = await this.outcomes.refunds.takeRefund(tx, payment, newRefund);
      if (taken === null) {
        throw new GatewayError(
          'conflict',
          'That is more than is left of the payment, or than its wallet has available.',
        );
      }
      await audit('payment.refund', id, initialFields({ amount_nanos: nanosToJson(taken), reason }));
      return payment;
    });
    // A provider that does not answer is asked again by the worker: a second call here would refund once more.
    await settlement.check(id).catch((error: unknown) => {
      this.logger.warn({ err: error, payment_id: id }, 'refund not confirmed yet');
    });
    if (await this.outcomes.refunds.isRefused(refundId)) {
      throw new GatewayError('conflict', 'The payment provider refused the refund.');
    }
    return this.get(id);
  }

  private async get(id: string): Promise<PaymentRecord> {
    return known(await this.store.findAnywhere(id));
  }

  /** Changes a payment under its lock. It is audited in its organization's log. */
  private async change(
    caller: Caller,
    id: string,
    work: (mutation: Mutation, payment: PaymentRecord) => Promise<PaymentRecord>,
  ): Promise<PaymentRecord> {
    const { organizationId } = await this.get(id);
    return this.mutations.run({ ...caller, organizationId }, async (mutation) => {
      const payment = known(await this.store.lockPayment(mutation.tx, id));
      return work(mutation, payment);
    });
  }
}

function requireReview({ state }: PaymentRecord): void {
  if (state !== 'review') throw new GatewayError('conflict', `The payment is ${state}, not in review.`);
}
