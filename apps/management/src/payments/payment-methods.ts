import { Inject, Injectable } from '@nestjs/common';
import { known, requireRoom, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { OrganizationStore } from '@svc/access/store';
import { type PaymentMethodRecord, PaymentMethodStore } from '@svc/payments/store';
import { BASE_URL, PAYMENTS, type OpenPayments } from '../runtime';
import { answeredByProvider, requirePayments } from './open-payments';
import { requireReturns, type ReturnUrls } from './return-urls';

/** Of an organization, with those whose card may still be entered. */
export const METHODS_MAX = 50;

/** The cards of an organization that the provider keeps (docs/reference/payments.md#payment-methods). */
@Injectable()
export class PaymentMethods {
  constructor(
    private readonly store: PaymentMethodStore,
    private readonly organizations: OrganizationStore,
    private readonly mutations: Mutations,
    @Inject(PAYMENTS) private readonly payments: OpenPayments | null,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<Slice<PaymentMethodRecord>> {
    return this.store.listPaymentMethods(organizationId, page);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<PaymentMethodRecord> {
    return known(await this.store.findPaymentMethod(organizationId, id));
  }

  /**
   * Begins the setup of a card. Its id is committed before the provider is asked, and is the key under which it is asked.
   * @returns where the card is entered.
   * @throws GatewayError `conflict` where payments are off, or for one above the limit; `invalidRequest`; `providerError`.
   */
  async setUp(caller: Caller, returns: ReturnUrls): Promise<string> {
    const { settlement, provider } = requirePayments(this.payments);
    const { organizationId, actor } = caller;
    requireReturns(returns, this.baseUrl);
    const id = await this.mutations.run(caller, async ({ tx, newId, at, audit }) => {
      // So that two at once do not both see room for one.
      await this.organizations.lockOrganization(tx, organizationId);
      const count = await this.store.countPaymentMethods(tx, organizationId);
      requireRoom(count, METHODS_MAX, 'payment methods', 'remove one first');
      const id = newId('paymentMethod');
      await this.store.createPaymentMethod(tx, {
        id,
        organizationId,
        livemode: provider.livemode,
        createdBy: actor,
        at,
      });
      await audit('payment_method.create', id);
      return id;
    });
    const url = await answeredByProvider(settlement.methods.open(id, organizationId, returns));
    if (url === null)
      throw new GatewayError('providerError', 'The payment provider did not answer. Try again.');
    return url;
  }
}
