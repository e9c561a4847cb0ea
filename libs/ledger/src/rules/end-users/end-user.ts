import { createHmac } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 26 letters of five bits each: 130 bits of the HMAC. */
const LETTERS = 26;
const END_USER_ID = /^eu_[0-9a-hjkmnp-tv-z]{26}$/;
const NAME_MAX = 256;

/** How many end users of an organization the usage of a day names: `SVC_END_USERS_PER_DAY`. */
export const END_USERS_PER_DAY_DEFAULT = 100_000;

export const isEndUserId = (text: string): boolean => END_USER_ID.test(text);

/**
 * The id of an end user: `eu_` and 26 letters of HMAC-SHA-256 over the whole name, however long it is
 * (docs/end-users.md#the-id).
 * @param pepper random, of the organization
 */
export function endUserId(pepper: Uint8Array, name: string): string {
  const digest = createHmac('sha256', pepper).update(name, 'utf8').digest();
  let letters = '';
  for (let bits = 0, width = 0, at = 0; letters.length < LETTERS; width -= 5) {
    if (width < 5) {
      bits = ((bits & 31) << 8) | (digest[at++] ?? 0);
      width += 8;
    }
    letters += ALPHABET[(bits >> (width - 5)) & 31] ?? '';
  }
  return `eu_${letters}`;
}

/** True where the name can be stored and shown: one line of at most 256 characters. */
export const isKeptName = (name: string): boolean =>
  name.length <= NAME_MAX && /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]*$/u.test(name);
