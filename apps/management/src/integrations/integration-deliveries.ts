import { Injectable } from '@nestjs/common';
import { known, unknownResource, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { retriedByHand } from '@svc/events';
import { type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';
import {
  type DeliveryFilter,
  type IntegrationDeliveryRecord,
  IntegrationDeliveryStore,
  IntegrationStore,
} from '@svc/deliveries/store';

/** Deliveries to an organization's integrations: sent, queued, or to be retried. */
@Injectable()
export class IntegrationDeliveries {
  constructor(
    private readonly store: IntegrationDeliveryStore,
    private readonly integrations: IntegrationStore,
    private readonly mutations: Mutations,
  ) {}

  /** @throws GatewayError `notFound` for an integration that is deleted or not the organization's. */
  async list(
    { organizationId }: Caller,
    integrationId: string,
    page: Page,
    filter: DeliveryFilter,
  ): Promise<Slice<IntegrationDeliveryRecord>> {
    if ((await this.integrations.findIntegration(organizationId, integrationId)) === null)
      throw unknownResource();
    return this.store.listIntegrationDeliveries(organizationId, integrationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get(
    { organizationId }: Caller,
    integrationId: string,
    id: string,
  ): Promise<IntegrationDeliveryRecord> {
    return known(await this.store.findIntegrationDelivery(organizationId, integrationId, id));
  }

  /**
   * Queues the delivery again, with the whole retry schedule. A queued delivery stays as it is, so that concurrent
   * retries are coalesced.
   * @throws GatewayError `notFound`.
   */
  retry(caller: Caller, integrationId: string, id: string): Promise<IntegrationDeliveryRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const locked = known(await this.store.lockDelivery(tx, caller.organizationId, integrationId, id));
      const { delivery, now } = locked;
      const progress = retriedByHand(delivery, now);
      if (progress === delivery) return delivery;
      const { status, round } = progress;
      const before = { status: delivery.status, round: delivery.round };
      await audit('integration_delivery.retry', id, changedFields(before, { status, round }));
      return this.store.requeue(tx, id, progress);
    });
  }
}
