import { Injectable } from '@nestjs/common';
import { retriedByHand } from '@svc/events';
import { GatewayError } from '@svc/kernel';
import {
  changedFields,
  initialFields,
  Mutations,
  WebhookDeliveryStore,
  WebhookEndpointStore,
  type BulkRetry,
  type DeliveryFilter,
  type WebhookDeliveryRecord,
} from '@svc/persistence';
import { presentTimeOrNull, unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';

/** What was sent to an organization's webhook endpoints, waits to be, or is to be sent again. */
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
    return this.store.list(organizationId, page, filter);
  }

  /**
   * Those of an endpoint, which may be deleted.
   * @throws GatewayError `notFound` for an endpoint that never was the organization's.
   */
  async listOf(
    caller: Caller,
    endpointId: string,
    page: Page,
    filter: DeliveryFilter,
  ): Promise<Slice<WebhookDeliveryRecord>> {
    if (!(await this.store.hasEndpoint(caller.organizationId, endpointId))) throw unknownResource();
    return this.list(caller, page, { ...filter, endpointId });
  }

  /**
   * @param endpointId the endpoint whose it must be; any of the organization's where none is given.
   * @throws GatewayError `notFound`.
   */
  async get(
    { organizationId }: Caller,
    id: string,
    endpointId: string | null = null,
  ): Promise<WebhookDeliveryRecord> {
    const found = await this.store.find(organizationId, id);
    if (found === null || isOfOther(found, endpointId)) throw unknownResource();
    return found;
  }

  /**
   * Queues it again with the whole schedule before it. One that is queued stays as it is, so that two retries at once
   * are one; one whose attempt is in flight is sent again after it.
   * @param endpointId as of {@link get}.
   * @throws GatewayError `notFound`; `conflict` where the endpoint is deleted.
   */
  retry(caller: Caller, id: string, endpointId: string | null = null): Promise<WebhookDeliveryRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const locked = await this.store.lock(tx, caller.organizationId, id);
      if (locked === null || isOfOther(locked.delivery, endpointId)) throw unknownResource();
      const { delivery, isEndpointDeleted, now } = locked;
      if (isEndpointDeleted) throw new GatewayError('conflict', 'The endpoint of this delivery is deleted.');
      const progress = retriedByHand(delivery, now);
      if (progress === delivery) return delivery;
      const { status, round } = progress;
      const before = { status: delivery.status, round: delivery.round };
      await audit('webhook_delivery.retry', id, changedFields(before, { status, round }));
      return this.store.requeue(tx, id, progress);
    });
  }

  /**
   * Queues those of an endpoint again, at most `BULK_RETRY_MAX` of them.
   * @returns how many.
   * @throws GatewayError `notFound`.
   */
  retryMany(caller: Caller, endpointId: string, which: BulkRetry): Promise<number> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const endpoint = await this.endpoints.find(caller.organizationId, endpointId);
      if (endpoint === null) throw unknownResource();
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
