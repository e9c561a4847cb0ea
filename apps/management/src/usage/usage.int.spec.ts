import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { InferenceCalls } from '../testing/inference-calls';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');

const KEY_1 = systemIds('apiKey');
const KEY_2 = systemIds('apiKey');

interface DayOfSpec {
  readonly day: string;
  readonly projectId?: string;
  readonly apiKeyId?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly tag?: string;
  readonly requests?: number;
  readonly nanos?: number;
  readonly providerNanos?: number;
}

describe('usage', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement({ clock: { now: () => NOW } });
  });
  afterAll(() => management.close());

  async function used(organization: Organization, days: readonly DayOfSpec[]): Promise<void> {
    await management.database.prisma.usageDay.createMany({
      data: days.map(({ day, requests = 1, nanos: customerNanos = 10, providerNanos = 0, ...rest }) => ({
        organizationId: organization.id,
        day: new Date(day),
        projectId: rest.projectId ?? '',
        apiKeyId: rest.apiKeyId ?? KEY_1,
        model: rest.model ?? 'acme/small',
        provider: rest.provider ?? 'acme',
        tag: rest.tag ?? '',
        requestCount: requests,
        inputTokens: requests * 100,
        cachedInputTokens: requests * 20,
        cacheWriteTokens: requests * 3,
        outputTokens: requests * 50,
        reasoningTokens: requests * 5,
        customerNanos,
        providerNanos,
      })),
    });
  }

  it('is that of the last 30 days by the day, today included, when nothing is asked', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await used(organization, [
      { day: '2026-10-21' },
      { day: '2026-10-22', nanos: 7 },
      { day: '2026-11-20', requests: 2, nanos: 30 },
      { day: '2026-11-20', model: 'acme/large', nanos: 5 },
    ]);

    const { status, body } = await key.get('/api/v1/usage');

    const counts = (requests: number, customerNanos: number) => ({
      requests,
      failed: 0,
      cancelled: 0,
      input_tokens: requests * 100,
      cached_input_tokens: requests * 20,
      cache_write_tokens: requests * 3,
      output_tokens: requests * 50,
      reasoning_tokens: requests * 5,
      customer_nanos: customerNanos,
      provider_nanos: 0,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      start: '2026-10-22',
      end: '2026-11-21',
      data: [
        { day: '2026-11-20', ...counts(3, 35) },
        { day: '2026-10-22', ...counts(1, 7) },
      ],
      total: counts(4, 42),
    });
    expect((await key.get(`/api/v1/organizations/${organization.id}/usage`)).body).toEqual(body);
  });

  it('is nothing, in an answer of the same form, where there was none', async () => {
    const key = await management.withKey(await management.newOrganization());

    expect((await key.get('/api/v1/usage?group_by=day,model')).body).toMatchObject({
      data: [],
      total: { requests: 0, input_tokens: 0, output_tokens: 0, customer_nanos: 0 },
    });
  });

  it('says beside the wallet what own accounts paid, and orders by both', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await used(organization, [
      { day: '2026-11-20', nanos: 7 },
      { day: '2026-11-20', model: 'acme/large', nanos: 0, providerNanos: 8 },
    ]);
    const { body } = await key.get('/api/v1/usage?group_by=model');
    expect(body.data).toMatchObject([
      { model: 'acme/large', customer_nanos: 0, provider_nanos: 8 },
      { model: 'acme/small', customer_nanos: 7, provider_nanos: 0 },
    ]);
    expect(body.total).toMatchObject({ customer_nanos: 7, provider_nanos: 8 });
  });

  it('is that of a range, whose start is part of it and whose end is not', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await used(
      organization,
      ['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'].map((day) => ({ day })),
    );

    const { body } = await key.get('/api/v1/usage?start=2026-02-01&end=2026-03-01');
    expect(body.data.map(({ day }: { day: string }) => day)).toEqual(['2026-02-28', '2026-02-01']);
    expect(body).toMatchObject({ start: '2026-02-01', end: '2026-03-01', total: { requests: 2 } });
    const touched = await key.get('/api/v1/usage?start=2026-01-31T23:00:00Z&end=2026-02-28T00:00:00.001Z');
    expect(touched.body).toMatchObject({ start: '2026-01-31', end: '2026-03-01', total: { requests: 3 } });
  });

  it('is grouped by everything it can be, alone and together, the most expensive first', async () => {
    const organization = await management.newOrganization();
    const { projectId } = organization;
    const key = await management.withKey(organization);
    const dear = { day: '2026-11-01', projectId, apiKeyId: KEY_2, model: 'acme/large', provider: '' };
    await used(organization, [
      { day: '2026-11-02', nanos: 1 },
      { ...dear, nanos: 100 },
      { ...dear, day: '2026-11-02', nanos: 100 },
    ]);

    const groupsBy = async (groupBy: string) => {
      const { body } = await key.get(`/api/v1/usage?group_by=${groupBy}`);
      return body.data.map((row: object) =>
        Object.fromEntries(
          Object.entries(row).filter(
            ([name]) =>
              !['requests', 'failed', 'cancelled', 'provider_nanos'].includes(name) &&
              !name.endsWith('_tokens'),
          ),
        ),
      );
    };
    expect(await groupsBy('model')).toEqual([
      { model: 'acme/large', customer_nanos: 200 },
      { model: 'acme/small', customer_nanos: 1 },
    ]);
    expect(await groupsBy('project')).toEqual([
      { project_id: projectId, customer_nanos: 200 },
      { project_id: null, customer_nanos: 1 },
    ]);
    expect(await groupsBy('api_key')).toEqual([
      { api_key_id: KEY_2, customer_nanos: 200 },
      { api_key_id: KEY_1, customer_nanos: 1 },
    ]);
    expect(await groupsBy('provider')).toEqual([
      { provider: null, customer_nanos: 200 },
      { provider: 'acme', customer_nanos: 1 },
    ]);
    const group = { project_id: projectId, api_key_id: KEY_2, model: 'acme/large', provider: null };
    expect(await groupsBy('day,model,project,api_key,provider')).toEqual([
      { day: '2026-11-02', ...group, customer_nanos: 100 },
      {
        day: '2026-11-02',
        project_id: null,
        api_key_id: KEY_1,
        model: 'acme/small',
        provider: 'acme',
        customer_nanos: 1,
      },
      { day: '2026-11-01', ...group, customer_nanos: 100 },
    ]);
  });

  it('is grouped by its tag, and narrowed to one, with the same sums as without', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await used(organization, [
      { day: '2026-11-01', nanos: 1 },
      { day: '2026-11-01', tag: 'search', nanos: 5 },
      { day: '2026-11-02', tag: 'search', nanos: 7 },
      { day: '2026-11-02', tag: 'ads', model: 'acme/large', nanos: 3 },
    ]);

    const rowsOf = async (query: string) => (await key.get(`/api/v1/usage?${query}`)).body.data;
    expect(await rowsOf('group_by=tag')).toMatchObject([
      { tag: 'search', customer_nanos: 12 },
      { tag: 'ads', customer_nanos: 3 },
      { tag: null, customer_nanos: 1 },
    ]);
    expect(await rowsOf('group_by=day,tag&tag=search')).toMatchObject([
      { day: '2026-11-02', tag: 'search', customer_nanos: 7 },
      { day: '2026-11-01', tag: 'search', customer_nanos: 5 },
    ]);
    expect(await rowsOf('group_by=model')).toMatchObject([
      { model: 'acme/small', requests: 3, customer_nanos: 13 },
      { model: 'acme/large', requests: 1, customer_nanos: 3 },
    ]);
    expect((await rowsOf('group_by=model'))[0]).not.toHaveProperty('tag');
  });

  it('is narrowed to a project, a key, a model or a provider', async () => {
    const organization = await management.newOrganization();
    const { projectId } = organization;
    const key = await management.withKey(organization);
    await used(organization, [
      { day: '2026-11-01' },
      { day: '2026-11-01', projectId, apiKeyId: KEY_2, model: 'acme/large', provider: 'other', requests: 7 },
    ]);

    for (const filter of [
      `project_id=${projectId}`,
      `api_key_id=${KEY_2}`,
      'model=acme/large',
      'provider=other',
      `project_id=${projectId}&model=acme/large`,
    ]) {
      expect({ filter, ...(await key.get(`/api/v1/usage?${filter}`)).body.total }).toMatchObject({
        filter,
        requests: 7,
      });
    }
    expect((await key.get('/api/v1/usage?model=acme/small&provider=other')).body.total.requests).toBe(0);
  });

  it('holds a call as soon as it has ended, and not before', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await new WalletStore(management.database).credit(organization.id, nanos(10_000), 'for specs');
    const calls = new InferenceCalls(management.database);
    const range = `start=${new Date().toISOString()}&end=${new Date(Date.now() + 86_400_000).toISOString()}`;

    await calls.open(organization);
    expect((await key.get(`/api/v1/usage?${range}`)).body.total.requests).toBe(0);
    await calls.make(organization, { charge: 321 });
    expect((await key.get(`/api/v1/usage?${range}`)).body.total).toMatchObject({
      requests: 1,
      input_tokens: 10,
      output_tokens: 20,
      customer_nanos: 321,
    });
  });

  it('has sums beyond what a double holds exactly', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const most = Number.MAX_SAFE_INTEGER;
    await used(
      organization,
      ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => ({ day, nanos: most })),
    );

    const { status, body } = await key.get('/api/v1/usage');
    expect(status).toBe(200);
    expect(body.total.customer_nanos).toBe(Number(3n * BigInt(most)));
  });

  it('refuses more groups than one answer holds, rather than to leave some out', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await management.database.pool.query(
      `INSERT INTO usage_days SELECT $1, '2026-11-01', '', 'key_' || i, 'acme/small', 'acme', 1, 1, 0, 0, 1, 0, 1
       FROM generate_series(1, 10001) i`,
      [organization.id],
    );

    expect(await key.get('/api/v1/usage?group_by=api_key')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'group_by' } },
    });
    expect((await key.get('/api/v1/usage')).body.total.requests).toBe(10_001);
  });

  it('of another organization is not seen', async () => {
    const theirs = await management.newOrganization();
    await used(theirs, [{ day: '2026-11-01', projectId: theirs.projectId }]);
    const key = await management.withKey(await management.newOrganization());

    expect((await key.get(`/api/v1/organizations/${theirs.id}/usage`)).status).toBe(404);
    expect((await key.get(`/api/v1/usage?project_id=${theirs.projectId}`)).body.total.requests).toBe(0);
  });

  it('of other projects is not shown to a project’s key', async () => {
    const organization = await management.newOrganization();
    const { projectId } = organization;
    const otherProjectId = systemIds('project');
    await used(organization, [
      { day: '2026-11-01', projectId, requests: 3 },
      { day: '2026-11-01', projectId: otherProjectId, requests: 5 },
      { day: '2026-11-01', requests: 7 },
    ]);
    const key = await management.withKey(organization, ['usage:read'], projectId);

    expect((await key.get('/api/v1/usage')).body.total.requests).toBe(3);
    expect((await key.get(`/api/v1/usage?project_id=${otherProjectId}`)).body).toMatchObject({
      data: [],
      total: { requests: 0 },
    });
  });

  it('needs the permission usage:read', async () => {
    const key = await management.withKey(await management.newOrganization(), ['wallet:read']);
    expect(await key.get('/api/v1/usage')).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
  });

  it.each([
    ['group_by=', 'group_by'],
    ['group_by=minute', 'group_by'],
    ['group_by=day,day', 'group_by'],
    ['start=yesterday', 'start'],
    ['start=2026-11-01&end=2026-11-01', 'end'],
    ['start=2025-11-01', 'start'],
    ['start=2026-12-01', 'start'],
    ['model=%00', 'model'],
    ['from=2026-11-01', 'from'],
  ])('refuses the query %s, naming the parameter', async (query, param) => {
    const key = await management.withKey(await management.newOrganization());
    expect(await key.get(`/api/v1/usage?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });
});
