import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** The master key in the forms for the cipher and for key derivation. */
export interface SealingKey {
  readonly bytes: Buffer;
  /** Made once, because making it takes longer than deriving a key. */
  readonly derivation: KeyObject;
}

/** How the key and the nonce of a sealed value are found. The first byte of the value is the number of its format. */
export interface SealedFormat {
  /** Number of random bytes after the version byte, new for each value. */
  readonly saltBytes: number;
  readonly derive: (
    master: SealingKey,
    salt: Uint8Array,
  ) => { readonly key: Buffer; readonly nonce: Uint8Array };
}

/** @throws Error for a key of another length. */
export function toSealingKey(bytes: Buffer): SealingKey {
  if (bytes.length !== KEY_BYTES) throw new Error(`the master key must have ${String(KEY_BYTES)} bytes`);
  return { bytes, derivation: createSecretKey(bytes) };
}

/** Separates these keys from keys of other purposes derived from the same master key (RFC 5869 section 3.2). */
const PURPOSE = Buffer.from('svc sealed value 2');

export const sealedFormats: Readonly<Record<number, SealedFormat>> & Readonly<Record<1 | 2, SealedFormat>> = {
  /**
   * One key for all values, and random nonces of 96 bits. One key allows 2^32 of them (NIST SP 800-38D section 8.3):
   * 1,000 values a second reach that in 50 days. Two values with the same nonce reveal the XOR of their contents and
   * allow forgeries.
   */
  1: { saltBytes: NONCE_BYTES, derive: ({ bytes }, salt) => ({ key: bytes, nonce: salt }) },
  /**
   * A key and a nonce for each value, derived by HKDF-SHA256 (RFC 5869) from its salt. They repeat only if the salt
   * repeats: among 2^64 salts with a probability of 2^-129. The required bound, 2^-32 for all values of a key, holds
   * for any number of values that can be stored.
   */
  2: {
    saltBytes: 32,
    derive: ({ derivation }, salt) => {
      const derived = Buffer.from(hkdfSync('sha256', derivation, salt, PURPOSE, KEY_BYTES + NONCE_BYTES));
      return { key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
    },
  },
};
