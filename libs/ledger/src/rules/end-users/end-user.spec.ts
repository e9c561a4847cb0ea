import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { endUserId, isEndUserId, isKeptName } from './end-user';

const pepper = Uint8Array.from({ length: 32 }, (_, at) => at);

it('an end user has the first 130 bits of the HMAC as an id, the same each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (name) => {
      const digest = createHmac('sha256', pepper).update(name, 'utf8').digest('hex');
      const bits = BigInt(`0x${digest}`) >> 126n;
      const letters = Array.from({ length: 26 }, (_, at) => Number((bits >> BigInt(5 * (25 - at))) & 31n));
      const expected = letters.map((letter) => '0123456789abcdefghjkmnpqrstvwxyz'[letter]).join('');
      expect(endUserId(pepper, name)).toBe(`eu_${expected}`);
      expect(isEndUserId(endUserId(pepper, name))).toBe(true);
    }),
  );
});

it('end users differ by their name, however long, and by their organization', () => {
  const long = 'x'.repeat(100_000);
  const ids = ['ana', 'Ana', 'ana ', long, `${long}x`].map((name) => endUserId(pepper, name));
  expect(new Set([...ids, endUserId(new Uint8Array(32), 'ana')]).size).toBe(6);
});

it('a name is kept where it is one line of at most 256 characters', () => {
  expect(['ana@example.com', 'Ana María', 'x'.repeat(256)].filter(isKeptName)).toHaveLength(3);
  expect(['a\nb', 'a\u0000', 'a\u2028b', '\ud800', 'x'.repeat(257)].filter(isKeptName)).toEqual([]);
});
