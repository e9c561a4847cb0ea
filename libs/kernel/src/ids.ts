/** The prefix of each kind of id (docs/reference/management-conventions.md#ids). */
export const idPrefixes = {
  organization: 'org',
  user: 'usr',
  member: 'mem',
  invitation: 'inv',
  consoleSession: 'ses',
  project: 'proj',
  apiKey: 'key',
  request: 'req',
  creditGrant: 'crg',
  walletTransaction: 'txn',
  budget: 'bud',
  policy: 'pol',
  providerCredential: 'cred',
  rollout: 'rol',
  event: 'evt',
  webhookEndpoint: 'whe',
  webhookDelivery: 'dlv',
  oauthApp: 'oapp',
  grant: 'grant',
  auditEntry: 'aud',
  alertRule: 'alr',
  alert: 'alt',
  incident: 'inc',
  export: 'exp',
  approvalPolicy: 'aprp',
  approvalRequest: 'apr',
  payment: 'pay',
  paymentMethod: 'pm',
  integration: 'int',
  file: 'file',
  fineTuningJob: 'ftjob',
  fineTuningEndpoint: 'fte',
  parkedMessage: 'pkm',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type Id<K extends IdKind> = `${(typeof idPrefixes)[K]}_${string}`;

/** Makes ids. It is injected, so that tests can control the ids. */
export type NewId = <K extends IdKind>(kind: K) => Id<K>;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
/** Number of letters that encode the time. */
const TIME_LETTERS = 10;
/** Bytes of randomness in an id. */
export const ID_ENTROPY_BYTES = 10;
/** Two letters of an id by their ten bits: ids are written two letters at a time. */
const LETTER_PAIRS = Array.from(CROCKFORD, (first) =>
  Array.from(CROCKFORD, (second) => first + second),
).flat();

/**
 * Prefix, underscore, and 26 characters of Crockford base 32: 48 bits of time, 80 of randomness, so that ids of a kind
 * sort by the time they were made.
 * @param entropyStart offset in `entropy` of the id's randomness
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

/** The creation time of an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const start = id.lastIndexOf('_') + 1;
  let timeMs = 0;
  for (const letter of id.slice(start, start + TIME_LETTERS))
    timeMs = timeMs * 32 + CROCKFORD.indexOf(letter);
  return timeMs;
}

/** True where a text has the form of an id of this kind. Treat an id of another kind like an unknown one. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  const prefix = `${idPrefixes[kind]}_`;
  return text.startsWith(prefix) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length));
}
