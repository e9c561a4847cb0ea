import { type Call } from '@svc/api';
import { type DeliveryFilter } from '@svc/persistence';
import { type deliveryFilters } from './webhook-delivery-schema';

/** The store's filter for a list's query. */
export const filterOf = (query: Call<{ query: typeof deliveryFilters }>['query']): DeliveryFilter => ({
  status: query.status,
  eventType: query.event_type,
  createdAfter: query.created_after,
  createdBefore: query.created_before,
});
