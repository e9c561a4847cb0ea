import { listOf } from '../api/list';
import { idOf, text } from '../browser/address';
import { choice, createdWithin, word } from '../browser/list';

/** What was sent to an endpoint; deliveries of an integration are filtered by the same. */
export const deliveryList = listOf('/webhooks/{endpoint_id}/deliveries', {
  status: choice(['queued', 'succeeded', 'failed', 'dead']),
  type: word(text, 'event_type'),
  event: word(idOf('event'), 'event_id'),
  ...createdWithin,
});
