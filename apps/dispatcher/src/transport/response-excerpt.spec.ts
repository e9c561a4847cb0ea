import fc from 'fast-check';
import { excerptOf } from './response-excerpt';

describe('14: an excerpt', () => {
  it('is text that PostgreSQL stores, of 2 KiB at most, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (bytes) => {
        const text = excerptOf(bytes);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
        expect(text).not.toContain('\0');
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it.each([
    ['what it is', 'all "fine" <script>\n', 'all "fine" <script>\n'],
    ['a single line of a megabyte, cut', 'x'.repeat(1_000_000), 'x'.repeat(2_048)],
    ['no half character at its end', `${'x'.repeat(2_047)}é`, 'x'.repeat(2_047)],
    ['no NUL', 'a\0b', 'a\uFFFDb'],
  ])('says %s', (_, body, excerpt) => {
    expect(excerptOf(Buffer.from(body))).toBe(excerpt);
  });

  it('43: never shows a signature that the receiver echoes', () => {
    const mac = 'ab'.repeat(32);
    const echoed = excerptOf(Buffer.from(`{"svc-signature":"t=1,v1=${mac},v1=${mac.toUpperCase()}"}`));
    expect(echoed).toBe('{"svc-signature":"t=1,v1=…,v1=…"}');
  });
});
