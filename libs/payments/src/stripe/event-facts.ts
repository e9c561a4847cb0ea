import { type ProviderEventFacts } from '../rules/provider';

/** Stripe promises ids of at most 255 characters. https://docs.stripe.com/upgrades */
const ID = /^[!-~]{1,255}$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The objects of https://docs.stripe.com/api/events/types are alike in the fields that say which payment they are about.
 * @param event as it was signed: any JSON.
 * @returns null where it is no event, or its own id or type cannot be one. Any other value that cannot be an id counts as
 * absent.
 */
export function eventFacts(event: unknown): ProviderEventFacts | null {
  const { id, type, data } = fieldsOf(event);
  const [eventId, eventType] = [idOf(id), idOf(type)];
  if (eventId === null || eventType === null) return null;
  const object = fieldsOf(fieldsOf(data)['object']);
  const kind = object['object'];
  return {
    id: eventId,
    type: eventType,
    paymentId: idOf(fieldsOf(object['metadata'])['payment_id']),
    reference: kind === 'checkout.session' ? idOf(object['id']) : null,
    intentReference: kind === 'payment_intent' ? idOf(object['id']) : idOf(object['payment_intent']),
  };
}

/** The database takes no U+0000, and an index no long text. */
export const idOf = (value: unknown): string | null =>
  typeof value === 'string' && ID.test(value) ? value : null;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
