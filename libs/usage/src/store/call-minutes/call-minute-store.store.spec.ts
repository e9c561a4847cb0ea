import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { callMinute, histogramOf } from '../../testing';
import { CallMinuteStore, type CallMinute } from './call-minute-store';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const [WRITER, OTHER_WRITER] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
];

let test: TestDatabase;
let store: CallMinuteStore;
beforeAll(async () => {
  test = await openTestDatabase();
  store = new CallMinuteStore(test.database);
});
afterAll(() => test.close());

const minute = (organizationId: string, more: Partial<CallMinute> = {}): CallMinute =>
  callMinute({ writerId: WRITER!, organizationId, minuteMs: NOON, ...more });
const rowsOf = (organizationId: string) =>
  test.database.prisma.callMinute.findMany({ where: { organizationId }, orderBy: { writerId: 'asc' } });

describe('sums of calls by the minute', () => {
  it('are stored with the bounds of times that occur', async () => {
    const spentNanos = 9_007_199_254_740_991;
    const times = {
      durations: histogramOf({ 0: 2, 63: 4_000_000 }),
      timesToFirstToken: histogramOf({ 7: 1 }),
    };
    await store.write([minute('org_stored', { ...times, spentNanos, provider: null, projectId: 'prj_1' })]);
    expect(await rowsOf('org_stored')).toEqual([
      {
        organizationId: 'org_stored',
        minute: new Date(NOON),
        projectId: 'prj_1',
        apiKeyId: 'key_1',
        model: 'acme/small',
        provider: '',
        writerId: WRITER,
        calls: 1,
        failures: 0,
        cancelled: 0,
        tries: 1,
        inputTokens: 10n,
        cachedInputTokens: 2n,
        cacheWriteTokens: 3n,
        outputTokens: 5n,
        reasoningTokens: 1n,
        spentNanos: BigInt(spentNanos),
        providerNanos: 0n,
        durationBounds: [0, 63],
        durationCounts: [2, 4_000_000],
        ttftBounds: [7],
        ttftCounts: [1],
      },
    ]);
  });

  it('take the place of what the same edge wrote before, and of nothing else', async () => {
    await store.write([minute('org_again'), minute('org_again', { writerId: OTHER_WRITER!, calls: 7 })]);
    const grown = { calls: 3, tries: 3, spentNanos: 900, durations: histogramOf({ 22: 2, 30: 1 }) };
    await store.write([minute('org_again', grown)]);
    expect(await rowsOf('org_again')).toMatchObject([
      { calls: 3, spentNanos: 900n, durationBounds: [22, 30], durationCounts: [2, 1] },
      { calls: 7 },
    ]);
  });

  it('change nothing when they are sent again, and lower nothing when they come late', async () => {
    const [older, newer] = [minute('org_late'), minute('org_late', { calls: 2, tries: 4 })];
    await store.write([newer]);
    const version = () =>
      test.database.pool.query(`SELECT xmin::text FROM call_minutes WHERE organization_id = 'org_late'`);
    const before = (await version()).rows;
    await store.write([newer]);
    await store.write([older]);
    expect((await version()).rows).toEqual(before);
    await store.write([{ ...newer, tries: 5 }]);
    expect(await rowsOf('org_late')).toMatchObject([{ calls: 2, tries: 5 }]);
  });

  it('are stored whatever a provider reported', async () => {
    await store.write([
      minute('org_odd', { inputTokens: 1e22, outputTokens: 1e300 }),
      minute('org_odd', { apiKeyId: 'key_2' }),
    ]);
    expect(await rowsOf('org_odd')).toHaveLength(2);
  });
});
