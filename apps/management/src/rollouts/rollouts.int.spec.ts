import { parseCatalog } from '@svc/catalog';
import { startManagement, type Answered, type ManagementUnderTest } from '../testing/management-under-test';

const POLICY = '/api/v1/policy';
const ROLLOUTS = '/api/v1/rollouts';
const provider = { protocol: 'openai', base_url: 'http://127.0.0.1:9' };
const endpoint = { upstream_model: 'm', data_retention: 'zero', prices: { input: 1, output: 1 } };
const catalog = parseCatalog(
  JSON.stringify({
    providers: ['cheap', 'dear'].map((name) => ({ ...provider, name })),
    models: ['acme/small', 'acme/large'].map((id) => ({
      ...{ id, display_name: id, context_window: 128_000, max_output_tokens: 4_096 },
    })),
    endpoints: [
      { ...endpoint, model: 'acme/small', provider: 'cheap', region: 'eu' },
      { ...endpoint, model: 'acme/small', provider: 'dear', region: 'us', prices: { input: 9, output: 9 } },
      { ...endpoint, model: 'acme/large', provider: 'dear', region: 'us' },
    ],
    aliases: { 'acme/latest': 'acme/small' },
  }),
  { file: 'catalog.yaml', env: {} },
);
const rollout = (more: object = {}) => ({
  ...{ name: 'trial', model: 'acme/small', to: { provider: 'dear' }, share_bps: 10_000, by: 'api_key' },
  ...more,
});

let management: ManagementUnderTest;
beforeAll(async () => {
  management = await startManagement({ catalog: () => catalog });
});
afterAll(() => management.close());

const begin = async () => {
  const organization = await management.newOrganization();
  return { organization, key: await management.withKey(organization) };
};
const refusalOf = ({ status, body }: Answered) => [status, body.error?.code, body.error?.param];
const traces = async (organizationId: string) => {
  const { prisma } = management.database;
  const ofRollouts = { startsWith: 'rollout.' };
  const events = await prisma.outboxEvent.findMany({ where: { organizationId, type: ofRollouts } });
  const entries = await prisma.auditEntry.findMany({ where: { organizationId, action: ofRollouts } });
  return {
    events: events.map(({ payload }) => JSON.parse(payload) as { type: string; data: object }),
    entries: entries.map(({ action, targetLabel, changes }) => ({ action, targetLabel, changes })),
  };
};

