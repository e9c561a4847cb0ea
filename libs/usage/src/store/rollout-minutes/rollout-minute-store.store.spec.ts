import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { callMinute } from '../../testing';
import { RolloutMinuteStore, type RolloutMinute } from './rollout-minute-store';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

let test: TestDatabase;
let store: RolloutMinuteStore;
beforeAll(async () => {
  test = await openTestDatabase();
  store = new RolloutMinuteStore(test.database);
});
afterAll(() => test.close());

const minute = (rolloutId: string, more: Partial<RolloutMinute> = {}): RolloutMinute => ({
  ...callMinute({ minuteMs: NOON }),
  ...{ rolloutId, arm: 'treatment', providerNanos: 7 },
  ...more,
});
const rowsOf = (rolloutId: string) =>
  test.database.prisma.rolloutMinute.findMany({ where: { rolloutId }, orderBy: { arm: 'asc' } });

describe('sums of the calls of rollouts by the minute', () => {
  it('are stored by arm, with the bounds of times that occur', async () => {
    await store.write([minute('rol_1'), minute('rol_1', { arm: 'control', spentNanos: 1e300 })]);
    expect(await rowsOf('rol_1')).toMatchObject([
      { arm: 'control', customerNanos: BigInt(Number.MAX_SAFE_INTEGER) },
      {
        ...{ arm: 'treatment', minute: new Date(NOON), calls: 1, outputTokens: 5n, customerNanos: 570n },
        ...{ providerNanos: 7n, durationBounds: [22], durationCounts: [1], ttftBounds: [] },
      },
    ]);
  });

  it('change nothing when they are sent again, and lower nothing when they come late', async () => {
    const [older, newer] = [minute('rol_2'), minute('rol_2', { calls: 3, failures: 2 })];
    for (const sent of [newer, newer, older]) await store.write([sent]);
    expect(await rowsOf('rol_2')).toMatchObject([{ calls: 3, failures: 2 }]);
  });
});
