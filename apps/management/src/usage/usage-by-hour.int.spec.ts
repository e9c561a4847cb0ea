import { percentileOf, TIME_BOUNDS, timeBound } from '@svc/usage';
import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const [KEY_1, KEY_2] = [systemIds('apiKey'), systemIds('apiKey')];

interface MinuteOfSpec {
  /** The end of `2026-11-20T…`. */
  readonly at?: string;
  readonly day?: string;
  readonly projectId?: string;
  readonly apiKeyId?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly calls?: number;
  readonly nanos?: number;
  /** Milliseconds of calls. */
  readonly took?: readonly number[];
}

/** With the stored form of a histogram. */
function histogram(times: readonly number[]) {
  const bounds = [...new Set(times.map(timeBound))].sort((a, b) => a - b);
  return { bounds, counts: bounds.map((bound) => times.filter((ms) => timeBound(ms) === bound).length) };
}
function percentilesOf(times: readonly number[]) {
  const counts = new Array<number>(TIME_BOUNDS).fill(0);
  for (const ms of times) counts[timeBound(ms)]!++;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileOf(counts, share));
  return { p50, p95, p99 };
}

let management: ManagementUnderTest;
beforeAll(async () => {
  management = await startManagement({ clock: { now: () => NOW } });
});
afterAll(() => management.close());

