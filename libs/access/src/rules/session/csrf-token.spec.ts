import { formatSecret } from '../secrets/secret';
import { csrfTokenFor, isCsrfTokenOf } from './csrf-token';

const mine = formatSecret('session', new Uint8Array(32).fill(1));
const others = formatSecret('session', new Uint8Array(32).fill(2));

describe('a CSRF token', () => {
  it('belongs to its session and is always the same', () => {
    expect(isCsrfTokenOf(mine, csrfTokenFor(mine))).toBe(true);
    expect(csrfTokenFor(mine)).toBe(csrfTokenFor(mine));
  });

  it.each([csrfTokenFor(others), '', `${csrfTokenFor(mine)} `, mine, 'é'.repeat(43)])('is not %p', (text) => {
    expect(isCsrfTokenOf(mine, text)).toBe(false);
  });

  it('reveals nothing of the secret', () => {
    expect(csrfTokenFor(mine)).not.toContain(mine.slice(7, 20));
    expect(csrfTokenFor(mine)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
