import { Inject, Injectable } from '@nestjs/common';
import { OrganizationStore } from '@svc/access/store';
import { known, requireRoom, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { isOpen } from '@svc/payments';
import { GatewayError, nanos, nanosToJson, type Page, type Slice } from '@svc/kernel';
import { initialFields, type Transaction } from '@svc/database';
import { type PaymentRecord, PaymentStore } from '@svc/payments/store';
import { BASE_URL, PAYMENTS, type OpenPayments } from '../runtime';
import { answeredByProvider, requirePayments } from './open-payments';
import { OPEN_TOP_UPS_MAX } from './payment-schema';
import { requireReturns, type ReturnUrls } from './return-urls';

export interface TopUp extends ReturnUrls {
  readonly amountNanos: number;
  /** True where the card is kept, for automatic top-ups. */
  readonly savePaymentMethod: boolean;
  readonly idempotencyKey: string | null;
}

/** An organization's payments (docs/reference/payments.md). */
@Injectable()
export class Payments {
  constructor(
    private readonly store: PaymentStore,
    private readonly organizations: OrganizationStore,
    private readonly mutations: Mutations,
    @Inject(PAYMENTS) private readonly payments: OpenPayments | null,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<Slice<PaymentRecord>> {
    return this.store.listPayments(organizationId, page);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<PaymentRecord> {
    return known(await this.store.findPayment(organizationId, id));
  }

  /**
   * @throws GatewayError `conflict` where payments are off, and above the most open top-ups; `invalidRequest`; `idempotencyKeyReused` where the key was used
   * for another top-up; `providerError`.
   */
  async topUp(caller: Caller, topUp: TopUp): Promise<PaymentRecord> {
    const { settlement, provider } = requirePayments(this.payments);
    requireReturns(topUp, this.baseUrl);
    const payment = await this.mutations.run(caller, async ({ tx, newId, at, audit }) => {
      // The second of two calls with the same key waits here, and then finds the first one's payment.
      await this.organizations.lockOrganization(tx, caller.organizationId);
      const earlier = await this.findEarlier(tx, caller.organizationId, topUp);
      if (earlier !== null) return earlier;
      const open = await this.store.countOpen(tx, caller.organizationId);
      requireRoom(open, OPEN_TOP_UPS_MAX, 'open top-ups', 'pay or cancel one first');
      const { amountNanos, ...fields } = topUp;
      const made = await this.store.createPayment(tx, {
        ...fields,
        id: newId('payment'),
        organizationId: caller.organizationId,
        amount: nanos(amountNanos),
        livemode: provider.livemode,
        createdBy: caller.actor,
        at,
      });
      await audit('payment.create', made.id, initialFields(audited(topUp)));
      return made;
    });
    if (payment.state !== 'created') return payment;
    await this.mutations.afterCommit(caller, () => answeredByProvider(settlement.check(payment.id)));
    return (await this.store.findPayment(caller.organizationId, payment.id)) ?? payment;
  }

  /** @throws GatewayError `notFound`; `conflict` for one that can't be cancelled any more; `providerError`. */
  async cancel(caller: Caller, id: string): Promise<PaymentRecord> {
    const { settlement } = requirePayments(this.payments);
    await this.get(caller, id);
    const asked = await this.mutations.run(caller, async ({ tx, audit }) => {
      const payment = await this.store.lockPayment(tx, id);
      if (payment === null || payment.state === 'cancelled') return payment;
      if (!isCancellable(payment)) throw notCancellable(payment);
      if (payment.cancelRequestedAt !== null) return payment;
      await audit('payment.cancel', id);
      return this.store.requestCancel(tx, id);
    });
    if (asked?.state !== 'cancelled') await answeredByProvider(settlement.check(id));
    const payment = await this.get(caller, id);
    if (payment.state !== 'cancelled' && !isOpen(payment.state)) throw notCancellable(payment);
    return payment;
  }

  /** @throws GatewayError `notFound`; `conflict` for a payment that has not succeeded. */
  async receipt(caller: Caller, id: string) {
    const payment = await this.get(caller, id);
    const organization = known(await this.organizations.findOrganization(caller.organizationId));
    const { receiptNumber, completedAt } = payment;
    if (receiptNumber === null || completedAt === null) {
      throw new GatewayError('conflict', 'There is a receipt once the payment has succeeded.');
    }
    return { payment, receiptNumber, completedAt, organization };
  }

  private async findEarlier(
    tx: Transaction,
    organizationId: string,
    { amountNanos, successUrl, cancelUrl, savePaymentMethod, idempotencyKey }: TopUp,
  ): Promise<PaymentRecord | null> {
    if (idempotencyKey === null) return null;
    const earlier = await this.store.findByKey(tx, organizationId, idempotencyKey);
    if (earlier === null) return null;
    const isSame =
      nanosToJson(earlier.amount) === amountNanos &&
      earlier.successUrl === successUrl &&
      earlier.cancelUrl === cancelUrl &&
      earlier.savePaymentMethod === savePaymentMethod;
    if (isSame) return earlier;
    throw new GatewayError('idempotencyKeyReused', 'This key was used for another top-up.', {
      param: 'Idempotency-Key',
    });
  }
}

const audited = (topUp: TopUp) => ({
  amount_nanos: topUp.amountNanos,
  success_url: topUp.successUrl,
  cancel_url: topUp.cancelUrl,
  save_payment_method: topUp.savePaymentMethod,
});

/** The charge of an automatic one may be under way: asking for it again would charge. */
const isCancellable = ({ kind, state }: PaymentRecord): boolean =>
  kind === 'auto' ? state === 'pending' : isOpen(state);

const notCancellable = ({ state }: PaymentRecord): GatewayError =>
  new GatewayError('conflict', `The payment is ${state}: it can no longer be cancelled.`);
