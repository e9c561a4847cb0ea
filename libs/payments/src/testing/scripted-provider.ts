import { centsOf } from '../rules/amount';
import { type NewSetup, type ProviderSetup } from '../rules/card';
import {
  ChargeRefused,
  type NewCharge,
  type NewCheckout,
  type NewRefund,
  type PaymentProvider,
  type ProviderEventFacts,
  type ProviderPayment,
  ProviderUnavailable,
  RefundRefused,
} from '../rules/provider';

/** A provider that is what a spec says. It keeps what it was asked for under its idempotency keys. */
export class ScriptedProvider implements PaymentProvider {
  readonly livemode = false;
  private readonly payments = new Map<string, ProviderPayment>();
  private readonly refunds = new Set<string>();
  private readonly setups = new Map<string, ProviderSetup>();
  readonly detached = new Set<string>();
  isDown = false;
  /** True where refunds are refused for good. */
  refusesRefunds = false;
  opened = 0;
  /** Result of an off-session charge. */
  offSession: Partial<ProviderPayment> = { standing: 'paid' };
  charged = 0;

  open({ paymentId, amount }: NewCheckout): Promise<ProviderPayment> {
    this.requireUp();
    const reference = `cs_${paymentId}`;
    if (!this.payments.has(reference)) {
      this.opened += 1;
      this.payments.set(reference, {
        reference,
        intentReference: `pi_${paymentId}`,
        paymentId,
        standing: 'open',
        amountCents: centsOf(amount),
        currency: 'usd',
        livemode: false,
        failureCode: null,
        checkoutUrl: `https://pay.example/${reference}`,
        refundedCents: 0n,
        withdrawnCents: 0n,
        reinstatedCents: 0n,
        savedCard: null,
      });
    }
    return this.answer(reference);
  }

  charge({ paymentId, amount, cardReference }: NewCharge): Promise<ProviderPayment> {
    this.requireUp();
    if (this.detached.has(cardReference)) {
      return Promise.reject(new ChargeRefused('The card is detached.', 'payment_method_detached'));
    }
    const reference = `pi_${paymentId}`;
    if (!this.payments.has(reference)) {
      this.charged += 1;
      this.payments.set(reference, {
        reference,
        intentReference: reference,
        paymentId,
        standing: 'ended',
        amountCents: centsOf(amount),
        currency: 'usd',
        livemode: false,
        failureCode: null,
        checkoutUrl: null,
        refundedCents: 0n,
        withdrawnCents: 0n,
        reinstatedCents: 0n,
        savedCard: null,
        ...this.offSession,
      });
    }
    return this.answer(reference);
  }

  find(reference: string): Promise<ProviderPayment | null> {
    this.requireUp();
    return this.answer(reference);
  }

  end(reference: string): Promise<void> {
    this.requireUp();
    if (this.payments.get(reference)?.standing === 'open') this.set(reference, { standing: 'ended' });
    return Promise.resolve();
  }

  refund({ refundId, intentReference, amount }: NewRefund): Promise<void> {
    this.requireUp();
    if (this.refusesRefunds) return Promise.reject(new RefundRefused('No refund.', 'charge_disputed'));
    if (this.refunds.has(refundId)) return Promise.resolve();
    this.refunds.add(refundId);
    const reference = intentReference.replace('pi_', 'cs_');
    const refunded = this.payments.get(reference)?.refundedCents ?? 0n;
    this.set(reference, { refundedCents: refunded + centsOf(amount) });
    return Promise.resolve();
  }

  paymentIdOf(intentReference: string): Promise<string | null> {
    this.requireUp();
    return Promise.resolve(this.payments.get(intentReference.replace('pi_', 'cs_'))?.paymentId ?? null);
  }

  newCustomer(organizationId: string): Promise<string> {
    this.requireUp();
    return Promise.resolve(`cus_${organizationId}`);
  }

  openSetup({ paymentMethodId }: NewSetup): Promise<ProviderSetup> {
    this.requireUp();
    const reference = `cs_${paymentMethodId}`;
    const url = `https://pay.example/${reference}`;
    const opened = {
      reference,
      paymentMethodId,
      standing: 'open',
      livemode: false,
      url,
      card: null,
    } as const;
    const setup = this.setups.get(reference) ?? opened;
    this.setups.set(reference, setup);
    return Promise.resolve(setup);
  }

  findSetup(reference: string): Promise<ProviderSetup | null> {
    this.requireUp();
    return Promise.resolve(this.setups.get(reference) ?? null);
  }

  detach(cardReference: string): Promise<void> {
    this.requireUp();
    this.detached.add(cardReference);
    return Promise.resolve();
  }

  /** Changes what the provider says of a setup from now on. */
  setUp(reference: string, facts: Partial<ProviderSetup>): void {
    const known = this.setups.get(reference);
    if (known !== undefined) this.setups.set(reference, { ...known, ...facts });
  }

  readEvent(): ProviderEventFacts | null {
    return null;
  }

  /** Changes what the provider says of a payment from now on. */
  set(reference: string, facts: Partial<ProviderPayment>): void {
    const known = this.payments.get(reference);
    if (known !== undefined) this.payments.set(reference, { ...known, ...facts });
  }

  private answer(reference: string): Promise<ProviderPayment> {
    return Promise.resolve(this.payments.get(reference) as ProviderPayment);
  }

  private requireUp(): void {
    if (this.isDown) throw new ProviderUnavailable('The provider is down.');
  }
}
