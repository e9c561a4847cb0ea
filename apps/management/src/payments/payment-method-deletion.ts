import { Inject, Injectable } from '@nestjs/common';
import { unknownResource, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { AutoTopUpEnds, PaymentMethodStore } from '@svc/payments/store';
import { type Logger } from '@svc/runtime/observability';
import { LOGGER, PAYMENTS, type OpenPayments } from '../runtime';

/** Forgets cards, here and at the provider (docs/reference/payments.md#payment-methods). */
@Injectable()
export class PaymentMethodDeletion {
  constructor(
    private readonly store: PaymentMethodStore,
    private readonly autoTopUps: AutoTopUpEnds,
    private readonly mutations: Mutations,
    @Inject(PAYMENTS) private readonly payments: OpenPayments | null,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * It can be charged no more from here on, and automatic top-ups that use it are switched off. A provider that is out of
   * reach is told by a worker.
   * @throws GatewayError `notFound`.
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.mutations.run(caller, async ({ tx, audit }) => {
      if ((await this.store.lockPaymentMethod(tx, caller.organizationId, id)) === null)
        throw unknownResource();
      await this.store.deletePaymentMethod(tx, id);
      await audit('payment_method.delete', id);
      await this.autoTopUps.methodDeleted(tx, caller.organizationId, id);
    });
    await this.payments?.settlement.methods.check(id).catch((error: unknown) => {
      this.logger.warn({ err: error, payment_method_id: id }, 'card not detached yet');
    });
  }
}
