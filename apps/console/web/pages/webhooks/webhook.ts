import { type components } from '../../api/generated/management';

export type Endpoint = components['schemas']['WebhookEndpoint'];
export type Delivery = components['schemas']['WebhookDelivery'];
export type Attempt = components['schemas']['WebhookDeliveryAttempt'];
export type EventType = components['schemas']['WebhookEventType'];

export const endpointStates = [
  'active',
  'failing',
  'paused',
  'disabled',
] as const satisfies readonly Endpoint['state'][];
export const statuses = [
  'queued',
  'succeeded',
  'failed',
  'dead',
] as const satisfies readonly Delivery['status'][];

const SOON_MS = 15_000;
const SOON_EVERY_MS = 2_000;
const LATER_EVERY_MS = 30_000;

/** How often a delivery is looked at again: often while an attempt is due, not at all once it has ended. */
export function looksEvery({ status, next_attempt_at: next }: Delivery, atMs: number): number | false {
  if (status === 'succeeded' || status === 'dead') return false;
  const isSoon = next === null || Date.parse(next) - atMs < SOON_MS;
  return isSoon ? SOON_EVERY_MS : LATER_EVERY_MS;
}

export interface Noun {
  /** `api_key.*`. */
  readonly wildcard: string;
  readonly types: readonly EventType[];
}

/** The events by their noun, in the order of the catalogue. */
export function byNoun(types: readonly EventType[]): readonly Noun[] {
  const nouns = new Map<string, EventType[]>();
  for (const type of types) {
    const wildcard = `${type.type.split('.')[0] ?? ''}.*`;
    const before = nouns.get(wildcard);
    if (before === undefined) nouns.set(wildcard, [type]);
    else before.push(type);
  }
  return [...nouns].map(([wildcard, ofNoun]) => ({ wildcard, types: ofNoun }));
}

/** The chosen names after one was switched: a wildcard takes the place of the names that it stands for. */
export function switched(chosen: readonly string[], name: string, isOn: boolean): readonly string[] {
  if (!isOn) return chosen.filter((other) => other !== name);
  const noun = name.endsWith('.*') ? name.slice(0, -1) : null;
  const kept = noun === null ? chosen : chosen.filter((other) => !other.startsWith(noun));
  return [...kept, name];
}
