import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { signatureHeader, verifySignature } from './signature';
import { formatSigningSecret, signingSecretLast4 } from './signing-secret';

const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(formatSigningSecret);
const anyTime = fc.integer({ min: 0, max: 4_102_444_800 });
const anyBody = fc.uint8Array({ maxLength: 200 });

const current = formatSigningSecret(new Uint8Array(32).fill(1));
const previous = formatSigningSecret(new Uint8Array(32).fill(2));
const T = 1_763_640_000;

describe('a signing secret', () => {
  it('is whsec_ and 64 hex characters, of which the last four are visible', () => {
    const secret = formatSigningSecret(Uint8Array.from({ length: 32 }, (_, at) => at));
    expect(secret).toBe('whsec_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
    expect(signingSecretLast4(secret)).toBe('1e1f');
  });

  it.each([0, 31, 33])('is not made of %i bytes', (length) => {
    expect(() => formatSigningSecret(new Uint8Array(length))).toThrow(RangeError);
  });
});

describe('Svc-Signature', () => {
  it('41: is t and the hex HMAC-SHA256 of t, a dot and the body, keyed with the whole secret as text', () => {
    const hex = createHmac('sha256', Buffer.from(current, 'utf8'))
      .update(`${String(T)}.{"é":1}`)
      .digest('hex');
    expect(signatureHeader([current], T, '{"é":1}')).toBe(`t=${String(T)},v1=${hex}`);
    expect(signatureHeader([current], T, Buffer.from('{"é":1}'))).toBe(`t=${String(T)},v1=${hex}`);
  });

  it('31: has a second v1 during a rotation, and never a third', () => {
    const header = signatureHeader([current, previous, 'whsec_older'], T, 'body');
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    for (const secret of [current, previous]) expect(verifySignature(header, secret, 'body', T)).toBe(true);
    expect(verifySignature(header, 'whsec_older', 'body', T)).toBe(false);
  });

  it('is never made without a secret, nor with a fractional time', () => {
    expect(() => signatureHeader([], T, 'body')).toThrow(RangeError);
    expect(() => signatureHeader([current], T + 0.5, 'body')).toThrow(RangeError);
  });

  it('verifies with each signing secret, for any body, 300 s before and after', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anySecret, { minLength: 1, maxLength: 2 }),
        anyTime,
        anyBody,
        fc.integer({ min: -300, max: 300 }),
        (secrets, t, body, skew) => {
          const header = signatureHeader(secrets, t, body);
          for (const secret of secrets) expect(verifySignature(header, secret, body, t + skew)).toBe(true);
        },
      ),
    );
  });

  it('verifies for no other secret, time or body', () => {
    fc.assert(
      fc.property(anySecret, anyTime, anyBody, fc.nat(), (secret, t, body, at) => {
        const header = signatureHeader([secret], t, body);
        const changed = Uint8Array.from([...body, 0]);
        changed[at % changed.length]! ^= 1;
        expect(verifySignature(header, secret, changed, t)).toBe(false);
        expect(verifySignature(header, `${secret}0`, body, t)).toBe(false);
        expect(verifySignature(header.replace(/^t=\d+/, `t=${String(t + 1)}`), secret, body, t)).toBe(false);
        expect(verifySignature(header, secret, body, t + 301)).toBe(false);
        expect(verifySignature(header, secret, body, t - 301)).toBe(false);
      }),
    );
  });

  it.each([
    '',
    't=',
    'v1=',
    `t=${String(T)}`,
    `t=${String(T)},v1=`,
    `t=${String(T)},v1=zz`,
    `t=NaN,v1=${'0'.repeat(64)}`,
    `t=-1,v1=${'0'.repeat(64)}`,
    `t=1e9,v1=${'0'.repeat(64)}`,
  ])('that is malformed is refused, not thrown over: %j', (header) => {
    expect(verifySignature(header, current, 'body', T)).toBe(false);
  });

  it('with two times, or none, is refused even with a valid MAC', () => {
    const header = signatureHeader([current], T, 'body');
    expect(verifySignature(`t=${String(T)},${header}`, current, 'body', T)).toBe(false);
    expect(verifySignature(header.replace(/^t=\d+,/, ''), current, 'body', T)).toBe(false);
  });

  it('may have schemes beside v1 that a receiver does not know', () => {
    const header = `${signatureHeader([current], T, 'body')},v2=abc`;
    expect(verifySignature(header, current, 'body', T)).toBe(true);
  });
});