describe('rollouts', () => {
  it('begin with the version of the policy that names them, and are read with both arms', async () => {
    const { organization, key } = await begin();
    const endsAt = '2027-01-01T02:00:00+02:00';
    const { status, body } = await key.put(POLICY, { rollouts: [rollout({ ends_at: endsAt })] });
    expect([status, body.rollouts]).toEqual([
      200,
      [
        {
          ...rollout({ ends_at: endsAt }),
          abort: { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 50 },
        },
      ],
    ]);
    const { body: listed } = await key.get(ROLLOUTS);
    const noCalls = {
      ...{ calls: 0, failed: 0, error_rate_bps: null, ttft_p95_ms: null, output_tokens: 0 },
      ...{ customer_nanos: 0, provider_nanos: 0 },
    };
    expect(listed.data).toEqual([
      {
        id: expect.stringMatching(/^rol_/) as string,
        organization_id: organization.id,
        ...rollout(),
        ends_at: '2027-01-01T00:00:00.000Z',
        abort: { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 50 },
        ...{ state: 'running', reason: null, ended_at: null },
        started_at: expect.any(String) as string,
        arms: { treatment: noCalls, control: noCalls },
      },
    ]);
    expect((await key.get(`${ROLLOUTS}/${listed.data[0].id}`)).body).toEqual(listed.data[0]);
  });

  it('go on with the policy that was read and is sent back, also once they have ended', async () => {
    const { key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    for (const ended of [false, true]) {
      if (ended) await key.post(`${ROLLOUTS}/${(await key.get(ROLLOUTS)).body.data[0].id}/abort`);
      const { body } = await key.get(POLICY);
      expect((await key.put(POLICY, { ...body, sort: 'latency' })).status).toBe(200);
      const { data } = (await key.get(ROLLOUTS)).body;
      expect(data).toMatchObject([{ state: ended ? 'aborted' : 'running' }]);
    }
    await key.put(POLICY, {});
    expect((await key.get(ROLLOUTS)).body.data).toMatchObject([{ state: 'aborted', reason: 'user' }]);
  });

  it('are removed by a version without them', async () => {
    const { key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    await key.put(POLICY, {});
    const { data } = (await key.get(ROLLOUTS)).body;
    expect(data).toMatchObject([{ state: 'removed', reason: null, ended_at: expect.any(String) as string }]);
  });

  it('are as they were where the version of the policy is refused', async () => {
    const { key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    const stale = await key.call('PUT', POLICY, {}, { 'If-Match': '"7"' });
    expect(stale.status).toBe(412);
    expect((await key.get(ROLLOUTS)).body.data).toMatchObject([{ state: 'running' }]);
  });

  it.each<[string, readonly object[]]>([
    ['rollouts[0].to.provider', [rollout({ to: { provider: 'nobody' } })]],
    ['rollouts[0].to.region', [rollout({ to: { region: 'mars' } })]],
    ['rollouts[0].to', [rollout({ to: {} })]],
    ['rollouts[0].share_bps', [rollout({ share_bps: -1 })]],
    ['rollouts[1].name', [rollout(), rollout()]],
    ['rollouts[0].abort.min_calls', [rollout({ abort: { min_calls: 0 } })]],
    ['rollouts', Array.from({ length: 21 }, (_, at) => rollout({ name: String(at) }))],
  ])('are refused with %s where that is wrong', async (param, rollouts) => {
    const { key } = await begin();
    expect(refusalOf(await key.put(POLICY, { rollouts }))).toEqual([400, 'invalid_request', param]);
    expect((await key.get(ROLLOUTS)).body.data).toEqual([]);
    expect((await key.get(POLICY)).body.version).toBe(0);
  });

  it.each([
    ['model', { model: 'acme/large' }],
    ['by', { by: 'session' }],
    ['to', { to: { provider: 'cheap' } }],
  ])('keep their %s under their name', async (field, more) => {
    const { key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    const changed = await key.put(POLICY, { rollouts: [rollout(more)] });
    expect(refusalOf(changed)).toEqual([400, 'invalid_request', `rollouts[0].${field}`]);
    const other = await key.put(POLICY, { rollouts: [rollout({ ...more, name: 'another' })] });
    expect(other.status).toBe(200);
  });

  it('are of the organization alone', async () => {
    const { organization, key } = await begin();
    const ofProject = `/api/v1/projects/${organization.projectId}/policy`;
    expect(refusalOf(await key.put(ofProject, { rollouts: [rollout()] }))).toEqual([
      400,
      'invalid_request',
      'rollouts',
    ]);
    const bound = await management.withKey(organization, ['policy:read'], organization.projectId);
    expect((await bound.get(ROLLOUTS)).status).toBe(403);
  });

  it('are aborted once, with an event and an entry', async () => {
    const { organization, key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    const [{ id }] = (await key.get(ROLLOUTS)).body.data as [{ id: string }];
    const aborts = await Promise.all([1, 2, 3].map(() => key.post(`${ROLLOUTS}/${id}/abort`)));
    expect(aborts.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(aborts.find(({ status }) => status === 200)?.body).toMatchObject({
      ...{ id, state: 'aborted', reason: 'user', ended_at: expect.any(String) as string },
    });
    expect(await traces(organization.id)).toEqual({
      events: [
        expect.objectContaining({
          type: 'rollout.aborted',
          data: {
            ...{ rollout_id: id, name: 'trial', model: 'acme/small', to: { provider: 'dear' } },
            ...{ share_bps: 10_000, reason: 'user', calls: 0, failed: 0 },
          },
        }) as object,
      ],
      entries: [
        {
          action: 'rollout.abort',
          targetLabel: 'trial',
          changes: { state: { from: 'running', to: 'aborted' }, reason: { from: null, to: 'user' } },
        },
      ],
    });
  });

  it('are aborted by who may write policies, and by no key that has one', async () => {
    const { organization, key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    const [{ id }] = (await key.get(ROLLOUTS)).body.data as [{ id: string }];
    const reader = await management.withKey(organization, ['policy:read']);
    expect((await reader.post(`${ROLLOUTS}/${id}/abort`)).status).toBe(403);
    const narrowed = await management.withKey(organization);
    await key.put(`/api/v1/keys/${narrowed.keyId}/policy`, {});
    expect((await narrowed.post(`${ROLLOUTS}/${id}/abort`)).status).toBe(403);
    const { key: stranger } = await begin();
    expect((await stranger.post(`${ROLLOUTS}/${id}/abort`)).status).toBe(404);
    expect((await key.get(`${ROLLOUTS}/${id}`)).body.state).toBe('running');
  });
});

describe('a simulation', () => {
  const attempts = async (key: Awaited<ReturnType<typeof begin>>['key'], more: object = {}) => {
    const { body } = await key.post(`${POLICY}/simulate`, {
      ...{ model: 'acme/latest', operation: 'chat_completions', api_key_id: key.keyId, ...more },
    });
    return (
      body as { attempts: { endpoint: { id: string; provider: string }; placed_by: string }[] }
    ).attempts.map((each) => [each.endpoint.id.split('|')[0], each.endpoint.provider, each.placed_by]);
  };
  const USUAL = [
    ['acme/small', 'cheap', 'price'],
    ['acme/small', 'dear', 'price'],
  ];

  it('says what a rollout by API key moves, of the draft or in force, until it has ended', async () => {
    const { key } = await begin();
    expect(await attempts(key)).toEqual(USUAL);
    const moved = [
      ['acme/small', 'dear', 'rollout'],
      ['acme/small', 'cheap', 'price'],
    ];
    expect(await attempts(key, { policy: { rollouts: [rollout()] } })).toEqual(moved);
    await key.put(POLICY, { rollouts: [rollout()] });
    expect(await attempts(key)).toEqual(moved);
    expect(await attempts(key, { api_key_id: null })).toEqual(USUAL);
    await key.post(`${ROLLOUTS}/${(await key.get(ROLLOUTS)).body.data[0].id}/abort`);
    expect(await attempts(key)).toEqual(USUAL);
  });

  it('refuses a draft whose rollouts cannot be written', async () => {
    const { key } = await begin();
    await key.put(POLICY, { rollouts: [rollout()] });
    for (const [param, more] of [
      ['policy.rollouts[0].to.provider', { name: 'new', to: { provider: 'nobody' } }],
      ['policy.rollouts[0].model', { model: 'acme/large' }],
    ] as const) {
      const answer = await key.post(`${POLICY}/simulate`, { policy: { rollouts: [rollout(more)] } });
      expect(refusalOf(answer)).toEqual([400, 'invalid_request', param]);
    }
  });

  it('plans with the other model, unless that is refused', async () => {
    const { key } = await begin();
    const rollouts = [rollout({ to: { model: 'acme/large' } })];
    expect(await attempts(key, { policy: { rollouts } })).toEqual([['acme/large', 'dear', 'rollout']]);
    expect(await attempts(key, { policy: { rollouts, denied_models: ['acme/large'] } })).toEqual(USUAL);
  });
});
