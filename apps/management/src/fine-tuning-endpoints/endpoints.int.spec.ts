import { parseCatalog } from '@svc/catalog';
import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { unusedId } from '@svc/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const ENDPOINTS = '/api/v1/fine-tuning/endpoints';
const CREDIT = 10_000_000;
/** 600 s at 3,600,000 nano-dollars an hour. */
const OF_A_SLICE = 600_000;

const place = { upstream_model: 'm', region: 'eu', data_retention: 'zero' };
const catalog = parseCatalog(
  JSON.stringify({
    providers: [{ name: 'free', protocol: 'openai', base_url: 'http://127.0.0.1:9' }],
    models: [{ id: 'acme/small', display_name: 'S', context_window: 100, max_output_tokens: 50 }],
    endpoints: [{ ...place, model: 'acme/small', provider: 'free', prices: { input: 1, output: 2 } }],
    fine_tuning: [
      {
        ...{ ...place, model: 'acme/small', provider: 'free' },
        ...{ price_per_trained_token: 1, max_trained_tokens: 1_000 },
        hardware: [{ id: 'gpu-1x', price_per_hour: 3_600_000, start_timeout_s: 60 }],
      },
    ],
  }),
  { file: 'catalog.yaml', env: {} },
);

let management: ManagementUnderTest;
let organization: Organization;
let key: Client & { readonly keyId: string };
beforeAll(async () => {
  management = await startManagement({ catalog: () => catalog });
});
afterAll(() => management.close());
beforeEach(async () => {
  organization = await management.newOrganization();
  await new WalletStore(management.database).credit(organization.id, nanos(CREDIT), 'test');
  key = await management.withKey(organization);
});

let models = 0;
async function newModel(of = organization, projectId: string | null = null): Promise<string> {
  const name = `ft-abcdefgh/small-${String(++models)}-abcdef`;
  await management.database.prisma.fineTunedModel.create({
    data: {
      ...{ name, organizationId: of.id, projectId, jobId: systemIds('fineTuningJob') },
      ...{ baseModel: 'acme/small', provider: 'free', upstreamModel: 'ft:m:1', region: 'eu' },
    },
  });
  return name;
}
const bodyWith = async (more: object = {}) => ({ model: await newModel(), hardware: 'gpu-1x', ...more });
async function newEndpoint(by: Client = key, more: object = {}): Promise<string> {
  const { status, body } = await by.post(ENDPOINTS, await bodyWith(more));
  expect([status, body.error]).toEqual([201, undefined]);
  return body.id as string;
}
const order = (id: string, what: 'start' | 'stop', by: Client = key) => by.post(`${ENDPOINTS}/${id}/${what}`);
const held = async () =>
  Number(
    (
      await management.database.prisma.wallet.findUniqueOrThrow({
        where: { organizationId: organization.id },
      })
    ).heldNanos,
  );
/** As a worker ends runs. */
const endRuns = () =>
  management.database.pool.query(
    `UPDATE fine_tuning_endpoint_runs SET state = 'stopped', stop_reason = 'user', ended_at = now()
     WHERE organization_id = $1 AND ended_at IS NULL`,
    [organization.id],
  );
const error = (code: string, status: number, param?: string) => ({
  status,
  body: { error: { code, ...(param === undefined ? {} : { param }) } },
});

