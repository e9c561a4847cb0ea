import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import fc from 'fast-check';
import { percentileOf, TIME_BOUNDS } from '../../rules/histogram';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

interface Counted {
  readonly bound: number;
  readonly count: number;
}

async function inSql(counted: readonly Counted[], share: number): Promise<number | null> {
  const { rows } = await test.database.pool.query<{ ms: number | null }>(
    'SELECT histogram_percentile($1, $2, $3) AS ms',
    [counted.map(({ bound }) => bound), counted.map(({ count }) => count), share],
  );
  return rows[0]!.ms;
}

function inTypeScript(counted: readonly Counted[], share: number): number | null {
  const counts = new Array<number>(TIME_BOUNDS).fill(0);
  for (const { bound, count } of counted) counts[bound]! += count;
  return percentileOf(counts, share);
}

const bounds = fc.integer({ min: 0, max: TIME_BOUNDS - 1 });
const counts = fc.oneof(fc.nat(20), fc.nat(2_000_000_000));
const shares = fc.constantFrom(0, 0.01, 0.5, 0.95, 0.99, 1);

describe('a percentile in SQL', () => {
  it('is that of the model, whichever bounds come how often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ bound: bounds, count: counts })), shares, async (some, share) => {
        expect(await inSql(some, share)).toBe(inTypeScript(some, share));
      }),
    );
  });

  it('shows each bound as the model does', async () => {
    for (let bound = 0; bound < TIME_BOUNDS; bound++) {
      const one = [{ bound, count: 1 }];
      expect(await inSql(one, 0.5)).toBe(inTypeScript(one, 0.5));
    }
  });

  it('is null without times', async () => {
    expect(await inSql([], 0.5)).toBeNull();
    expect(await inSql([{ bound: 7, count: 0 }], 0.5)).toBeNull();
  });
});
