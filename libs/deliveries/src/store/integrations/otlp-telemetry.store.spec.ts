import { type CallMinute, CallMinuteStore, minuteSums } from '@svc/usage/store';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { TIME_BOUNDS } from '@svc/usage';
import { callMinute, histogramOf } from '@svc/usage/testing';
import { systemIds } from '@svc/runtime';
import { OtlpMetricCursors } from './otlp-metric-cursors';
import { tracedOrganizations } from './traced-organizations';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

const addOrganization = async () => {
  const id = systemIds('organization');
  await test.database.prisma.organization.create({ data: { id, name: 'Acme' } });
  return id;
};
const addIntegration = async (change: object = {}, signals: readonly string[] = ['traces', 'metrics']) => {
  const data = {
    id: systemIds('integration'),
    organizationId: await addOrganization(),
    kind: 'otlp',
    name: 'Collector',
    config: { url: 'https://otlp.example.com', headers: {}, signals, encoding: 'json' },
    eventTypes: [],
    ...change,
  };
  await test.database.prisma.integration.create({ data });
  return data;
};

it('calls are told of organizations with an active integration for traces only', async () => {
  const traced = [await addIntegration(), await addIntegration({ state: 'failing' }, ['traces'])];
  await addIntegration({}, ['metrics']);
  await addIntegration({ enabled: false, state: 'paused' });
  await addIntegration({ deletedAt: new Date() });
  await addIntegration({ kind: 'slack' });
  const found = await tracedOrganizations(test.database);
  expect([...found].sort()).toEqual(traced.map(({ organizationId }) => organizationId).sort());
});

describe('minutes for metrics', () => {
  let cursors: OtlpMetricCursors;
  beforeEach(async () => {
    await test.database.prisma.otlpMetricCursor.deleteMany();
    await test.database.prisma.integration.deleteMany();
    cursors = new OtlpMetricCursors(test.database);
  });
  /** As if the cursor had stood there since before this minute. */
  const moveBack = (minutes: number) =>
    test.database.pool.query(
      `UPDATE otlp_metric_cursors SET next_minute = next_minute - $1 * interval '1 min'`,
      [minutes],
    );
  const startOfMinute = async () => {
    const { rows } = await test.database.pool.query<{ at: Date }>(`SELECT date_trunc('minute', now()) AS at`);
    return rows[0]!.at.getTime();
  };

  it('begin with the one in which the integration was first seen, and are due once edges have written them', async () => {
    const { id, organizationId } = await addIntegration();
    expect(await cursors.claim(10)).toEqual([]);
    const [cursor] = await test.database.prisma.otlpMetricCursor.findMany();
    await moveBack(2);
    expect(await cursors.claim(10)).toEqual([
      { integrationId: id, organizationId, minuteMs: cursor!.nextMinute.getTime() - 120_000 },
    ]);
  });

  it('are each claimed by one dispatcher', async () => {
    for (let n = 0; n < 20; n++) await addIntegration();
    await cursors.claim(1);
    await moveBack(2);
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => cursors.claim(5)))).flat();
    for (let more = 1; more > 0;) {
      const rest = await cursors.claim(5);
      more = rest.length;
      claimed.push(...rest);
    }
    const keys = claimed.map(({ integrationId, minuteMs }) => `${integrationId} ${String(minuteMs)}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(claimed.map(({ integrationId }) => integrationId)).size).toBe(20);
  });

  it('of before the last ten are passed over', async () => {
    await addIntegration();
    await cursors.claim(1);
    await moveBack(500);
    const now = await startOfMinute();
    const [claimed] = await cursors.claim(1);
    expect(now - claimed!.minuteMs).toBeLessThanOrEqual(11 * 60_000);
  });

  it('are not claimed for an integration without metrics, or one that is paused', async () => {
    await addIntegration({}, ['traces']);
    const { id } = await addIntegration();
    await cursors.claim(1);
    await moveBack(2);
    await test.database.prisma.integration.update({ where: { id }, data: { enabled: false } });
    expect(await cursors.claim(10)).toEqual([]);
  });
});

describe('the sums of a minute', () => {
  const NOON = Date.parse('2026-11-20T12:00:00Z');
  const minute = (writer: number, more: Partial<CallMinute> = {}): CallMinute =>
    callMinute({
      writerId: `00000000-0000-4000-8000-00000000000${String(writer)}`,
      ...{ minuteMs: NOON, calls: 2, failures: 1, tries: 2 },
      ...more,
    });

  it('add up what all edges wrote of the organization, by project, key, model and provider', async () => {
    await new CallMinuteStore(test.database).write([
      minute(1),
      minute(2, { durations: histogramOf({ 22: 1, 63: 4 }) }),
      minute(1, { provider: null, projectId: 'proj_1' }),
      minute(1, { organizationId: 'org_2' }),
      minute(1, { minuteMs: NOON + 60_000 }),
      minute(1, { provider: 'asked', calls: 0 }),
    ]);
    const sums = await minuteSums(test.database, 'org_1', NOON, 100);
    expect(sums).toHaveLength(2);
    const served = sums.find(({ provider }) => provider === 'acme')!;
    expect(served).toMatchObject({
      organizationId: 'org_1',
      projectId: null,
      apiKeyId: 'key_1',
      model: 'acme/small',
      calls: 4,
      failures: 2,
      inputTokens: 30,
      outputTokens: 10,
      spentNanos: 1_140,
    });
    expect(served.durations.counts).toHaveLength(TIME_BOUNDS);
    expect(served.durations.boundsMs).toHaveLength(TIME_BOUNDS - 1);
    expect([served.durations.counts[22], served.durations.counts[63]]).toEqual([2, 4]);
    expect(sums.find(({ provider }) => provider === null)).toMatchObject({ projectId: 'proj_1', calls: 2 });
  });
});
