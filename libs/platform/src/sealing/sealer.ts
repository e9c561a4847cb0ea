import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of every sealed value, so that another cipher can be told apart later. */
const VERSION = 1;

/** 32 bytes; or several such keys while one takes the place of another: the first seals, and each opens what it sealed. */
export type MasterKey = Buffer | readonly [Buffer, ...Buffer[]];

/** Encrypts what is stored (contract.md section 1, SVC_MASTER_KEY). */
export interface Sealer {
  /**
   * A version byte, a random 96-bit nonce, the 128-bit tag, the ciphertext (AES-256-GCM, NIST SP 800-38D).
   * @param context what the value belongs to, such as its row's id: it opens with the same context only, so that
   * nobody who can write to the database can move a value to another row.
   */
  seal(plain: Uint8Array, context: string): Buffer;
  /** @throws Error when the value was sealed with another key or context, or altered. */
  open(sealed: Uint8Array, context: string): Buffer;
  /**
   * The value sealed with the key that seals now, or null when it is.
   * @throws Error as {@link open}.
   */
  reseal(sealed: Uint8Array, context: string): Buffer | null;
}

/** @throws Error for a key of another length. */
export function createSealer(masterKey: MasterKey): Sealer {
  const [current, ...others] = Buffer.isBuffer(masterKey) ? [masterKey] : masterKey;
  if ([current, ...others].some(({ length }) => length !== KEY_BYTES)) {
    throw new Error(`the master key must have ${String(KEY_BYTES)} bytes`);
  }
  const openWithOthers = (sealed: Uint8Array, context: string): Buffer => {
    for (const key of others) {
      const plain = openWith(key, sealed, context);
      if (plain !== null) return plain;
    }
    throw new Error('a sealed value does not open with this key and context');
  };
  return {
    seal: (plain, context) => sealWith(current, plain, context),
    open: (sealed, context) => openWith(current, sealed, context) ?? openWithOthers(sealed, context),
    reseal: (sealed, context) =>
      openWith(current, sealed, context) === null
        ? sealWith(current, openWithOthers(sealed, context), context)
        : null,
  };
}

function sealWith(key: Buffer, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(context));
  const ciphertext = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...ciphertext]);
}

/** null: another key or context, or altered, which the cipher can't tell apart. */
function openWith(key: Buffer, sealed: Uint8Array, context: string): Buffer | null {
  const tagAt = 1 + NONCE_BYTES;
  const ciphertextAt = tagAt + TAG_BYTES;
  if (sealed.length < ciphertextAt || sealed[0] !== VERSION) return null;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(context));
  decipher.setAuthTag(sealed.subarray(tagAt, ciphertextAt));
  const plain = decipher.update(sealed.subarray(ciphertextAt));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}

const associatedData = (context: string): Buffer => Buffer.concat([Buffer.of(VERSION), Buffer.from(context)]);
