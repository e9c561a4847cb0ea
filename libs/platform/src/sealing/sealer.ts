import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of every sealed value, so that another cipher or key can be told apart later. */
const VERSION = 1;

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
}

/**
 * @param masterKey 32 bytes.
 * @throws Error for a key of another length.
 */
export function createSealer(masterKey: Buffer): Sealer {
  if (masterKey.length !== KEY_BYTES) throw new Error(`the master key must have ${String(KEY_BYTES)} bytes`);
  return {
    seal: (plain, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, masterKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(context));
      const ciphertext = [cipher.update(plain), cipher.final()];
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...ciphertext]);
    },
    open: (sealed, context) => {
      const tagAt = 1 + NONCE_BYTES;
      const ciphertextAt = tagAt + TAG_BYTES;
      if (sealed.length < ciphertextAt || sealed[0] !== VERSION) throw notOpened();
      const nonce = sealed.subarray(1, tagAt);
      const decipher = createDecipheriv(CIPHER, masterKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(context));
      decipher.setAuthTag(sealed.subarray(tagAt, ciphertextAt));
      const plain = decipher.update(sealed.subarray(ciphertextAt));
      try {
        return Buffer.concat([plain, decipher.final()]);
      } catch {
        throw notOpened();
      }
    },
  };
}

const associatedData = (context: string): Buffer => Buffer.concat([Buffer.of(VERSION), Buffer.from(context)]);

const notOpened = (): Error => new Error('a sealed value does not open with this key and context');
