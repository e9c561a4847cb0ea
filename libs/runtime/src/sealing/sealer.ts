import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type SealedFormat, sealedFormats, toSealingKey, type SealingKey } from './sealed-formats';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const CURRENT = 2;
/** The format that the previous release can open too. */
const PREVIOUS = 1;

/** A key of 32 bytes, or several during a rotation: the first seals, and each opens the values that it sealed. */
export type MasterKey = Buffer | readonly [Buffer, ...Buffer[]];

/**
 * Encrypts values for storage (docs/reference/authentication-and-permissions.md#secrets), each with a separate key:
 * docs/decisions/0015.
 */
export interface Sealer {
  /**
   * A version byte, 256 random bits, the 128-bit tag, the ciphertext (AES-256-GCM, NIST SP 800-38D).
   * @param context the owner of the value, such as its row's id. It opens with the same context only, so that somebody
   * with write access to the database cannot move a value to another row.
   */
  seal(plain: Uint8Array, context: string): Buffer;
  /**
   * Like {@link seal}, in a format that the previous release can open. Only for values sealed rarely, because all of
   * them share one key.
   */
  sealAsBefore(plain: Uint8Array, context: string): Buffer;
  /** @throws Error when the value was sealed with another key or context, or altered. */
  open(sealed: Uint8Array, context: string): Buffer;
  /**
   * Seals a value again with the current key and format. Null when it has them already.
   * @throws Error like {@link open}.
   */
  reseal(sealed: Uint8Array, context: string): Buffer | null;
}

/** @throws Error for a key of another length. */
export function createSealer(masterKey: MasterKey): Sealer {
  const [current, ...others] = Buffer.isBuffer(masterKey)
    ? ([toSealingKey(masterKey)] as const)
    : ([toSealingKey(masterKey[0]), ...masterKey.slice(1).map(toSealingKey)] as const);
  const openWithOthers = (sealed: Uint8Array, context: string): Buffer => {
    for (const key of others) {
      const plain = openWith(key, sealed, context);
      if (plain !== null) return plain;
    }
    throw new Error('a sealed value does not open with this key and context');
  };
  return {
    seal: (plain, context) => sealWith(current, CURRENT, plain, context),
    sealAsBefore: (plain, context) => sealWith(current, PREVIOUS, plain, context),
    open: (sealed, context) => openWith(current, sealed, context) ?? openWithOthers(sealed, context),
    reseal: (sealed, context) => {
      const plain = openWith(current, sealed, context);
      if (plain !== null && sealed[0] === CURRENT) return null;
      return sealWith(current, CURRENT, plain ?? openWithOthers(sealed, context), context);
    },
  };
}

function sealWith(master: SealingKey, version: 1 | 2, plain: Uint8Array, context: string): Buffer {
  const { saltBytes, derive } = sealedFormats[version];
  const salt = randomBytes(saltBytes);
  const { key, nonce } = derive(master, salt);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(version, context));
  const ciphertext = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.of(version), salt, cipher.getAuthTag(), ...ciphertext]);
}

/** Null for another key or context or an altered value. The cipher cannot distinguish them. */
function openWith(master: SealingKey, sealed: Uint8Array, context: string): Buffer | null {
  const version = sealed[0] ?? 0;
  const format: SealedFormat | undefined = sealedFormats[version];
  if (format === undefined) return null;
  const tagAt = 1 + format.saltBytes;
  const ciphertextAt = tagAt + TAG_BYTES;
  if (sealed.length < ciphertextAt) return null;
  const { key, nonce } = format.derive(master, sealed.subarray(1, tagAt));
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(version, context));
  decipher.setAuthTag(sealed.subarray(tagAt, ciphertextAt));
  const plain = decipher.update(sealed.subarray(ciphertextAt));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}

const associatedData = (version: number, context: string): Buffer =>
  Buffer.concat([Buffer.of(version), Buffer.from(context)]);
