import { type Nanos } from '@svc/kernel';
import { type NewSetup, type ProviderSetup, type SavedCard } from './card';

/** A payment as it is at the provider now. Amounts are cents of {@link currency}. */
export interface ProviderPayment {
  /** The provider's id of the checkout. */
  readonly reference: string;
  /** The provider's id of the payment, once there is one. */
  readonly intentReference: string | null;
  /** The id of ours that it carries. */
  readonly paymentId: string | null;
  /** `open`: it may still be paid. `ended`: it can't be paid any more. */
  readonly standing: 'open' | 'paid' | 'ended';
  /** The amount paid; before that, the amount asked for. */
  readonly amountCents: bigint;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly livemode: boolean;
  /** Why the last try to pay failed: the provider's code. */
  readonly failureCode: string | null;
  readonly checkoutUrl: string | null;
  readonly refundedCents: bigint;
  /** Amounts that disputes took, and that won disputes gave back. */
  readonly withdrawnCents: bigint;
  readonly reinstatedCents: bigint;
  /** The card that was paid with, where it was to be kept. */
  readonly savedCard: SavedCard | null;
}

export interface NewCheckout {
  readonly paymentId: string;
  readonly organizationId: string;
  readonly amount: Nanos;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  /** The provider's id of the organization, for which the card is kept; null: it is not kept. */
  readonly saveFor: string | null;
}

/** A charge without its payer. */
export interface NewCharge {
  readonly paymentId: string;
  readonly amount: Nanos;
  /** The provider's ids of the organization and of its card. */
  readonly customerReference: string;
  readonly cardReference: string;
}

export interface NewRefund {
  readonly refundId: string;
  readonly intentReference: string;
  readonly amount: Nanos;
}

/** The subject of an event of the provider. It is not trusted further: the payment itself is asked for. */
export interface ProviderEventFacts {
  readonly id: string;
  readonly type: string;
  readonly paymentId: string | null;
  readonly reference: string | null;
  readonly intentReference: string | null;
}

/** A payment provider. Each question has a bound in time. */
export interface PaymentProvider {
  /** True where its payments move money. */
  readonly livemode: boolean;
  /**
   * Asked again for the same payment, it answers with the same checkout.
   * @throws ProviderUnavailable
   */
  open(checkout: NewCheckout): Promise<ProviderPayment>;
  /**
   * Asked again for the same payment, it charges nothing more. A declined one is answered like any other.
   * @throws ProviderUnavailable, ChargeRefused
   */
  charge(charge: NewCharge): Promise<ProviderPayment>;
  /** @returns null where the provider does not know it. @throws ProviderUnavailable */
  find(reference: string): Promise<ProviderPayment | null>;
  /** Ends a checkout that is open; leaves another as it is. @throws ProviderUnavailable */
  end(reference: string): Promise<void>;
  /** Asked again, it refunds nothing more. @throws ProviderUnavailable, RefundRefused */
  refund(refund: NewRefund): Promise<void>;
  /** The payment of ours that a payment of the provider carries; null for none. @throws ProviderUnavailable */
  paymentIdOf(intentReference: string): Promise<string | null>;
  /**
   * The provider's id of an organization. Asked again soon, it makes no second one.
   * @throws ProviderUnavailable
   */
  newCustomer(organizationId: string): Promise<string>;
  /** Asked again for the same payment method, it answers with the same setup. @throws ProviderUnavailable */
  openSetup(setup: NewSetup): Promise<ProviderSetup>;
  /** @returns null where the provider does not know it. @throws ProviderUnavailable */
  findSetup(reference: string): Promise<ProviderSetup | null>;
  /** Forgets a card at the provider. One that is forgotten stays so. @throws ProviderUnavailable */
  detach(cardReference: string): Promise<void>;
  /** @returns null where the signature is wrong, or older than 300 s, or for what is no event. */
  readEvent(rawBody: Buffer, signature: string): ProviderEventFacts | null;
}

/** The provider was not reached, or answered nothing useful: what it did is unknown, and it is asked again. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The provider refused a refund for good. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';

  constructor(
    message: string,
    /** The provider's code. */
    readonly failureCode: string,
  ) {
    super(message);
  }
}

/** The provider will not even try a charge: the card is no longer there. */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';

  constructor(
    message: string,
    /** The provider's code. */
    readonly failureCode: string,
  ) {
    super(message);
  }
}
