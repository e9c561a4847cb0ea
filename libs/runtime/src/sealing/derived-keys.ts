import { hkdfSync } from 'node:crypto';
import { type MasterKey } from './sealer';

const KEY_BYTES = 32;

/**
 * Keys of another purpose than sealing, derived from the master key (HKDF-SHA256, RFC 5869): the current one, and during a rotation the
 * other.
 * @param purpose separates them from keys of other purposes (RFC 5869 section 3.2).
 */
export const derivedKeys = (masterKey: MasterKey, purpose: string): readonly [Buffer, ...Buffer[]] => {
  const derive = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, Buffer.of(), purpose, KEY_BYTES));
  if (Buffer.isBuffer(masterKey)) return [derive(masterKey)];
  const [current, ...others] = masterKey;
  return [derive(current), ...others.map(derive)];
};
