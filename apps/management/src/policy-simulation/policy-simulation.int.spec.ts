import { parseCatalog } from '@svc/catalog';
import { EdgeInstanceStore } from '@svc/ledger/store';
import { type CircuitReport, CircuitReportStore } from '@svc/usage/store';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const SIMULATE = '/api/v1/policy/simulate';
const POLICY = '/api/v1/policy';
const MINUTE_MS = 60_000;

const endpoint = (changes: object) => ({
  model: 'acme/small',
  upstream_model: 'm',
  region: 'eu',
  data_retention: 'zero',
  prices: { input: 150, output: 600.5 },
  ...changes,
});
const provider = { protocol: 'openai', base_url: 'http://127.0.0.1:9' };
const catalog = parseCatalog(
  JSON.stringify({
    providers: [
      { ...provider, name: 'cheap' },
      { ...provider, name: 'dear' },
      { ...provider, name: 'foreign', protocol: 'anthropic' },
      { ...provider, name: 'keyed', credential_env: 'KEYED_API_KEY' },
    ],
    models: ['acme/small', 'acme/keyed', 'acme/embed'].map((id) => ({
      id,
      display_name: id,
      context_window: 128_000,
      ...(id === 'acme/embed' ? {} : { max_output_tokens: 4096 }),
    })),
    endpoints: [
      endpoint({ provider: 'cheap', prices: { input: 1, output: 1 }, parameters: ['temperature'] }),
      endpoint({ provider: 'dear', region: 'us', data_retention: 'retained' }),
      endpoint({ provider: 'foreign', operations: ['messages'], prices: { input: 2, output: 2 } }),
      endpoint({ provider: 'keyed', model: 'acme/keyed' }),
      endpoint({
        provider: 'cheap',
        model: 'acme/embed',
        operations: ['embeddings'],
        prices: { input: 20, output: 0 },
      }),
    ],
    aliases: { fast: 'acme/small' },
  }),
  { file: 'catalog.yaml', env: {} },
);
const idOf = (name: string, region = 'eu') => `acme/small|${name}|${region}|m`;

interface Attempt {
  readonly endpoint: { readonly provider: string };
}

