import { type Call } from '@svc/platform/api';
import { type DeliveryFilter } from '@svc/persistence';
import { type deliveryFilters } from './webhook-delivery-schema';

/** What a list's query asks the store for. */
export const filterOf = (query: Call<{ query: typeof deliveryFilters }>['query']): DeliveryFilter => ({
  status: query.status,
  eventType: query.event_type,
  createdAfter: query.created_after,
  createdBefore: query.created_before,
});
