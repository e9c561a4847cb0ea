import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { isCodeChallenge, isCodeVerifier, verifyPkce } from './pkce';

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
const verifier = fc.string({ unit: fc.constantFrom(...UNRESERVED), minLength: 43, maxLength: 128 });
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');

describe('PKCE', () => {
  it('accepts the example of RFC 7636, appendix B', () => {
    const [given, challenge] = [
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    ];
    expect(verifyPkce(given, challenge)).toBe(true);
    // The challenge itself is not accepted as a verifier: that would be the method `plain`.
    expect(verifyPkce(challenge, challenge)).toBe(false);
  });

  it('accepts every verifier for its own challenge, and for no other', () => {
    fc.assert(
      fc.property(verifier, verifier, (one, other) => {
        expect(verifyPkce(one, challengeOf(one))).toBe(true);
        expect(verifyPkce(other, challengeOf(one))).toBe(one === other);
      }),
    );
  });

  it.each(['', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`, `${'a'.repeat(43)}\n`, 'é'.repeat(43)])(
    'refuses the verifier %p, even with its own challenge',
    (text) => {
      expect(isCodeVerifier(text)).toBe(false);
      expect(verifyPkce(text, challengeOf(text))).toBe(false);
    },
  );

  it.each([
    '',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(43)}=`,
    `${'a'.repeat(41)}+/`,
    `${'a'.repeat(43)}\n`,
  ])('takes no challenge like %p', (text) => {
    expect(isCodeChallenge(text)).toBe(false);
  });
});
