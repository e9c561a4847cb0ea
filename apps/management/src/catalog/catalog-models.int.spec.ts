import { parseCatalog } from '@svc/catalog';
import { EdgeInstanceStore } from '@svc/ledger/store';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const MODELS = '/api/v1/catalog/models';

const endpoint = {
  upstream_model: 'm',
  region: 'eu',
  data_retention: 'zero',
  prices: { input: 150, output: 600.5, cached_input: 37.5, cache_write: 190 },
};
const file = parseCatalog(
  JSON.stringify({
    providers: [
      { name: 'free', protocol: 'openai', base_url: 'http://127.0.0.1:9' },
      {
        name: 'keyed',
        protocol: 'anthropic',
        base_url: 'http://127.0.0.1:9',
        credential_env: 'KEYED_API_KEY',
      },
    ],
    models: ['acme/small', 'acme/large', 'acme/idle'].map((id) => ({
      id,
      display_name: id,
      context_window: 128_000,
      max_output_tokens: 4096,
    })),
    endpoints: [
      {
        ...endpoint,
        model: 'acme/small',
        provider: 'free',
        parameters: ['temperature'],
        extra_parameters: ['min_p'],
        takes: { temperature: [1], 'thinking.type': [], max_tokens: [] },
        takes_one_of: [['temperature', 'top_p']],
      },
      {
        ...endpoint,
        model: 'acme/small',
        provider: 'keyed',
        region: 'us',
        data_retention: 'retained',
        operations: ['messages'],
        prices: { input: 1, output: 2, long_prompt: { above: 1000, input: 3, output: 4 } },
        betas: { 'fast-mode-2026-02-01': { prices: { input: 5, output: 6 } } },
      },
      { ...endpoint, model: 'acme/large', provider: 'keyed', region: 'us', data_retention: 'retained' },
    ],
    aliases: { fast: 'acme/small', hidden: 'acme/idle' },
  }),
  { file: 'catalog.yaml', env: {} },
);

