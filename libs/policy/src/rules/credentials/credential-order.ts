import { LOW_HEADROOM_BPS } from './headroom';

/** The key and weight that decide the place of a credential among the others of its provider. */
export interface OrderedCredential {
  /** Names it, the same in every process and for every secret that it has. */
  readonly key: string;
  /** Its share of the load, beside the weights of the others. 0: only after all others. */
  readonly weight: number;
}

/** A call tries at most so many credentials of one owner at an endpoint. */
export const CREDENTIALS_TRIED_MAX = 3;

/**
 * The credentials in the order in which a call tries them, by weighted rendezvous hashing (Schindelhauer and Schomaker, 2005): so each
 * edge has the same order for a subject, and a credential that comes or goes moves only the subjects that it gets or had. Those with
 * little headroom come after the others, and those of weight 0 after all of them. Of equal ones the preferred one is the first.
 * @param subject what goes to one credential as long as it can
 * @param headroomBpsOf basis points; null where it is not known
 */
export function orderedCredentials<Credential extends OrderedCredential>(
  credentials: readonly Credential[],
  subject: string,
  headroomBpsOf: (credential: Credential) => number | null,
  preferredKey?: string,
): readonly Credential[] {
  if (credentials.length < 2) return credentials;
  const ranked = credentials.map((credential) => ({
    credential,
    isSpare: credential.weight === 0,
    isLow: (headroomBpsOf(credential) ?? LOW_HEADROOM_BPS) < LOW_HEADROOM_BPS,
    score: credential.key === preferredKey ? Infinity : scoreOf(credential, subject),
  }));
  ranked.sort(
    (a, b) =>
      Number(a.isSpare) - Number(b.isSpare) ||
      Number(a.isLow) - Number(b.isLow) ||
      b.score - a.score ||
      (a.credential.key < b.credential.key ? -1 : 1),
  );
  return ranked.map(({ credential }) => credential);
}

/** The chance to have the highest score is the share of the weight. */
const scoreOf = ({ key, weight }: OrderedCredential, subject: string): number =>
  -(weight || 1) / Math.log(fractionOf(`${key} ${subject}`));

const HASHES = 2 ** 53;

/** Above 0, below 1, spread evenly: cyrb53 (bryc, public domain). A cryptographic hash would cost more than the rest of the plan. */
function fractionOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const hash = 4294967296 * (2097151 & low) + (high >>> 0);
  return (hash + 0.5) / HASHES;
}
