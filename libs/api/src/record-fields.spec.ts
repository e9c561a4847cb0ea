import { z } from 'zod';
import { presenter, recordFields } from './record-fields';

const answer = z.object({
  id: z.string(),
  first_used_at: z.string(),
  expires_at: z.string().nullable(),
  p95_ms: z.int(),
  total: z.int(),
});

interface Usage {
  readonly id: string;
  readonly firstUsedAt: Date;
  readonly expiresAt: Date | null;
  readonly p95Ms: number;
  readonly secret: string;
}

describe('a presenter', () => {
  const used: Usage = { id: 'a', firstUsedAt: new Date(0), expiresAt: null, p95Ms: 7, secret: 'hidden' };
  const present = presenter<typeof answer, Usage>(answer, { total: ({ p95Ms }) => p95Ms * 2 });

  it('shows the fields of the answer alone, in its order, with times as ISO text', () => {
    expect(JSON.stringify(present(used))).toBe(
      '{"id":"a","first_used_at":"1970-01-01T00:00:00.000Z","expires_at":null,"p95_ms":7,"total":14}',
    );
  });

  it('shows lists that cannot be changed, and what is computed in place of a field', () => {
    const listed = z.object({ id: z.string(), scopes: z.array(z.string()) });
    const record: { readonly id: string; readonly scopes: readonly string[] } = { id: 'a', scopes: ['b'] };
    expect(presenter<typeof listed, typeof record>(listed, {})(record)).toEqual(record);
    const shouted = presenter<typeof listed, typeof record>(listed, { id: ({ id }) => id.toUpperCase() });
    expect(shouted(record)).toEqual({ id: 'A', scopes: ['b'] });
  });

  it('does not compile without what a record does not have', () => {
    // @ts-expect-error Usage has no total.
    presenter<typeof answer, Usage>(answer, {});
  });

  it('does not compile without what a record has in another form', () => {
    const counted = z.object({ id: z.int() });
    // @ts-expect-error The id of usage is a text.
    presenter<typeof counted, Usage>(counted, {});
  });
});

describe('the fields of a body', () => {
  it('get the names that records have, and null stays', () => {
    expect(recordFields({ rate_limit_rpm: 5, expires_at: null, name: 'A' })).toEqual({
      rateLimitRpm: 5,
      expiresAt: null,
      name: 'A',
    });
  });

  it('are left out where they are undefined', () => {
    expect(Object.keys(recordFields({ rate_limit_rpm: undefined, name: 'A' }))).toEqual(['name']);
  });
});
