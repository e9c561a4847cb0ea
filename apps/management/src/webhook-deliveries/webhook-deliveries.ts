import { Injectable } from '@nestjs/common';
import { known, presentTimeOrNull, unknownResource, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { retriedByHand } from '@svc/events';
import { type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import {
  type BulkRetry,
  type DeliveryFilter,
  type WebhookDeliveryRecord,
  WebhookDeliveryStore,
  type WebhookDeliverySummaryRecord,
  WebhookEndpointStore,
} from '@svc/deliveries/store';

/** Deliveries to an organization's webhook endpoints: sent, queued, or to be retried. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly store: WebhookDeliveryStore,
    private readonly endpoints: WebhookEndpointStore,
    private readonly mutations: Mutations,
  ) {}

  list(
    { organizationId }: Caller,
    page: Page,
    filter: DeliveryFilter,
  ): Promise<Slice<WebhookDeliveryRecord>> {
    return this.store.listWebhookDeliveries(organizationId, page, filter);
  }

  /** The same without bodies and attempts. */
  listSummaries(
    { organizationId }: Caller,
    page: Page,
    filter: DeliveryFilter,
  ): Promise<Slice<WebhookDeliverySummaryRecord>> {
    return this.store.listSummaries(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound` for an endpoint that is deleted or not the organization's. */
  async requireEndpoint({ organizationId }: Caller, endpointId: string): Promise<void> {
    if ((await this.endpoints.findWebhookEndpoint(organizationId, endpointId)) === null)
      throw unknownResource();
  }

  /**
   * @param endpointId the endpoint that it must belong to; null for any of the organization's.
   * @throws GatewayError `notFound`.
   */
  async get(
    { organizationId }: Caller,
    id: string,
    endpointId: string | null = null,
  ): Promise<WebhookDeliveryRecord> {
    const found = await this.store.findWebhookDelivery(organizationId, id);
    if (found === null || isOfOther(found, endpointId)) throw unknownResource();
    return found;
  }

  /**
   * Queues the delivery again, with the whole retry schedule. A queued delivery stays as it is, so that concurrent
   * retries are coalesced. A delivery in flight is sent again after its attempt.
   * @param endpointId as of {@link get}.
   * @throws GatewayError `notFound`.
   */
  retry(caller: Caller, id: string, endpointId: string | null = null): Promise<WebhookDeliveryRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const locked = await this.store.lockDelivery(tx, caller.organizationId, id);
      if (locked === null || isOfOther(locked.delivery, endpointId)) throw unknownResource();
      const { delivery, now } = locked;
      const progress = retriedByHand(delivery, now);
      if (progress === delivery) return delivery;
      const { status, round } = progress;
      const before = { status: delivery.status, round: delivery.round };
      await audit('webhook_delivery.retry', id, changedFields(before, { status, round }));
      return this.store.requeue(tx, id, progress);
    });
  }

  /**
   * Queues deliveries of an endpoint again, at most `BULK_RETRY_MAX`.
   * @returns how many.
   * @throws GatewayError `notFound`.
   */
  retryMany(caller: Caller, endpointId: string, which: BulkRetry): Promise<number> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      known(await this.endpoints.findWebhookEndpoint(caller.organizationId, endpointId));
      const count = await this.store.requeueMany(tx, endpointId, which);
      if (count === 0) return count;
      const { status, createdAfter, createdBefore } = which;
      await audit(
        'webhook_endpoint.retry_deliveries',
        endpointId,
        initialFields({
          status,
          since: presentTimeOrNull(createdAfter ?? null),
          until: presentTimeOrNull(createdBefore ?? null),
          count,
        }),
      );
      return count;
    });
  }
}

const isOfOther = (delivery: WebhookDeliveryRecord, endpointId: string | null): boolean =>
  endpointId !== null && delivery.endpointId !== endpointId;