async function called(organization: Organization, minutes: readonly MinuteOfSpec[]): Promise<void> {
  await management.database.prisma.callMinute.createMany({
    data: minutes.map(({ at = '09:00', day = '2026-11-20', calls = 1, nanos = 10, took = [], ...rest }) => {
      const { bounds, counts } = histogram(took);
      return {
        organizationId: organization.id,
        minute: new Date(`${day}T${at}:00.000Z`),
        projectId: rest.projectId ?? '',
        apiKeyId: rest.apiKeyId ?? KEY_1,
        model: rest.model ?? 'acme/small',
        provider: rest.provider ?? 'acme',
        writerId: '00000000-0000-4000-8000-000000000001',
        calls,
        failures: calls > 2 ? 2 : 0,
        cancelled: calls > 2 ? 1 : 0,
        tries: 7,
        inputTokens: calls * 100,
        cachedInputTokens: calls * 20,
        cacheWriteTokens: calls * 3,
        outputTokens: calls * 50,
        reasoningTokens: calls * 5,
        spentNanos: nanos,
        durationBounds: bounds,
        durationCounts: counts,
        ttftBounds: bounds.slice(0, 1),
        ttftCounts: counts.slice(0, 1),
      };
    }),
  });
}
async function dayOf(organization: Organization, day: string, more: object = {}): Promise<void> {
  const counts = { requestCount: 4, failedCount: 2, cancelledCount: 1, inputTokens: 1, customerNanos: 1 };
  const none = { cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const key = { projectId: '', apiKeyId: KEY_1, model: 'acme/small', provider: 'acme', tag: '' };
  await management.database.prisma.usageDay.create({
    data: { organizationId: organization.id, day: new Date(day), ...key, ...counts, ...none, ...more },
  });
}
async function world() {
  const organization = await management.newOrganization();
  const key = await management.withKey(organization);
  const usage = async (query: string) => {
    const { status, body } = await key.get(`/api/v1/usage?${query}`);
    expect({ query, status, body }).toMatchObject({ query, status: 200 });
    return body;
  };
  return { organization, key, usage };
}

describe('usage by the hour', () => {
  it('is that of the last 24 hours, this one included, the newest first', async () => {
    const { organization, usage } = await world();
    await called(organization, [
      { day: '2026-11-19', at: '09:59' },
      { day: '2026-11-19', at: '10:00' },
      { at: '09:00', calls: 3, nanos: 30 },
      { at: '09:29', calls: 1 },
    ]);
    const body = await usage('group_by=hour');
    expect(body).toMatchObject({ start: '2026-11-19T10:00:00.000Z', end: '2026-11-20T10:00:00.000Z' });
    expect(body.data).toEqual([
      {
        hour: '2026-11-20T09:00:00.000Z',
        requests: 4,
        failed: 2,
        cancelled: 1,
        input_tokens: 400,
        cached_input_tokens: 80,
        cache_write_tokens: 12,
        output_tokens: 200,
        reasoning_tokens: 20,
        customer_nanos: 40,
        provider_nanos: 0,
      },
      expect.objectContaining({ hour: '2026-11-19T10:00:00.000Z', requests: 1 }),
    ]);
    expect(body.total).toMatchObject({ requests: 5, failed: 2, cancelled: 1 });
  });

  it('goes back 31 days, and is grouped and narrowed as days are', async () => {
    const { organization, usage } = await world();
    const { projectId } = organization;
    await called(organization, [
      { day: '2026-10-21', at: '00:00', nanos: 1 },
      { day: '2026-10-21', at: '00:01', nanos: 5, projectId, apiKeyId: KEY_2, model: 'acme/large' },
      { day: '2026-10-21', at: '00:01', nanos: 9, provider: '' },
    ]);
    const range = 'start=2026-10-21&end=2026-11-20T00:30:00Z';
    expect((await usage(`${range}&group_by=hour,model,provider`)).data).toMatchObject([
      { hour: '2026-10-21T00:00:00.000Z', model: 'acme/small', provider: null, customer_nanos: 9 },
      { hour: '2026-10-21T00:00:00.000Z', model: 'acme/large', provider: 'acme', customer_nanos: 5 },
      { hour: '2026-10-21T00:00:00.000Z', model: 'acme/small', provider: 'acme', customer_nanos: 1 },
    ]);
    for (const [filter, nanos] of [
      [`project_id=${projectId}`, 5],
      [`api_key_id=${KEY_2}&model=acme/large&provider=acme`, 5],
      [`api_key_id=${KEY_2}&model=acme/small`, 0],
      ['provider=acme', 6],
    ] as const) {
      expect((await usage(`${range}&group_by=hour&${filter}`)).total.customer_nanos).toBe(nanos);
    }
  });

  it('has no row for a provider that was asked only', async () => {
    const { organization, usage } = await world();
    await called(organization, [{ calls: 0, provider: 'tried', nanos: 0 }, {}]);
    expect((await usage('group_by=hour,provider')).data).toMatchObject([{ provider: 'acme' }]);
  });

  it('of others is not seen, and of other projects not by a project’s key', async () => {
    const { organization } = await world();
    const { projectId } = organization;
    await called(organization, [{ projectId }, { nanos: 7 }]);
    const own = await management.withKey(organization, ['usage:read'], projectId);
    const path = '/api/v1/usage?group_by=hour&include=latency';
    expect((await own.get(path)).body.total).toMatchObject({ requests: 1 });
    expect((await own.get(`${path}&project_id=${systemIds('project')}`)).body).toMatchObject({
      data: [],
      total: { requests: 0, duration_ms: null, ttft_ms: null },
    });
    const stranger = await management.withKey(await management.newOrganization());
    expect((await stranger.get(path)).body.total.requests).toBe(0);
  });
});

describe('the most expensive groups', () => {
  it('are named over the whole range, and all others are one row, the last of its time', async () => {
    const { organization, usage } = await world();
    await called(organization, [
      { at: '08:00', model: 'a', nanos: 50 },
      { at: '08:00', model: 'b', nanos: 1 },
      { at: '08:00', model: 'c', nanos: 30 },
      { at: '08:00', model: 'd', nanos: 31 },
      { at: '09:00', model: 'b', nanos: 60 },
      { at: '09:00', model: 'd', nanos: 1 },
    ]);
    const { data, total } = await usage('group_by=hour,model&top=2');
    const [eight, nine] = ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'];
    const brief = data.map(({ hour, model, other, customer_nanos }: Record<string, unknown>) => [
      hour,
      model ?? other,
      customer_nanos,
    ]);
    expect(brief).toEqual([
      [nine, 'b', 60],
      [nine, true, 1],
      [eight, 'a', 50],
      [eight, 'b', 1],
      [eight, true, 61],
    ]);
    expect(data.at(-1)).not.toHaveProperty('model');
    expect(total.customer_nanos).toBe(173);
    expect((await usage('group_by=hour,model&top=4')).data).not.toContainEqual(
      expect.objectContaining({ other: true }),
    );
  });

  it('are named of days too, by several fields, whichever of them are null', async () => {
    const { organization, usage } = await world();
    const { projectId } = organization;
    await dayOf(organization, '2026-11-01', { customerNanos: 50 });
    await dayOf(organization, '2026-11-02', { customerNanos: 40, projectId, tag: 'search' });
    await dayOf(organization, '2026-11-02', { customerNanos: 3, provider: '' });
    await dayOf(organization, '2026-11-03', { customerNanos: 2, projectId, provider: '' });
    expect((await usage('group_by=project,provider&top=2')).data).toMatchObject([
      { project_id: null, provider: 'acme', customer_nanos: 50 },
      { project_id: projectId, provider: 'acme', customer_nanos: 40 },
      { other: true, customer_nanos: 5, requests: 8, failed: 4 },
    ]);
    expect((await usage('group_by=day,tag&top=1')).data).toMatchObject([
      { day: '2026-11-03', tag: null },
      { day: '2026-11-02', tag: null, customer_nanos: 3 },
      { day: '2026-11-02', other: true, customer_nanos: 40 },
      { day: '2026-11-01', tag: null },
    ]);
  });
});

describe('latency', () => {
  const slow = [100, 200, 300, 400, 9_000];
  const fast = [10, 20];

  it('is that of each group and of all, and only where it is asked for', async () => {
    const { organization, usage } = await world();
    await called(organization, [
      { at: '09:00', took: slow },
      { at: '09:01', took: fast },
      { at: '08:00', took: fast, model: 'acme/large' },
    ]);
    const { data, total } = await usage('group_by=hour,model&include=latency');
    expect(data).toMatchObject([
      {
        model: 'acme/small',
        duration_ms: percentilesOf([...slow, ...fast]),
        ttft_ms: percentilesOf([100, 10]),
      },
      { model: 'acme/large', duration_ms: percentilesOf(fast) },
    ]);
    expect(total.duration_ms).toEqual(percentilesOf([...slow, ...fast, ...fast]));
    expect((await usage('group_by=hour')).data[0]).not.toHaveProperty('duration_ms');
  });

  it('is that of the group of all others, too', async () => {
    const { organization, usage } = await world();
    await called(organization, [
      { model: 'a', nanos: 90, took: [5_000] },
      { model: 'b', took: slow },
      { model: 'c', took: fast },
    ]);
    expect((await usage('group_by=hour,model&top=1&include=latency')).data).toMatchObject([
      { model: 'a', duration_ms: percentilesOf([5_000]) },
      { other: true, duration_ms: percentilesOf([...slow, ...fast]) },
    ]);
  });

  it('is that of a whole range, however long', async () => {
    const { organization, usage } = await world();
    const days = ['2026-10-21', '2026-10-25', '2026-11-01', '2026-11-20'];
    await called(
      organization,
      slow.map((ms, at) => ({ day: days[at % 4]!, at: `0${String(at)}:00`, took: [ms, ...fast] })),
    );
    await dayOf(organization, '2026-11-01');
    const { data, total } = await usage('start=2026-10-21&group_by=model&include=latency');
    const times = [...slow, ...slow.flatMap(() => fast)];
    expect([data[0].duration_ms, total.duration_ms]).toEqual([percentilesOf(times), percentilesOf(times)]);
  });

  it('stands beside the exact sums of days, by the day on which calls ended', async () => {
    const { organization, usage } = await world();
    await dayOf(organization, '2026-11-19');
    await dayOf(organization, '2026-11-18', { provider: '' });
    await called(organization, [{ day: '2026-11-19', at: '23:59', took: slow }]);
    expect(await usage('group_by=day,provider&include=latency')).toMatchObject({
      data: [
        { day: '2026-11-19', requests: 4, failed: 2, cancelled: 1, duration_ms: percentilesOf(slow) },
        { day: '2026-11-18', provider: null, requests: 4, duration_ms: null, ttft_ms: null },
      ],
      total: { requests: 8, duration_ms: percentilesOf(slow) },
    });
  });
});

describe('a question that usage does not answer', () => {
  it.each([
    ['group_by=hour,day', 'group_by'],
    ['group_by=hour,tag', 'group_by'],
    ['group_by=hour&tag=search', 'tag'],
    ['group_by=hour&start=2026-10-01', 'start'],
    ['include=latency&start=2026-10-01', 'start'],
    ['include=latency&group_by=tag', 'group_by'],
    ['include=prompts', 'include'],
    ['group_by=model&top=0', 'top'],
    ['group_by=model&top=51', 'top'],
    ['group_by=model&top=few', 'top'],
    ['group_by=hour&top=5', 'top'],
    ['top=5', 'top'],
  ])('%s is refused, naming the parameter', async (query, param) => {
    const { key } = await world();
    expect(await key.get(`/api/v1/usage?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });
});
