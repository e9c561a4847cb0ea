import type Stripe from 'stripe';
import { centsOf, CURRENCY } from '../rules/amount';
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
import { eventFacts, idOf } from './event-facts';
import { type PaymentSettings } from './payment-settings';
import { presentSetup, SETUP_EXPANDED } from './present-card';
import { EXPANDED, INTENT_EXPANDED, presentIntent, presentPayment } from './present-payment';

const SIGNED_WITHIN_SECONDS = 300;
const DISPUTES_MAX = 100;

/** As the secrets are now. */
interface StripeConnection {
  readonly stripe: Stripe;
  readonly settings: PaymentSettings;
}

/** https://docs.stripe.com/api */
export class StripeProvider implements PaymentProvider {
  constructor(private readonly connection: () => StripeConnection) {}

  get livemode(): boolean {
    return /^(sk|rk)_live_/.test(this.connection().settings.secretKey);
  }

  private get stripe(): Stripe {
    return this.connection().stripe;
  }

  open(checkout: NewCheckout): Promise<ProviderPayment> {
    const { paymentId, organizationId, amount, successUrl, cancelUrl, saveFor } = checkout;
    const metadata = { payment_id: paymentId };
    return answered(async () => {
      const { id } = await this.stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: organizationId,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: CURRENCY,
                unit_amount: Number(centsOf(amount)),
                product_data: { name: 'Credit' },
              },
            },
          ],
          metadata,
          // Refunds and disputes name the payment, not the checkout.
          payment_intent_data: {
            metadata,
            ...(saveFor === null ? {} : { setup_future_usage: 'off_session' }),
          },
          ...(saveFor === null ? {} : { customer: saveFor }),
          success_url: successUrl,
          ...(cancelUrl === null ? {} : { cancel_url: cancelUrl }),
        },
        { idempotencyKey: paymentId },
      );
      // The answer to a repeated question is the first one, and so may be out of date.
      return this.present(id);
    });
  }

  charge({ paymentId, amount, customerReference, cardReference }: NewCharge): Promise<ProviderPayment> {
    return answered(async () => {
      const id = await this.stripe.paymentIntents
        .create(
          {
            amount: Number(centsOf(amount)),
            currency: CURRENCY,
            customer: customerReference,
            payment_method: cardReference,
            allowed_payment_method_types: ['card'],
            metadata: { payment_id: paymentId },
            confirm: true,
            off_session: true,
          },
          { idempotencyKey: paymentId },
        )
        .then((intent) => intent.id, declinedIntent);
      // The answer to a repeated question is the first one, and so may be out of date.
      return this.presentIntent(id);
    });
  }

  async find(reference: string): Promise<ProviderPayment | null> {
    return answered(() =>
      (isIntent(reference) ? this.presentIntent(reference) : this.present(reference)).catch(nullIfUnknown),
    );
  }

  async end(reference: string): Promise<void> {
    await answered(() => {
      const { checkout, paymentIntents } = this.stripe;
      const asked: Promise<unknown> = isIntent(reference)
        ? paymentIntents.cancel(reference)
        : checkout.sessions.expire(reference);
      return asked.catch((error: unknown) => {
        // It is paid or has ended: looking at it will tell.
        if (!isRefusal(error)) throw error;
      });
    });
  }

  async refund({ refundId, intentReference, amount }: NewRefund): Promise<void> {
    const refund = { payment_intent: intentReference, amount: Number(centsOf(amount)) };
    await answered(() =>
      this.stripe.refunds.create(refund, { idempotencyKey: refundId }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        throw new RefundRefused('The payment provider refused the refund.', error.code ?? error.type);
      }),
    );
  }

  async paymentIdOf(intentReference: string): Promise<string | null> {
    const intent = await answered(() =>
      this.stripe.paymentIntents.retrieve(intentReference).catch(nullIfUnknown),
    );
    return idOf(intent?.metadata['payment_id']);
  }

  async newCustomer(organizationId: string): Promise<string> {
    const customer = { metadata: { organization_id: organizationId } };
    const { id } = await answered(() =>
      this.stripe.customers.create(customer, { idempotencyKey: `customer-${organizationId}` }),
    );
    return id;
  }

  openSetup(setup: NewSetup): Promise<ProviderSetup> {
    const { paymentMethodId, customerReference, successUrl, cancelUrl } = setup;
    return answered(async () => {
      const { id } = await this.stripe.checkout.sessions.create(
        {
          mode: 'setup',
          allowed_payment_method_types: ['card'],
          customer: customerReference,
          metadata: { payment_method_id: paymentMethodId },
          success_url: successUrl,
          ...(cancelUrl === null ? {} : { cancel_url: cancelUrl }),
        },
        { idempotencyKey: paymentMethodId },
      );
      return presentSetup(await this.retrieveSetup(id));
    });
  }

  async findSetup(reference: string): Promise<ProviderSetup | null> {
    const session = await answered(() => this.retrieveSetup(reference).catch(nullIfUnknown));
    return session && presentSetup(session);
  }

  async detach(cardReference: string): Promise<void> {
    await answered(() =>
      this.stripe.paymentMethods.detach(cardReference).catch((error: unknown) => {
        // It is not attached any more: somebody detached it there, or this was asked before.
        if (!isRefusal(error)) throw error;
      }),
    );
  }

  readEvent(rawBody: Buffer, signature: string): ProviderEventFacts | null {
    for (const secret of this.connection().settings.webhookSecrets) {
      const event = this.verified(rawBody, signature, secret);
      if (event !== null) return eventFacts(event);
    }
    return null;
  }

  private verified(rawBody: Buffer, signature: string, secret: string): Stripe.Event | null {
    try {
      return this.stripe.webhooks.constructEvent(rawBody, signature, secret, SIGNED_WITHIN_SECONDS);
    } catch {
      // Signed with another secret, or not at all.
      return null;
    }
  }

  private retrieveSetup(reference: string): Promise<Stripe.Checkout.Session> {
    return this.stripe.checkout.sessions.retrieve(reference, { expand: SETUP_EXPANDED });
  }

  private async present(reference: string): Promise<ProviderPayment> {
    const session = await this.stripe.checkout.sessions.retrieve(reference, { expand: EXPANDED });
    const intent = session.payment_intent;
    if (session.payment_status !== 'paid' || typeof intent !== 'object' || intent === null) {
      return presentPayment(session, []);
    }
    return presentPayment(session, await this.disputesOf(intent.id));
  }

  private async presentIntent(id: string): Promise<ProviderPayment> {
    const intent = await this.stripe.paymentIntents.retrieve(id, { expand: INTENT_EXPANDED });
    return presentIntent(intent, intent.status === 'succeeded' ? await this.disputesOf(id) : []);
  }

  private async disputesOf(intentId: string): Promise<readonly Stripe.Dispute[]> {
    const disputes = await this.stripe.disputes.list({ payment_intent: intentId, limit: DISPUTES_MAX });
    return disputes.data;
  }
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RefundRefused || error instanceof ChargeRefused) throw error;
    throw new ProviderUnavailable('The payment provider did not answer as expected.', { cause: error });
  }
}

function nullIfUnknown(error: unknown): null {
  if (isRefusal(error) && error.code === 'resource_missing') return null;
  throw error;
}

/** https://docs.stripe.com/api/errors/handling. The library's classes are not loaded here, because its import is late. */
const isRefusal = (error: unknown): error is Error & { readonly type: string; readonly code?: string } =>
  error instanceof Error && (error as { type?: unknown }).type === 'StripeInvalidRequestError';

const isIntent = (reference: string): boolean => reference.startsWith('pi_');

/**
 * A declined charge is an error of the library that names the payment. https://docs.stripe.com/declines
 * @throws ChargeRefused where there is no payment: the card is not there.
 */
function declinedIntent(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const { type, code, payment_intent: intent } = error as Partial<Stripe.errors.StripeError>;
  if (intent?.id !== undefined) return intent.id;
  if (type !== 'StripeCardError' && type !== 'StripeInvalidRequestError') throw error;
  throw new ChargeRefused('The payment provider refused the charge.', code ?? 'charge_refused');
}
