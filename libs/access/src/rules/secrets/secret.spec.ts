import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { formatSecret, isSecret, isSecretOfHash, SECRET_ENTROPY_BYTES, secretHash } from './secret';

const marks = {
  apiKey: 'svc_sk_',
  clientId: 'svc_client_',
  clientSecret: 'svc_cs_',
  refreshToken: 'svc_rt_',
  authorizationCode: 'svc_ac_',
  session: 'svc_ss_',
  invitation: 'svc_inv_',
  platform: 'svc_pt_',
  metrics: 'svc_mt_',
} as const;
const kinds = Object.keys(marks) as (keyof typeof marks)[];
const entropy = fc.uint8Array({ minLength: SECRET_ENTROPY_BYTES, maxLength: SECRET_ENTROPY_BYTES });
const zeros = new Uint8Array(SECRET_ENTROPY_BYTES);

describe('a secret', () => {
  it.each(kinds)('of the kind %s has its prefix and 256 bits', (kind) => {
    fc.assert(
      fc.property(entropy, (bytes) => {
        const secret = formatSecret(kind, bytes);
        expect(isSecret(kind, secret)).toBe(true);
        expect(secret.startsWith(marks[kind])).toBe(true);
        expect(Buffer.from(secret.slice(marks[kind].length), 'base64url')).toEqual(Buffer.from(bytes));
      }),
    );
    expect(SECRET_ENTROPY_BYTES * 8).toBe(256);
  });

  it('belongs to one kind only', () => {
    for (const kind of kinds) {
      const secret = formatSecret(kind, zeros);
      expect(kinds.filter((other) => isSecret(other, secret))).toEqual([kind]);
    }
  });

  it.each([31, 33, 0])('is not made of %d bytes', (length) => {
    expect(() => formatSecret('session', new Uint8Array(length))).toThrow(RangeError);
  });

  it.each([
    '',
    'svc_rt_',
    formatSecret('refreshToken', zeros) + 'A',
    formatSecret('refreshToken', zeros) + '\n',
  ])('is not %p', (text) => {
    expect(isSecret('refreshToken', text)).toBe(false);
  });

  it('is stored as its SHA-256, which nothing else matches', () => {
    const secret = formatSecret('clientSecret', zeros);
    const stored = secretHash(secret);
    expect(stored).toEqual(createHash('sha256').update(secret, 'utf8').digest());
    expect(isSecretOfHash(secret, stored)).toBe(true);
    expect(isSecretOfHash(`${secret} `, stored)).toBe(false);
    expect(isSecretOfHash('', stored)).toBe(false);
  });
});
