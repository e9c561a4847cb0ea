/** What an id names, by its prefix (interface.md; contract.md section 2). */
export const idPrefixes = {
  organization: 'org',
  user: 'usr',
  member: 'mem',
  invitation: 'inv',
  project: 'proj',
  apiKey: 'key',
  request: 'req',
  creditGrant: 'crg',
  walletTransaction: 'txn',
  budget: 'bud',
  policy: 'pol',
  providerCredential: 'cred',
  event: 'evt',
  webhookEndpoint: 'whe',
  webhookDelivery: 'dlv',
  oauthApp: 'oapp',
  grant: 'grant',
  auditEntry: 'aud',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type Id<K extends IdKind> = `${(typeof idPrefixes)[K]}_${string}`;

/** Makes ids. Injected, so that tests decide what comes out. */
export type NewId = <K extends IdKind>(kind: K) => Id<K>;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
/** Letters of an id that are its time. */
const TIME_LETTERS = 10;
/** Bytes of randomness in an id. */
export const ID_ENTROPY_BYTES = 10;
/** An id is written two letters at a time: by the ten bits that they stand for. */
const LETTER_PAIRS = Array.from(CROCKFORD, (first) =>
  Array.from(CROCKFORD, (second) => first + second),
).flat();

/**
 * Prefix, underscore, and 26 characters of Crockford base 32: 48 bits of time, 80 of randomness, so that ids
 * of a kind sort by the time they were made.
 * @param entropyStart where in `entropy` its randomness begins
 */
export function formatId<K extends IdKind>(
  kind: K,
  timeMs: number,
  entropy: Uint8Array,
  entropyStart = 0,
): Id<K> {
  let text = '';
  for (let rest = timeMs, place = 0; place < TIME_LETTERS; place += 2) {
    text = pairOf(rest % 1024) + text;
    rest = Math.floor(rest / 1024);
  }
  for (let at = 0, bits = 0, width = 0; at < ID_ENTROPY_BYTES; at++) {
    bits = (bits << 8) | (entropy[entropyStart + at] ?? 0);
    width += 8;
    if (width < 10) continue;
    width -= 10;
    text += pairOf(bits >> width);
    bits &= (1 << width) - 1;
  }
  return `${idPrefixes[kind]}_${text}` as Id<K>;
}

const pairOf = (tenBits: number): string => LETTER_PAIRS[tenBits] as string;

/** When an id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const start = id.lastIndexOf('_') + 1;
  let timeMs = 0;
  for (const letter of id.slice(start, start + TIME_LETTERS))
    timeMs = timeMs * 32 + CROCKFORD.indexOf(letter);
  return timeMs;
}

/** Whether a text has the form of an id of this kind. An id of another kind answers like an unknown one. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  const prefix = `${idPrefixes[kind]}_`;
  return text.startsWith(prefix) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length));
}
