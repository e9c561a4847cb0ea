import { listOf } from '../api/list';
import { idOf, text } from '../browser/address';
import { choice, createdWithin, word } from '../browser/list';

/** Deliveries to an endpoint; those of an integration have the same filters. */
export const deliveryList = listOf('/webhooks/{endpoint_id}/deliveries', {
  status: choice(['queued', 'succeeded', 'failed', 'dead']),
  type: word(text, 'event_type'),
  event: word(idOf('event'), 'event_id'),
  ...createdWithin,
});
