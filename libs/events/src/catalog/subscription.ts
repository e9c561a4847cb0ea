import { eventTypes } from './event-catalogue';

const nounOf = (type: string): string => type.slice(0, type.indexOf('.'));

const patterns: ReadonlySet<string> = new Set([
  ...eventTypes,
  ...eventTypes.map((type) => `${nounOf(type)}.*`),
]);

/**
 * True where a text is a valid entry of an endpoint's `event_types`: a catalog name, or `<noun>.*` where the noun is the
 * first word of one. `fine_tuning.*` covers every `fine_tuning.job.…` and `fine_tuning.endpoint.…`. `fine_tuning.job.*`
 * and a bare `*` are not valid. Entries are case-sensitive (docs/reference/events.md#subscription).
 */
export const isEventTypePattern = (text: string): boolean => patterns.has(text);

/** True where an endpoint with these `event_types` gets the event. An empty list subscribes to every event. */
export function matchesSubscription(subscribed: readonly string[], type: string): boolean {
  return subscribed.length === 0 || subscribed.includes(type) || subscribed.includes(`${nounOf(type)}.*`);
}
