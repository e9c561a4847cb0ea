import { type Call, type Caller } from '@svc/api';
import { type Page } from '@svc/kernel';
import { type DeliveryFilter } from '@svc/deliveries/store';
import {
  presentSummary,
  presentWebhookDelivery,
  type deliveryFilters,
  type deliveryQuery,
} from './webhook-delivery-schema';
import { type WebhookDeliveries } from './webhook-deliveries';

/** The store's filter for a list's query. */
export const filterOf = (query: Call<{ query: typeof deliveryFilters }>['query']): DeliveryFilter => ({
  status: query.status,
  eventType: query.event_type,
  eventId: query.event_id,
  createdAfter: query.created_after,
  createdBefore: query.created_before,
});

/** A page of a list, in the view that was asked for. */
export async function listDeliveries(
  deliveries: WebhookDeliveries,
  {
    caller,
    page,
    query,
  }: { caller: Caller; page: Page; query: Call<{ query: typeof deliveryQuery }>['query'] },
  endpointId: string | undefined,
) {
  const filter = { ...filterOf(query), endpointId };
  if (query.view === 'summary') {
    const { items, ...rest } = await deliveries.listSummaries(caller, page, filter);
    return { ...rest, items: items.map(presentSummary) };
  }
  const { items, ...rest } = await deliveries.list(caller, page, filter);
  return { ...rest, items: items.map(presentWebhookDelivery) };
}
