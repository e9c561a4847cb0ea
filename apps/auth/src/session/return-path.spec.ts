import fc from 'fast-check';
import { safeReturnPath } from './return-path';

const BASE = 'https://svc.example';

describe('a return path', () => {
  it.each(['/', '/auth/oauth/authorize?client_id=a&state=b%2Fc#d', '/a//b', '/ä?q=//evil.example'])(
    'may be any on this origin (%s)',
    (path) => {
      expect(new URL(safeReturnPath(path)!, BASE).href).toBe(new URL(path, BASE).href);
    },
  );

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a\r\nset-cookie: a=b',
    '/\u0000/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '///evil.example',
    'https:evil.example',
    'https://evil.example',
    'http:/evil.example',
    'javascript:alert(1)',
    'evil.example',
    ' /a',
    '@evil.example',
    '.evil.example',
    '',
    undefined,
    null,
    ['/a', '/b'],
    { path: '/a' },
  ])('is never %p', (asked) => {
    expect(safeReturnPath(asked)).toBeNull();
  });

  it('leads nowhere else, whatever is asked for', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%5c',
      'evil.example',
      ':',
      '@',
      '?',
      '#',
      '\t',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = safeReturnPath(pieces.join(''));
        if (path !== null) expect(new URL(path, BASE).origin).toBe(BASE);
      }),
      { numRuns: 2_000 },
    );
  });
});