describe('an endpoint', () => {
  it('is made with what was chosen, and costs nothing before its start', async () => {
    const body = await bodyWith({ max_spend_nanos: 5, max_hours: 0.29 });
    const made = await key.post(ENDPOINTS, body);
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...body,
        ...{ organization_id: organization.id, project_id: null, created_by: key.keyId },
        ...{ idle_stop_minutes: 60, state: 'stopped', stop_reason: null, started_at: null },
        ...{ running_seconds: 0, charged_nanos: 0, total_running_seconds: 0, total_charged_nanos: 0 },
        ...{ price_per_hour_nanos: 3_600_000, last_used_at: null, stops_at: null },
      },
    });
    expect(await held()).toBe(0);
    const id = made.body.id as string;
    expect((await key.get(`${ENDPOINTS}/${id}`)).body).toEqual(made.body);
    expect((await key.get(`${ENDPOINTS}?model=${encodeURIComponent(body.model)}`)).body.data).toEqual([
      made.body,
    ]);
    expect((await key.get(`${ENDPOINTS}?model=other`)).body.data).toEqual([]);
  });

  it('is the only one of its model', async () => {
    const body = await bodyWith();
    const made = await Promise.all([key.post(ENDPOINTS, body), key.post(ENDPOINTS, body)]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    const id = made.find(({ status }) => status === 201)?.body.id as string;
    expect((await key.delete(`${ENDPOINTS}/${id}`)).status).toBe(204);
    expect((await key.post(ENDPOINTS, body)).status).toBe(201);
  });

  it.each([
    [{ hardware: 'gpu-9x' }, 'hardware'],
    [{ idle_stop_minutes: 0 }, 'idle_stop_minutes'],
    [{ idle_stop_minutes: 1_441 }, 'idle_stop_minutes'],
    [{ max_hours: 0.001 }, 'max_hours'],
    [{ max_hours: 1.005 }, 'max_hours'],
    [{ max_hours: 721 }, 'max_hours'],
    [{ max_spend_nanos: 0 }, 'max_spend_nanos'],
    [{ colour: 'red' }, 'colour'],
  ])('is not made with %j', async (wrong, param) => {
    expect(await key.post(ENDPOINTS, await bodyWith(wrong))).toMatchObject({
      status: 400,
      body: { error: { param } },
    });
  });

  it('of a model that is not there, or another organization’s, is 404', async () => {
    const other = await newModel(await management.newOrganization());
    for (const model of ['ft-abcdefgh/none', 'acme/small', other]) {
      expect(await key.post(ENDPOINTS, { model, hardware: 'gpu-1x' })).toMatchObject(
        error('not_found', 404, 'model'),
      );
    }
  });

  it('of another organization is 404 as one that never was', async () => {
    const id = await newEndpoint();
    const stranger = await management.withKey(await management.newOrganization());
    for (const one of [id, unusedId('fineTuningEndpoint')]) {
      const answers = [
        await stranger.get(`${ENDPOINTS}/${one}`),
        await stranger.patch(`${ENDPOINTS}/${one}`, { max_hours: 1 }),
        await order(one, 'start', stranger),
        await order(one, 'stop', stranger),
        await stranger.delete(`${ENDPOINTS}/${one}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
  });

  it('of a project’s key is its project’s, for models of its project', async () => {
    const projectId = organization.projectId;
    const projects = await management.withKey(organization, undefined, projectId);
    const ours = await newEndpoint();
    expect((await projects.get(`${ENDPOINTS}/${ours}`)).status).toBe(404);
    expect((await projects.post(ENDPOINTS, await bodyWith())).status).toBe(404);
    const model = await newModel(organization, projectId);
    const made = await projects.post(ENDPOINTS, { model, hardware: 'gpu-1x' });
    expect(made).toMatchObject({ status: 201, body: { project_id: projectId } });
    expect((await projects.get(ENDPOINTS)).body.data).toHaveLength(1);
    expect((await key.get(ENDPOINTS)).body.data).toHaveLength(2);
  });

  it('that runs shows since when, when it was used last, and when it stops at the earliest', async () => {
    const id = await newEndpoint(key, { idle_stop_minutes: 30 });
    await order(id, 'start');
    const { rows } = await management.database.pool.query<{ model: string }>(
      `UPDATE fine_tuning_endpoint_runs SET state = 'running', running_since = now() - interval '90 s', inference_model = 'x'
       WHERE endpoint_id = $1 RETURNING model`,
      [id],
    );
    await management.database.pool.query(
      `INSERT INTO call_minutes (organization_id, minute, project_id, api_key_id, model, provider, writer_id, calls, failures, cancelled,
         tries, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, spent_nanos,
         duration_bounds, duration_counts, ttft_bounds, ttft_counts)
       SELECT $1, date_trunc('minute', now()) - ago * interval '1 min', '', 'key_1', $2, 'free', gen_random_uuid(), 1, 0, 0,
         1, 1, 0, 0, 1, 0, 0, '{}', '{}', '{}', '{}' FROM unnest(ARRAY[0, 5]) AS ago`,
      [organization.id, rows[0]?.model],
    );
    const shown = async () => (await key.get(`${ENDPOINTS}/${id}`)).body as Record<string, string | number>;
    const at = (time: string | number | undefined) => new Date(String(time)).getTime();
    const running = await shown();
    expect(running).toMatchObject({ state: 'running', charged_nanos: 0 });
    expect(running['running_seconds']).toBeGreaterThanOrEqual(90);
    expect(running['total_running_seconds']).toBe(running['running_seconds']);
    expect(at(running['last_used_at'])).toBeGreaterThan(at(running['started_at']) + 60_000);
    expect(at(running['stops_at'])).toBe(at(running['last_used_at']) + 30 * 60_000);
    expect((await key.patch(`${ENDPOINTS}/${id}`, { max_hours: 0.05 })).status).toBe(200);
    const shorter = await shown();
    expect(at(shorter['stops_at'])).toBe(at(shorter['started_at']) + 180_000);
  });

  it('changes when it stops, and nothing else', async () => {
    const id = await newEndpoint();
    const changed = await key.patch(`${ENDPOINTS}/${id}`, { idle_stop_minutes: 5, max_spend_nanos: 9 });
    expect(changed).toMatchObject({ status: 200, body: { idle_stop_minutes: 5, max_spend_nanos: 9 } });
    expect(
      (await key.patch(`${ENDPOINTS}/${id}`, { max_spend_nanos: null })).body.max_spend_nanos,
    ).toBeNull();
    expect((await key.patch(`${ENDPOINTS}/${id}`, { hardware: 'gpu-2x' })).status).toBe(400);
    const entries = await management.database.prisma.auditEntry.findMany({
      where: { targetId: id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'fine_tuning_endpoint.create',
      'fine_tuning_endpoint.update',
      'fine_tuning_endpoint.update',
    ]);
  });
});

describe('a start', () => {
  it('holds a slice, and is one of a run at a time', async () => {
    const id = await newEndpoint();
    expect(await order(id, 'start')).toMatchObject({ status: 200, body: { state: 'starting' } });
    expect(await held()).toBe(OF_A_SLICE);
    expect(await order(id, 'start')).toMatchObject(error('conflict', 409));
    expect(await key.delete(`${ENDPOINTS}/${id}`)).toMatchObject(error('conflict', 409));
    expect(await order(id, 'stop')).toMatchObject({
      status: 200,
      body: { state: 'stopping', stop_reason: 'user' },
    });
    expect(await order(id, 'stop')).toMatchObject(error('conflict', 409));
    expect(await order(id, 'start')).toMatchObject(error('conflict', 409));
    const run = await management.database.prisma.fineTuningEndpointRun.findUniqueOrThrow({
      where: { id: `${id}.1` },
    });
    expect(run).toMatchObject({ apiKeyId: key.keyId, sliceSeconds: 600, startTimeoutMs: 60_000 });
  });

  it('that the wallet or a budget cannot cover is 402, and begins nothing', async () => {
    const id = await newEndpoint();
    await management.database.pool.query('UPDATE wallets SET balance_nanos = $2 WHERE organization_id = $1', [
      organization.id,
      OF_A_SLICE - 1,
    ]);
    expect(await order(id, 'start')).toMatchObject(error('insufficient_funds', 402));
    await new WalletStore(management.database).credit(organization.id, nanos(CREDIT), 'test');
    const budget = await key.post('/api/v1/budgets', {
      ...{ name: 'Key', scope: 'api_key', scope_id: key.keyId, period: 'month', action: 'block' },
      amount_nanos: OF_A_SLICE - 1,
    });
    expect(budget.status).toBe(201);
    expect(await order(id, 'start')).toMatchObject(error('budget_exceeded', 402));
    expect((await key.get(`${ENDPOINTS}/${id}`)).body.state).toBe('stopped');
    expect(await held()).toBe(0);
  });

  it('that may not spend a slice is 402', async () => {
    const id = await newEndpoint(key, { max_spend_nanos: OF_A_SLICE - 1 });
    expect(await order(id, 'start')).toMatchObject(error('budget_exceeded', 402));
  });

  it('is one of three of an organization, unless the operator allows more', async () => {
    for (let up = 0; up < 3; up++) expect((await order(await newEndpoint(), 'start')).status).toBe(200);
    const fourth = await newEndpoint();
    expect(await order(fourth, 'start')).toMatchObject(error('conflict', 409));
    const operator = management.client({ authorization: `Bearer ${management.platformToken}` });
    const raised = await operator.patch(`/platform/v1/organizations/${organization.id}`, {
      fine_tuning_endpoints_max: 4,
    });
    expect(raised).toMatchObject({ status: 200, body: { fine_tuning_endpoints_max: 4 } });
    expect((await order(fourth, 'start')).status).toBe(200);
  });

  it('that is asked for again with the same key is the same start', async () => {
    const id = await newEndpoint();
    const again = (one: string) =>
      key.call('POST', `${ENDPOINTS}/${one}/start`, undefined, { 'idempotency-key': 'k1' });
    const both = await Promise.all([again(id), again(id)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await held()).toBe(OF_A_SLICE);
    await endRuns();
    expect((await again(id)).body.state).toBe('stopped');
    expect(await again(await newEndpoint())).toMatchObject(error('idempotency_key_reused', 409));
  });

  it('of a model that was deleted meanwhile is 404', async () => {
    const body = await bodyWith();
    const made = await key.post(ENDPOINTS, body);
    expect((await key.delete(`/api/v1/fine-tuning/models/${encodeURIComponent(body.model)}`)).status).toBe(
      204,
    );
    expect(await order(made.body.id as string, 'start')).toMatchObject(error('not_found', 404, 'model'));
  });
});

it('roles that may read cannot make or start one', async () => {
  const id = await newEndpoint();
  const viewer = await management.withSession(organization, 'viewer');
  expect((await viewer.get(`${ENDPOINTS}/${id}`)).status).toBe(200);
  expect((await viewer.post(ENDPOINTS, await bodyWith())).status).toBe(403);
  expect((await order(id, 'start', viewer)).status).toBe(403);
});
