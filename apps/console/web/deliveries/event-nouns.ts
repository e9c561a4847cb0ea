import { type components } from '../api/generated/management';

export type EventType = components['schemas']['WebhookEventType'];

interface Noun {
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
