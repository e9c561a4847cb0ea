import { eventually } from '@svc/testing';
import { newKey, newTenant, of, type InferenceKey } from './distributed/tenant';
import { catalogOf, testModel, type CatalogDocument } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';
import { callApi } from './oauth/oauth-app';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const ALIAS = 'fast';
const CHAT_ONLY = 'test/chat-only';
const CREDIT = 10n ** 12n;

interface RefusalRow {
  readonly code: string;
  readonly http_status: number;
  readonly model: string | null;
  readonly api_key_id: string;
  readonly count: number;
  readonly last_at: string;
  readonly last_message: string;
}

const body = { model: testModel, max_tokens: 20, messages: [{ role: 'user', content: 'A secret prompt.' }] };

function catalogFor(url: string): CatalogDocument & { readonly aliases: Readonly<Record<string, string>> } {
  const { providers, models, endpoints } = catalogOf({ name: 'only', url });
  return {
    providers,
    models: [...models, ...models.map((model) => ({ ...model, id: CHAT_ONLY }))],
    endpoints: [...endpoints, { ...endpoints[0]!, model: CHAT_ONLY }],
    aliases: { [ALIAS]: testModel },
  };
}

describe('refused calls', () => {
  let simulator: Simulator;
  let dataDir: string;
  let svc: Svc;
  beforeAll(async () => {
    simulator = await startSimulator();
    dataDir = await temporaryFolder();
    svc = await startSvc({ dataDir, catalog: catalogFor(simulator.url) });
  });
  afterAll(async () => {
    await svc.stop();
    await simulator.stop();
    await removeFolder(dataDir);
  });

  const call = async (secret: string, more: object = {}, path = CHAT, headers = {}): Promise<number> => {
    const answer = await post(
      svc,
      path,
      { ...body, ...more },
      { headers: { authorization: `Bearer ${secret}`, ...headers } },
    );
    await answer.text();
    return answer.status;
  };
  const api = (method: string, path: string, apiKey: string, sent?: object) =>
    callApi(svc.baseUrl, method, `/api/v1${path}`, apiKey, sent);
  async function refusalsOf(apiKey: string, query = ''): Promise<readonly RefusalRow[]> {
    const path = `/usage/refusals?group_by=code,model,api_key${query}`;
    return of(200, await api('GET', path, apiKey)).data as readonly RefusalRow[];
  }
  const brief = (rows: readonly RefusalRow[]) =>
    rows.map((row) => [row.http_status, row.code, row.model, row.api_key_id, row.count].join(' ')).sort();

  it('are each counted with their key, model and message, and no other call is', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const key = await newKey(svc, tenant);
    const slow = await newKey(svc, tenant, { rate_limit_rpm: 1 });
    const { secret } = key;
    const startedAt = new Date().toISOString();

    expect(await call(secret)).toBe(200);
    expect(await call(secret, { messages: [directed({ status: 400, error_message: 'No.' })] })).toBe(400);
    expect(await call('svc_sk_nobodys-key')).toBe(401);
    for (const model of ['made/up', 'made/up-too']) expect(await call(secret, { model })).toBe(404);
    expect(await call(secret, { model: 'made/up' }, `${MESSAGES}/count_tokens`)).toBe(400);
    expect(await call(secret, { model: CHAT_ONLY }, MESSAGES)).toBe(422);
    expect(await call(secret, { model: ALIAS, no_such_field: 1 })).toBe(400);
    expect(await call(secret, {}, CHAT, { 'x-svc-project': svc.projectId })).toBe(404);
    expect(await call(slow.secret)).toBe(200);
    for (const model of [ALIAS, testModel, testModel]) expect(await call(slow.secret, { model })).toBe(429);

    const rows = await eventually(async () => {
      const counted = await refusalsOf(tenant.apiKey);
      expect(brief(counted)).toEqual(
        [
          `400 unsupported_parameter  ${key.id} 2`,
          `404 not_found  ${key.id} 3`,
          `422 operation_unsupported ${CHAT_ONLY} ${key.id} 1`,
          `429 rate_limit ${ALIAS} ${slow.id} 1`,
          `429 rate_limit ${testModel} ${slow.id} 2`,
        ].sort(),
      );
      return counted;
    });
    const messageOf = (wanted: string) => rows.find(({ code }) => code === wanted)?.last_message;
    expect(messageOf('unsupported_parameter')).toContain('`no_such_field`');
    expect(messageOf('operation_unsupported')).toContain(CHAT_ONLY);
    expect(messageOf('rate_limit')).toContain('limit of 1 requests per minute');
    for (const { last_at } of rows)
      expect(last_at >= startedAt && last_at <= new Date().toISOString()).toBe(true);
    expect(JSON.stringify(rows)).not.toContain('secret prompt');
    expect(brief(await refusalsOf(tenant.apiKey, `&api_key_id=${slow.id}&model=${ALIAS}`))).toHaveLength(1);
  });

  it('for money are counted, and by the key that may not call, or not any more', async () => {
    const tenant = await newTenant(svc, 0n);
    const [poor, limited, revoked] = [
      await newKey(svc, tenant),
      await newKey(svc, tenant, { scopes: ['usage:read'] }),
      await newKey(svc, tenant),
    ];
    expect(await call(poor.secret)).toBe(402);
    expect(await call(limited.secret)).toBe(403);
    of(204, await api('DELETE', `/keys/${revoked.id}`, tenant.apiKey));
    let refused = 0;
    await eventually(async () => {
      const status = await call(revoked.secret);
      if (status === 401) refused++;
      expect(refused).toBe(3);
    });
    await eventually(async () => {
      expect(brief(await refusalsOf(tenant.apiKey))).toEqual([
        `401 invalid_api_key  ${revoked.id} 3`,
        `402 insufficient_funds ${testModel} ${poor.id} 1`,
        `403 permission_denied  ${limited.id} 1`,
      ]);
    });
  });

  it('of another organization or project show to nobody', async () => {
    const inProject = await projectKey(['inference:invoke', 'usage:read']);
    const elsewhere = await newKey(svc, { organizationId: svc.organizationId, apiKey: svc.apiKey });
    for (const { secret } of [inProject, elsewhere])
      expect(await call(secret, { model: 'made/up' })).toBe(404);
    await eventually(async () => {
      const keys = (await refusalsOf(svc.apiKey)).map(({ api_key_id }) => api_key_id);
      expect(keys).toEqual(expect.arrayContaining([inProject.id, elsewhere.id]));
    });
    expect(brief(await refusalsOf(inProject.secret))).toEqual([`404 not_found  ${inProject.id} 1`]);
    const stranger = await newTenant(svc, 0n);
    expect(await refusalsOf(stranger.apiKey, `&api_key_id=${elsewhere.id}`)).toEqual([]);
  });

  it('are kept over a restart, also those of the last moment, and counting goes on', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const key = await newKey(svc, tenant);
    const refuse = () => call(key.secret, { model: 'made/up' });
    await Promise.all(Array.from({ length: 20 }, refuse));
    const { apiKey, platformToken } = svc;
    expect(await svc.stop()).toBe(0);
    svc = { ...(await startSvc({ dataDir, catalog: catalogFor(simulator.url) })), apiKey, platformToken };
    expect(brief(await refusalsOf(tenant.apiKey))).toEqual([`404 not_found  ${key.id} 20`]);
    await refuse();
    await eventually(async () => {
      expect(brief(await refusalsOf(tenant.apiKey))).toEqual([`404 not_found  ${key.id} 21`]);
    });
  });

  async function projectKey(scopes: readonly string[]): Promise<InferenceKey> {
    const sent = { name: 'of the project', scopes, project_id: svc.projectId, rate_limit_rpm: 1_000 };
    const made = of(201, await api('POST', '/keys', svc.apiKey, sent));
    return { id: made.api_key.id, secret: made.key };
  }
});