describe('a simulation of the policy', () => {
  let management: ManagementUnderTest;
  let edges: EdgeInstanceStore;
  beforeAll(async () => {
    management = await startManagement({ catalog: () => catalog });
    edges = new EdgeInstanceStore(management.database);
  });
  afterEach(() => Promise.all(['edge_1', 'edge_2'].map((id) => edges.removeEdgeInstance(id))));
  afterAll(() => management.close());

  const begin = async () => management.withKey(await management.newOrganization());
  const simulate = async (key: Client, question: object) => {
    const { status, body } = await key.post(SIMULATE, question);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const providers = ({ attempts }: { attempts: Attempt[] }) =>
    attempts.map(({ endpoint: { provider: name } }) => name);
  const chat = { model: 'acme/small', operation: 'chat_completions' };
  const report = (endpointId: string, changes: Partial<CircuitReport> = {}): Promise<void> =>
    new CircuitReportStore(management.database).write('edge_1', [
      {
        endpointId,
        model: 'acme/small',
        provider: endpointId.split('|')[1] ?? '',
        openForMs: null,
        trialInMs: null,
        plannedAgoMs: 0,
        plain: null,
        stream: null,
        ...changes,
      },
    ]);

  it('plans a call by the policy in force, with what each attempt costs and omits', async () => {
    const key = await begin();
    const answer = await simulate(key, { ...chat, parameters: ['temperature', 'seed'] });
    expect(answer).toEqual({
      operation: 'chat_completions',
      attempts: [
        {
          endpoint: { id: idOf('dear', 'us'), provider: 'dear', region: 'us', data_retention: 'retained' },
          credential: 'none',
          price: { input: 150, output: 600.5, cached_input: 150, cache_write: 150, long_prompt: null },
          latency: null,
          circuit: 'unknown',
          omitted: [],
          placed_by: 'parameters',
        },
        expect.objectContaining({ omitted: ['seed'], placed_by: 'parameters' }) as object,
      ],
      excluded: [
        {
          endpoint: { id: idOf('foreign'), provider: 'foreign', region: 'eu', data_retention: 'zero' },
          constraint: 'operation',
          field: 'operation',
          message: 'Not served on POST /v1/chat/completions.',
        },
      ],
      refusal: null,
      changes: null,
      facts_as_of: null,
    });
    expect(providers(answer)).toEqual(['dear', 'cheap']);
    expect(providers(await simulate(key, { ...chat, model: 'fast' }))).toEqual(['cheap', 'dear']);
  });

  it('plans by a draft without writing it, and says what it denies', async () => {
    const key = await begin();
    await key.put(POLICY, { denied_regions: ['us'] });
    const denied = (policyName: string, region: string) => ({
      constraint: 'region',
      field: 'denied_regions',
      message: `Denied by ${policyName}: region ${region}.`,
    });
    expect((await simulate(key, chat)).excluded).toMatchObject([
      { ...denied('policy version 1', 'us'), endpoint: { provider: 'dear' } },
      { constraint: 'operation' },
    ]);
    const draft = { denied_regions: ['eu', 'moon'], denied_providers: ['gone'], id: null, version: 1 };
    const answer = await simulate(key, { ...chat, policy: draft });
    expect(providers(answer)).toEqual(['dear']);
    expect(answer.excluded).toMatchObject([denied('the draft', 'eu'), { constraint: 'operation' }]);
    expect((await key.get(POLICY)).body.version).toBe(1);
    const actions = await management.database.prisma.auditEntry.findMany({ select: { action: true } });
    expect(new Set(actions.map(({ action }) => action))).toEqual(new Set(['policy.update']));
  });

  it.each([
    [{ denied_models: ['acme/small'] }, {}, [404, 'not_found', 'model']],
    [{ allowed_providers: [] }, {}, [422, 'no_eligible_route', 'model']],
    [{ allowed_regions: ['us'] }, { operation: 'messages' }, null],
    [{}, { operation: 'embeddings' }, [422, 'operation_unsupported', 'model']],
    [{}, { model: 'acme/none' }, [404, 'not_found', 'model']],
    [{}, { model: 'acme/keyed' }, [404, 'not_found', 'model']],
    [{}, { parameters: ['colour'] }, [400, 'unsupported_parameter', 'colour']],
    [
      { denied_providers: ['dear'] },
      { parameters: ['seed'], compat_mode: 'strict' },
      [422, 'capability_unsupported', 'seed'],
    ],
    [{ denied_providers: ['dear'] }, { parameters: ['seed'], compat_mode: 'permissive' }, null],
  ])('with the policy %j answers a call with %j as the edge would: %j', async (policy, call, refused) => {
    const key = await begin();
    const { refusal, attempts, excluded } = await simulate(key, { ...chat, ...call, policy });
    expect(refusal && [refusal.status, refusal.code, refusal.param]).toEqual(refused);
    expect(attempts.length > 0).toBe(refused === null);
    if (refused === null) expect(attempts.length + excluded.length).toBe(3);
  });

  it('is that of the first route that the model is served on, where none is named', async () => {
    const key = await begin();
    expect(await simulate(key, { model: 'acme/embed' })).toMatchObject({
      operation: 'embeddings',
      attempts: [{ placed_by: null }],
      refusal: null,
    });
    expect((await simulate(key, { model: 'acme/none' })).operation).toBe('chat_completions');
  });

  it('plans by what edges reported of circuits, speeds and credentials, and says of when that is', async () => {
    const key = await begin();
    await edges.renewEdgeInstance('edge_1', MINUTE_MS, ['keyed']);
    const figures = (latencyMs: number) => ({ latencyMs, tokensPerSecond: null, measuredAgoMs: 0 });
    await report(idOf('cheap'), { plain: figures(300) });
    await report(idOf('dear', 'us'), { plain: figures(100), stream: figures(900) });
    const sort = { policy: { sort: 'latency' } };
    expect((await simulate(key, { ...chat, ...sort })).attempts).toMatchObject([
      { endpoint: { provider: 'dear' }, latency: 100, circuit: 'closed', placed_by: 'latency' },
      { endpoint: { provider: 'cheap' }, latency: 300, circuit: 'closed' },
    ]);
    const streamed = await simulate(key, { ...chat, ...sort, parameters: ['stream'] });
    expect(streamed.attempts).toMatchObject([
      { endpoint: { provider: 'cheap' }, latency: null },
      { endpoint: { provider: 'dear' }, latency: 900 },
    ]);
    expect(Date.now() - Date.parse(streamed.facts_as_of as string)).toBeLessThan(MINUTE_MS);

    const open = { openForMs: 1_000, trialInMs: 30_000 };
    await report(idOf('cheap'), open);
    expect(await simulate(key, chat)).toMatchObject({
      attempts: [{ endpoint: { provider: 'dear' } }],
      excluded: [{ constraint: 'circuit', field: null }, {}],
    });
    await report(idOf('dear', 'us'), open);
    expect((await simulate(key, chat)).refusal).toMatchObject({ status: 503, code: 'overloaded' });

    const keyed = { model: 'acme/keyed' };
    expect((await simulate(key, keyed)).attempts).toMatchObject([{ credential: 'platform' }]);
    const own = { provider: 'keyed', label: 'Ours', secret: 'sk-of-our-own-1234' };
    expect((await key.post('/api/v1/provider-credentials', own)).status).toBe(201);
    expect((await simulate(key, keyed)).attempts).toMatchObject([
      { credential: 'own' },
      { credential: 'platform', placed_by: 'own_credential' },
    ]);
  });

  it('without a model says for which models the draft changes something', async () => {
    const key = await begin();
    await key.put(POLICY, { denied_providers: ['keyed'], denied_models: ['acme/embed'] });
    await edges.renewEdgeInstance('edge_2', MINUTE_MS, ['keyed']);
    const changes = async (policy: object, more = {}) => {
      const answer = await simulate(key, { policy, ...more });
      expect(answer).toMatchObject({ operation: null, attempts: [], excluded: [], refusal: null });
      return answer.changes as object[];
    };
    expect(await changes({ denied_providers: ['keyed'], denied_models: ['acme/embed'] })).toEqual([]);
    expect(await changes({ denied_providers: ['cheap'] })).toEqual([
      {
        model: 'acme/small',
        operation: 'chat_completions',
        change: 'first_provider',
        before: expect.objectContaining({ provider: 'cheap' }) as object,
        after: expect.objectContaining({ provider: 'dear', region: 'us' }) as object,
        refusal: null,
      },
      expect.objectContaining({ model: 'acme/keyed', change: 'starts', before: null }),
    ]);
    expect(await changes({ allowed_models: ['acme/embed'] })).toMatchObject([
      { model: 'acme/small', change: 'stops', after: null, refusal: { status: 404, code: 'not_found' } },
      { model: 'acme/embed', operation: 'embeddings', change: 'starts' },
    ]);
    expect(await changes({ allowed_models: ['acme/embed'] }, { operation: 'messages' })).toMatchObject([
      { model: 'acme/small', operation: 'messages', change: 'stops' },
    ]);
  });

  it.each([
    [{ policy: { sort: 'quality' } }, 'policy.sort'],
    [{ policy: { denied_models: ['small'] } }, 'policy.denied_models[0]'],
    [{ policy: { colour: 'red' } }, 'policy.colour'],
    [{ operation: 'completions' }, 'operation'],
    [{ parameters: [''] }, 'parameters[0]'],
    [{ compat_mode: 'lax' }, 'compat_mode'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j, naming the field', async (question, param) => {
    const { status, body } = await (await begin()).post(SIMULATE, question);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
  });

  it('drafts the policy of a project or a key, and says the level that leaves something out', async () => {
    const key = await begin();
    const projectId: string = (await key.post('/api/v1/projects', { name: 'Drafted' })).body.id;
    const scopes = ['inference:invoke'];
    const made = await key.post('/api/v1/keys', { name: 'Drafted', scopes, project_id: projectId });
    const keyId: string = made.body.api_key.id;
    await key.put(`/api/v1/projects/${projectId}/policy`, { denied_providers: ['cheap'] });
    const call = { model: 'acme/small', operation: 'chat_completions', api_key_id: keyId };
    const inForce = await simulate(key, call);
    expect(inForce.excluded).toContainEqual(
      expect.objectContaining({
        field: 'denied_providers',
        message: 'Denied by the project’s policy version 1: provider cheap.',
      }) as object,
    );
    const drafted = await simulate(key, {
      ...call,
      level: 'key',
      policy: { denied_operations: ['chat_completions'] },
    });
    expect(drafted.refusal).toMatchObject({ status: 422, code: 'no_eligible_route' });
    expect(drafted.excluded).toContainEqual(
      expect.objectContaining({
        constraint: 'operation',
        field: 'denied_operations',
        message: 'Denied by the draft: route POST /v1/chat/completions.',
      }) as object,
    );
    const lifted = await simulate(key, { ...call, project_id: projectId, level: 'project', policy: {} });
    expect(lifted.attempts).toMatchObject([{ endpoint: { provider: 'cheap' } }, {}]);
  });

  it.each([
    [{ level: 'project' }, 'project_id'],
    [{ level: 'key', policy: {} }, 'api_key_id'],
    [{ level: 'team' }, 'level'],
  ])('refuses %j, which lacks the id of its level', async (question, param) => {
    const { status, body } = await (await begin()).post(SIMULATE, question);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('is for who may read the policy, of the caller’s own organization', async () => {
    const organization = await management.newOrganization();
    expect(
      (await (await management.withSession(organization, 'finance')).post(SIMULATE, chat)).body.error,
    ).toMatchObject({
      code: 'permission_denied',
    });
    const viewer = await management.withSession(organization, 'viewer');
    expect((await viewer.post(SIMULATE, chat)).status).toBe(200);
    const theirs = await management.newOrganization();
    expect((await viewer.post(`/api/v1/organizations/${theirs.id}/policy/simulate`, chat)).status).toBe(404);
  });
});
