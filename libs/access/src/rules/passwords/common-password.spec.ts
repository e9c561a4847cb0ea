import fc from 'fast-check';
import { isCommonPassword } from './common-password';
import { commonWords, longCommonPasswords } from './common-passwords';

describe('a common password', () => {
  it.each([
    'aaaaaaaaaaaa',
    '            ',
    '👍'.repeat(12),
    'abababababab',
    '123123123123',
    'abcdabcdabcd',
    '123456789012',
    '098765432109',
    'abcdefghijkl',
    'qwertyuiopas',
    'lkjhgfdsapoi',
    'QWERTYUIOP[]',
    'Password1234',
    'password!!!!',
    '1234password',
    'P@ssw0rd2024',
    'P4$$w0rd1234',
    'passwordpassword',
    'Football2024!',
    'iloveyou1234',
    '1qaz2wsx3edc',
    'ｐａｓｓｗｏｒｄ１２３４',
  ])('is %j', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    'correct horse battery staple',
    'three quiet hedgehogs',
    'a lot of football in 2024',
    'xkW7-fdq9-Lm2p',
    'ein längerer Satz',
    'Tr0ub4dor&3xyz-quay',
  ])('is not %j', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  it('is each of the list, in any case, and each common word with digits after it', () => {
    for (const password of longCommonPasswords) expect(isCommonPassword(password.toUpperCase())).toBe(true);
    for (const word of commonWords) expect([word, isCommonPassword(`${word}20241231`)]).toEqual([word, true]);
  });

  it('is a few characters again and again, whichever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 }), (unit) => {
        expect(isCommonPassword(unit.repeat(12))).toBe(true);
      }),
    );
  });

  it('is none that chance makes', () => {
    const random = fc.stringMatching(/^[a-z]{5}[0-9][a-z]{5}[0-9][a-z]{4}$/);
    fc.assert(fc.property(random, (password) => isCommonPassword(password) === repeats(password)));
  });
});

const repeats = (text: string): boolean => (text + text).indexOf(text, 1) <= 4;