describe('the models of the catalog', () => {
  let management: ManagementUnderTest;
  let catalog = file;

  beforeAll(async () => {
    management = await startManagement({ catalog: () => catalog });
  });
  afterAll(() => management.close());

  const begin = async () => management.withKey(await management.newOrganization());
  const seenBy = async (key: Client): Promise<Record<string, string[]>> => {
    const { data } = (await key.get(MODELS)).body as {
      data: { id: string; endpoints: { provider: string }[] }[];
    };
    return Object.fromEntries(
      data.map(({ id, endpoints }) => [id, endpoints.map(({ provider }) => provider)]),
    );
  };

  it('are paged in the order of the catalog', async () => {
    const key = await begin();
    const first = await key.get(`${MODELS}?limit=1`);
    expect(first.body).toMatchObject({ data: [{ id: 'acme/small' }], has_more: true });
    const cursor = first.body.next_cursor as string;
    const second = await key.get(`${MODELS}?limit=1&cursor=${cursor}`);
    expect(second.body).toMatchObject({ data: [{ id: 'acme/large' }], has_more: false, next_cursor: null });
  });

  it('have no page after what is no model of the catalog', async () => {
    const key = await begin();
    for (const cursor of ['x', Buffer.from('acme/gone').toString('base64url')]) {
      expect(await key.get(`${MODELS}?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: 'cursor' } },
      });
    }
  });

  it('are shown at the prices of the organization', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization, ['catalog:read']);
    const where = { id: organization.id };
    await management.database.prisma.organization.update({ where, data: { priceBps: 11_550 } });
    const { body } = await key.get(`${MODELS}/${encodeURIComponent('acme/small')}`);
    expect(body.endpoints[0].prices).toEqual({
      ...{ input: 173.25, output: 693.5775, cached_input: 43.3125, cache_write: 219.45 },
      long_prompt: null,
    });
  });

  it('are shown with where they are served and what that costs, credential or not', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization, ['catalog:read']);
    const listed = await key.get(MODELS);
    expect(listed).toMatchObject({ status: 200, body: { has_more: false, next_cursor: null } });
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual(['acme/small', 'acme/large']);
    expect(listed.body.data[0]).toEqual({
      id: 'acme/small',
      aliases: ['fast'],
      display_name: 'acme/small',
      context_window: 128_000,
      max_output_tokens: 4096,
      endpoints: [
        {
          provider: 'free',
          region: 'eu',
          data_retention: 'zero',
          operations: ['chat_completions', 'messages'],
          parameters: ['temperature'],
          extra_parameters: ['min_p'],
          takes: { temperature: [1], 'thinking.type': [] },
          takes_one_of: [['temperature', 'top_p']],
          prices: { input: 150, output: 600.5, cached_input: 37.5, cache_write: 190, long_prompt: null },
          betas: [],
        },
        {
          provider: 'keyed',
          region: 'us',
          data_retention: 'retained',
          operations: ['messages'],
          parameters: null,
          extra_parameters: [],
          takes: {},
          takes_one_of: [],
          prices: {
            input: 1,
            output: 2,
            cached_input: 1,
            cache_write: 1,
            long_prompt: { above: 1000, input: 3, output: 4, cached_input: 3, cache_write: 3 },
          },
          betas: [
            {
              name: 'fast-mode-2026-02-01',
              context_window: null,
              prices: { input: 5, output: 6, cached_input: 5, cache_write: 5, long_prompt: null },
            },
          ],
        },
      ],
    });
    const paths = [
      `${MODELS}/acme%2Fsmall`,
      `${MODELS}/fast`,
      `/api/v1/organizations/${organization.id}/catalog/models/acme%2Fsmall`,
    ];
    for (const path of paths) expect((await key.get(path)).body).toEqual(listed.body.data[0]);
  });

  it.each([
    [{ denied_models: ['acme/small'] }, { 'acme/large': ['keyed'] }],
    [{ allowed_models: ['acme/small'] }, { 'acme/small': ['free', 'keyed'] }],
    [{ allowed_models: [] }, {}],
    [{ denied_providers: ['keyed'] }, { 'acme/small': ['free'] }],
    [{ denied_regions: ['eu'] }, { 'acme/small': ['keyed'], 'acme/large': ['keyed'] }],
    [{ require_zero_retention: true }, { 'acme/small': ['free'] }],
  ])('are those that the policy %j lets be called, where it lets them', async (policy, seen) => {
    const key = await begin();
    await key.put('/api/v1/policy', policy);
    expect(await seenBy(key)).toEqual(seen);
    for (const id of ['acme/small', 'acme/large']) {
      const { status } = await key.get(`${MODELS}/${encodeURIComponent(id)}`);
      expect(status).toBe(id in seen ? 200 : 404);
    }
  });

  it('are not found in the same words whether the policy hides them or there are none', async () => {
    const key = await begin();
    await key.put('/api/v1/policy', { denied_models: ['acme/small'] });
    for (const id of [
      'acme/small',
      'acme/none',
      'acme/idle',
      'small',
      'fast',
      'hidden',
      'key_06dpm2q4x8k3c0v9r7t5w1hzny',
    ]) {
      expect(await key.get(`${MODELS}/${encodeURIComponent(id)}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', message: 'There is no such resource.' } },
      });
    }
  });

  it('are those of the catalog as it is right now', async () => {
    const key = await begin();
    const before = catalog;
    catalog = { ...before, models: new Map([...before.models].slice(1)) };
    const seen = await seenBy(key);
    catalog = before;
    expect(Object.keys(seen)).toEqual(['acme/large']);
  });

  describe('with those that calls cannot use', () => {
    const ALL = `${MODELS}?include=unavailable`;
    const denied = (field: string, what: string, version = 1) => ({
      constraint: what.split(' ')[0],
      field,
      message: `Denied by policy version ${String(version)}: ${what}.`,
    });

    it('are all, with a stable id and every reason why not', async () => {
      const key = await begin();
      await key.put('/api/v1/policy', { denied_regions: ['us'], allowed_providers: ['keyed'] });
      const { data } = (await key.get(ALL)).body;
      const noCredential = { constraint: 'credential', field: null, message: 'No credential for keyed.' };
      expect(data).toMatchObject([
        {
          id: 'acme/small',
          eligible: false,
          endpoints: [
            {
              id: 'acme/small|free|eu|m',
              eligible: false,
              credential: 'none',
              latency: null,
              reasons: [denied('allowed_providers', 'provider free')],
            },
            {
              id: 'acme/small|keyed|us|m',
              eligible: false,
              reasons: [noCredential, denied('denied_regions', 'region us')],
            },
          ],
        },
        { id: 'acme/large', reasons: [noCredential, denied('denied_regions', 'region us')] },
        { id: 'acme/idle', eligible: false, endpoints: [], reasons: [{ constraint: 'endpoints' }] },
      ]);
      const one = await key.get(`${MODELS}/acme%2Fidle?include=unavailable`);
      expect(one.body).toEqual(data[2]);
    });

    it('are eligible with a credential, of the organization or of the platform', async () => {
      const edges = new EdgeInstanceStore(management.database);
      const key = await begin();
      const large = async () => (await key.get(`${MODELS}/acme%2Flarge?include=unavailable`)).body;
      await edges.renewEdgeInstance('edge_1', 60_000, ['keyed']);
      expect(await large()).toMatchObject({
        eligible: true,
        reasons: [],
        endpoints: [{ eligible: true, reasons: [], credential: 'platform' }],
      });
      await key.put('/api/v1/policy', { credential_mode: 'own_only' });
      expect((await large()).reasons).toMatchObject([{ field: 'credential_mode' }]);
      await edges.removeEdgeInstance('edge_1');
      const credential = { provider: 'keyed', label: 'Ours', secret: 'sk-of-our-own-1234' };
      await key.post('/api/v1/provider-credentials', credential);
      expect((await large()).endpoints).toMatchObject([{ eligible: true, credential: 'own' }]);
    });

    it('are paged like the others', async () => {
      const key = await begin();
      const first = await key.get(`${ALL}&limit=2`);
      const second = await key.get(`${ALL}&limit=2&cursor=${first.body.next_cursor}`);
      expect([first, second].map(({ body }) => (body.data as unknown[]).length)).toEqual([2, 1]);
      expect([first.body.has_more, second.body.has_more]).toEqual([true, false]);
    });

    it('are for who may read the policy, too', async () => {
      const organization = await management.newOrganization();
      const reader = await management.withKey(organization, ['catalog:read']);
      const token = await management.withAccessToken(organization, 'owner', ['catalog:read']);
      expect((await reader.get(ALL)).body.error).toMatchObject({
        code: 'permission_denied',
        message: 'This needs the permission policy:read.',
      });
      expect((await token.get(ALL)).body.error).toMatchObject({ code: 'insufficient_scope' });
      expect((await token.get(MODELS)).status).toBe(200);
      expect((await reader.get(`${MODELS}?include=all`)).body.error).toMatchObject({ param: 'include' });
    });
  });

  it('are shown to who may read the catalog, of the caller’s own organization', async () => {
    const organization = await management.newOrganization();
    const finance = await management.withSession(organization, 'finance');
    for (const path of [MODELS, `${MODELS}/acme%2Fsmall`]) {
      expect(await finance.get(path)).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
    }
    const viewer = await management.withSession(organization, 'viewer');
    expect((await viewer.get(MODELS)).status).toBe(200);
    const projectKey = await management.withKey(organization, ['catalog:read'], organization.projectId);
    expect((await projectKey.get(MODELS)).status).toBe(200);
    const theirs = await management.newOrganization();
    expect((await viewer.get(`/api/v1/organizations/${theirs.id}/catalog/models`)).status).toBe(404);
  });
});
