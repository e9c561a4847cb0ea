import { timeOfId, nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { InferenceCalls } from '../testing/inference-calls';
import {
  startManagement,
  type Answered,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const ATTEMPT = {
  provider: 'acme',
  region: 'eu-west',
  status: 200,
  started_ms: 3,
  first_byte_ms: 9,
  duration_ms: 31,
  endpoint_id: 'acme/small|acme|eu-west|small-1',
  credential: 'own',
  credential_id: 'cred_01jd3m5qk8x2v7n4w9t6r0y1zb',
  placed_by: 'affinity',
  upstream_request_id: 'req_of_acme',
};
/** Femto-dollars. With the tokens of the calls of this spec they make 177.7 nano-dollars. */
const RATES = { input: '1500000', cachedInput: '150000', cacheWrite: '700000', output: '8000000' };
const WARNING = { param: 'seed', code: 'unsupported_parameter', message: '`seed` was left out.' };

describe('requests', () => {
  let management: ManagementUnderTest;
  let calls: InferenceCalls;

  beforeAll(async () => {
    management = await startManagement();
    calls = new InferenceCalls(management.database);
  });
  afterAll(() => management.close());

  const newOrganization = async (): Promise<Organization> => {
    const organization = await management.newOrganization();
    await new WalletStore(management.database).credit(organization.id, nanos(1_000_000), 'for specs');
    return organization;
  };
  const idsOf = ({ body }: Answered): string[] => body.data.map(({ id }: { id: string }) => id);

  it('are shown as they were settled, at both path forms', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const apiKeyId = systemIds('apiKey');
    const id = await calls.make(organization, {
      projectId: organization.projectId,
      apiKeyId,
      stream: true,
      traceId: TRACE_ID,
      sessionId: 'night-42,b',
      policyVersion: 7,
      charge: 178,
      attempts: [ATTEMPT],
      explanation: { rates: RATES, warnings: [WARNING] },
      labels: { user: 'u-1', metadata: { team: 'search' } },
    });

    const { status, body } = await key.get(`/api/v1/requests/${id}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      organization_id: organization.id,
      project_id: organization.projectId,
      api_key_id: apiKeyId,
      route: 'chat_completions',
      model: 'acme/small',
      provider: 'acme',
      status: 'succeeded',
      http_status: 200,
      error_code: null,
      stream: true,
      error: null,
      warnings: [WARNING],
      session_id: 'night-42,b',
      policy_version: 7,
      policy_versions: { organization: 7, project: 0, key: 0 },
      attempts: [ATTEMPT],
      usage: {
        input_tokens: 10,
        cached_input_tokens: 4,
        cache_write_tokens: 3,
        output_tokens: 20,
        reasoning_tokens: 5,
      },
      cost: {
        customer_nanos: 178,
        provider_nanos: 0,
        state: 'final',
        price_bps: 10_000,
        lines: [
          { kind: 'input', tokens: 10, price: '1.5', amount: '15' },
          { kind: 'cached_input', tokens: 4, price: '0.15', amount: '0.6' },
          { kind: 'cache_write', tokens: 3, price: '0.7', amount: '2.1' },
          { kind: 'output', tokens: 20, price: '8', amount: '160' },
        ],
        rounding: '0.3',
        beyond_hold_nanos: 0,
        held_nanos: 1_000,
        transaction_id: expect.stringMatching(/^txn_/),
      },
      user: 'u-1',
      metadata: { team: 'search' },
      end_user: null,
      end_user_id: null,
      ttft_ms: 12,
      duration_ms: 34,
      trace_id: TRACE_ID,
      created_at: new Date(timeOfId(id)).toISOString(),
    });
    const scoped = `/api/v1/organizations/${organization.id}/requests`;
    expect((await key.get(`${scoped}/${id}`)).body).toEqual(body);
    expect((await key.get(scoped)).body).toEqual({ data: [body], has_more: false, next_cursor: null });
  });

  it('are shown while they are under way, with a cost that may change', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const id = await calls.open(organization, { policyVersion: 7, sessionId: 'night-42' });

    expect((await key.get(`/api/v1/requests/${id}`)).body).toMatchObject({
      status: 'pending',
      provider: null,
      http_status: null,
      attempts: [],
      trace_id: null,
      cost: {
        customer_nanos: 0,
        state: 'provisional',
        lines: null,
        rounding: null,
        beyond_hold_nanos: null,
        held_nanos: 1_000,
        transaction_id: null,
      },
      error: null,
      warnings: null,
      policy_version: 7,
      session_id: 'night-42',
      ttft_ms: null,
      duration_ms: null,
    });
  });

  it('are listed newest first, and a page stays in place while calls are made', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push(await calls.make(organization));
    const newestFirst = made.toSorted().reverse();

    const first = await key.get('/api/v1/requests?limit=2');
    await calls.make(organization);
    const second = await key.get(`/api/v1/requests?limit=2&cursor=${first.body.next_cursor}`);
    const third = await key.get(`/api/v1/requests?limit=2&cursor=${second.body.next_cursor}`);

    expect([first, second, third].flatMap(idsOf)).toEqual(newestFirst);
    expect([first, second, third].map(({ body }) => body.has_more)).toEqual([true, true, false]);
    expect(third.body.next_cursor).toBeNull();
  });

  it('are found by every filter, and by several at once', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const apiKeyId = systemIds('apiKey');
    await calls.make(organization);
    const wanted = await calls.make(organization, {
      projectId: organization.projectId,
      apiKeyId,
      model: 'other/large',
      provider: 'other',
      stream: true,
      status: 'failed',
      httpStatus: 502,
      errorCode: 'provider_error',
      traceId: TRACE_ID,
      sessionId: 'night-42,b',
      attempts: [{ ...ATTEMPT, error: 'provider_error' }, ATTEMPT],
      charge: 500,
      ttftMs: 50,
      durationMs: 60,
    });
    await calls.make(organization);
    await calls.open(organization);

    const filters = [
      `project_id=${organization.projectId}`,
      `api_key_id=${apiKeyId}`,
      'model=other/large',
      'provider=other',
      'stream=true',
      'status=failed',
      'failed=true',
      'http_status=502',
      'error_code=provider_error',
      `trace_id=${TRACE_ID}`,
      'session_id=night-42,b',
      'attempts_min=2',
      'min_cost_nanos=500',
      'min_ttft_ms=50',
      'min_duration_ms=60',
    ];
    for (const filter of [...filters, filters.join('&')]) {
      expect({ filter, ids: idsOf(await key.get(`/api/v1/requests?${filter}`)) }).toEqual({
        filter,
        ids: [wanted],
      });
    }
    expect(
      idsOf(await key.get(`/api/v1/requests?${filters.join('&').replace('stream=true', 'stream=false')}`)),
    ).toEqual([]);
  });

  it('are found by any of several values of a filter', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const [first, second] = [systemIds('apiKey'), systemIds('apiKey')];
    const failed = await calls.make(organization, { apiKeyId: first, status: 'failed', httpStatus: 502 });
    const left = await calls.make(organization, { apiKeyId: second, status: 'cancelled', httpStatus: 503 });
    const other = await calls.make(organization, { model: 'other/large' });

    const found = async (query: string) => idsOf(await key.get(`/api/v1/requests?${query}`));
    expect(await found('status=failed,cancelled')).toEqual([left, failed]);
    expect(await found('http_status=502,503')).toEqual([left, failed]);
    expect(await found(`api_key_id=${first},${second}`)).toEqual([left, failed]);
    expect(await found('model=other/large,unknown/one')).toEqual([other]);
    expect(await found(`status=failed,cancelled&api_key_id=${second}`)).toEqual([left]);
  });

  it('are found by the labels that their callers gave them', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const label = (user: string | null, metadata: Record<string, string>) =>
      calls.make(organization, { labels: { user, metadata } });
    const unlabelled = await calls.make(organization);
    const searched = await label('u-1', { team: 'search', env: 'live' });
    const tried = await label('u-1', { team: 'search', env: 'test' });
    const odd = await label(null, { 'a team’s "name"': '100 % & [more]=\\' });

    const found = async (query: string) => idsOf(await key.get(`/api/v1/requests?${query}`));
    expect(await found('user=u-1')).toEqual([tried, searched]);
    expect(await found('metadata[team]=search')).toEqual([tried, searched]);
    expect(await found('metadata[team]=search&metadata[env]=live&user=u-1&model=acme/small')).toEqual([
      searched,
    ]);
    expect(await found('metadata%5Benv%5D=test')).toEqual([tried]);
    expect(await found('metadata[user]=u-1')).toEqual([]);
    expect(await found('metadata[team]=searc')).toEqual([]);
    const [name, value] = ['a team’s "name"', '100 % & [more]=\\'].map(encodeURIComponent);
    expect(await found(`metadata[${String(name)}]=${String(value)}`)).toEqual([odd]);
    expect((await key.get(`/api/v1/requests/${unlabelled}`)).body).toMatchObject({
      user: null,
      metadata: {},
    });
  });

  it.each([
    ['metadata=search', 'metadata'],
    ['metadata[team]=', 'metadata.team'],
    ['metadata[team]=a&metadata[team]=b', 'metadata.team'],
    [`metadata[team]=${'a'.repeat(513)}`, 'metadata.team'],
    ['metadata[team]=%00', 'metadata.team'],
    [Array.from({ length: 17 }, (_, at) => `metadata[n${String(at)}]=a`).join('&'), 'metadata'],
    ['user=%0A', 'user'],
    ['colour[team]=red', 'colour[team]'],
  ])('refuse %j, naming the field', async (query, param) => {
    const key = await management.withKey(await newOrganization());
    expect(await key.get(`/api/v1/requests?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });

  it('are found by when they arrived, to the millisecond', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const id = await calls.make(organization);
    const at = timeOfId(id);
    const iso = (timeMs: number) => new Date(timeMs).toISOString();

    const idsWithin = async (query: string) => idsOf(await key.get(`/api/v1/requests?${query}`));
    expect(await idsWithin(`created_after=${iso(at)}&created_before=${iso(at + 1)}`)).toEqual([id]);
    expect(await idsWithin(`created_after=${iso(at + 1)}`)).toEqual([]);
    expect(await idsWithin(`created_before=${iso(at)}`)).toEqual([]);
    expect(await idsWithin(`created_after=${iso(at).slice(0, 10)}`)).toEqual([id]);
  });

  it('of another organization are not found, and not listed', async () => {
    const theirs = await newOrganization();
    const id = await calls.make(theirs, { projectId: theirs.projectId });
    const key = await management.withKey(await newOrganization());

    expect((await key.get(`/api/v1/requests/${id}`)).status).toBe(404);
    expect((await key.get(`/api/v1/organizations/${theirs.id}/requests/${id}`)).status).toBe(404);
    expect((await key.get(`/api/v1/organizations/${theirs.id}/requests`)).status).toBe(404);
    expect(idsOf(await key.get(`/api/v1/requests?project_id=${theirs.projectId}`))).toEqual([]);
    expect((await key.get(`/api/v1/requests/${theirs.id}`)).status).toBe(404);
  });

  it('of other projects are not shown to a project’s key', async () => {
    const organization = await newOrganization();
    const own = await calls.make(organization, { projectId: organization.projectId });
    const otherProjectId = systemIds('project');
    const others = [
      await calls.make(organization),
      await calls.make(organization, { projectId: otherProjectId }),
    ];
    const key = await management.withKey(organization, ['usage:read'], organization.projectId);

    expect(idsOf(await key.get('/api/v1/requests'))).toEqual([own]);
    expect(idsOf(await key.get(`/api/v1/requests?project_id=${organization.projectId}`))).toEqual([own]);
    expect(idsOf(await key.get(`/api/v1/requests?project_id=${otherProjectId}`))).toEqual([]);
    const both = `${organization.projectId},${otherProjectId}`;
    expect(idsOf(await key.get(`/api/v1/requests?project_id=${both}`))).toEqual([own]);
    for (const id of others) expect((await key.get(`/api/v1/requests/${id}`)).status).toBe(404);
    expect((await key.get(`/api/v1/requests/${own}`)).status).toBe(200);
  });

  it('need the permission usage:read', async () => {
    const organization = await newOrganization();
    const id = await calls.make(organization);
    const key = await management.withKey(organization, ['wallet:read', 'org:read']);

    for (const path of ['/api/v1/requests', `/api/v1/requests/${id}`]) {
      expect(await key.get(path)).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
    }
  });

  it.each([
    ['status=done', 'status'],
    ['http_status=ok', 'http_status'],
    ['http_status=99', 'http_status'],
    ['http_status=502,5e2', 'http_status'],
    ['status=failed,', 'status'],
    ['session_id=%20', 'session_id'],
    ['attempts_min=-1', 'attempts_min'],
    ['min_cost_nanos=1.5', 'min_cost_nanos'],
    ['min_ttft_ms=1e3', 'min_ttft_ms'],
    [`min_duration_ms=${'9'.repeat(20)}`, 'min_duration_ms'],
    ['stream=yes', 'stream'],
    ['failed=1', 'failed'],
    [`trace_id=${TRACE_ID.toUpperCase()}`, 'trace_id'],
    ['trace_id=4bf9', 'trace_id'],
    ['project_id=org_06dpm2q4x8k3c0v9r7t5w1hzny', 'project_id'],
    ['model=', 'model'],
    ['error_code=%00', 'error_code'],
    ['created_after=yesterday', 'created_after'],
    ['created_before=2026-02-30', 'created_before'],
    ['created_before=2026-11-20T09:30:00', 'created_before'],
    ['colour=red', 'colour'],
    ['cursor=MQ', 'cursor'],
  ])('refuse the query %s, naming the parameter', async (query, param) => {
    const key = await management.withKey(await management.newOrganization());
    expect(await key.get(`/api/v1/requests?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });
});
