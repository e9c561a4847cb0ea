import { parseCatalog } from '@svc/catalog';
import { ChangeFeed, type Change } from '@svc/database';
import {
  type CredentialReport,
  CredentialReportStore,
  credentialContext,
  ProviderCredentialStore,
} from '@svc/policy/store';
import { addEdge, refusedReport } from '@svc/policy/testing';
import { createSealer } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const CREDENTIALS = '/api/v1/provider-credentials';
const MASTER_KEY = Buffer.alloc(32, 9);
const SECRET = 'sk-acme-0123456789-abcd';
const NEXT_SECRET = 'sk-acme-9876543210-wxyz';
const catalog = parseCatalog(
  JSON.stringify({
    providers: ['acme', 'other'].map((name) => ({
      name,
      protocol: 'openai',
      base_url: 'http://127.0.0.1:9',
    })),
    models: [],
    endpoints: [],
  }),
  { file: 'catalog.yaml', env: {} },
);

describe('provider credentials', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement({
      masterKey: MASTER_KEY,
      catalog: () => catalog,
    });
  });
  afterAll(() => management.close());

  const begin = async () => {
    const organization = await management.newOrganization();
    return { organization, key: await management.withKey(organization) };
  };
  const keep = async (key: Client, more: object = {}) =>
    (await key.post(CREDENTIALS, { provider: 'acme', label: 'Main', secret: SECRET, ...more })).body;
  const secretsInUse = async (organizationId: string) => {
    const active = await new ProviderCredentialStore(management.database).activeFor(organizationId);
    const sealer = createSealer(MASTER_KEY);
    return active.map(({ id, sealedSecret }) => sealer.open(sealedSecret, credentialContext(id)).toString());
  };
  const traces = async (organizationId: string) => {
    const { prisma } = management.database;
    const where = { organizationId };
    const entries = await prisma.auditEntry.findMany({ where });
    const events = await prisma.outboxEvent.findMany({ where });
    return {
      actions: entries.map(({ action }) => action).toSorted(),
      events: events.map(({ type }) => type).toSorted(),
      entries,
    };
  };

  it('are stored sealed, and read at both path forms without their secret', async () => {
    const { organization, key } = await begin();
    const scoped = `/api/v1/organizations/${organization.id}/provider-credentials`;
    const created = await key.post(scoped, { provider: 'acme', label: ' Main ', secret: ` ${SECRET}\n` });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cred_/) as string,
      organization_id: organization.id,
      provider: 'acme',
      label: 'Main',
      last4: 'abcd',
      state: 'active',
      weight: 100,
      rate_limit_rpm: null,
      rate_limit_tpm: null,
      health: 'ok',
      retry_at: null,
      cooling: [],
      headroom_bps: null,
      rotated_at: null,
      last_auth_failed_at: null,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    for (const path of [`${CREDENTIALS}/${created.body.id}`, `${scoped}/${created.body.id}`]) {
      expect((await key.get(path)).body).toEqual(created.body);
    }
    expect(await secretsInUse(organization.id)).toEqual([SECRET]);
  });

  it('are listed newest first, page by page, all or those asked for', async () => {
    const { key } = await begin();
    const ids: string[] = [];
    for (const provider of ['acme', 'other', 'acme'])
      ids.unshift((await keep(key, { provider })).id as string);
    await key.post(`${CREDENTIALS}/${ids[0]!}/disable`);

    const first = await key.get(`${CREDENTIALS}?limit=2`);
    const second = await key.get(`${CREDENTIALS}?limit=2&cursor=${first.body.next_cursor}`);
    const idsOf = ({ body }: typeof first): string[] => body.data.map(({ id }: { id: string }) => id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(idsOf(await key.get(`${CREDENTIALS}?provider=acme`))).toEqual([ids[0], ids[2]]);
    expect(idsOf(await key.get(`${CREDENTIALS}?provider=acme&state=active`))).toEqual([ids[2]]);
    for (const [filter, param] of [
      ['state=sleeping', 'state'],
      ['provider=%00', 'provider'],
      ['colour=red', 'colour'],
    ]) {
      expect(await key.get(`${CREDENTIALS}?${filter}`)).toMatchObject({
        status: 400,
        body: { error: { param } },
      });
    }
  });

  it('take label, weight and rates, each by itself, with an audit entry and no event', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key, { weight: 50, rate_limit_rpm: 500 });
    const path = `${CREDENTIALS}/${id}`;
    const pooled = async (change: object) => {
      const { status, body } = await key.patch(path, change);
      return [status, body.label, body.weight, body.rate_limit_rpm, body.rate_limit_tpm];
    };
    expect(await pooled({})).toEqual([200, 'Main', 50, 500, null]);
    expect(await pooled({ weight: 0, rate_limit_rpm: null })).toEqual([200, 'Main', 0, null, null]);
    expect(await pooled({ label: ' Spare ', rate_limit_tpm: 9 })).toEqual([200, 'Spare', 0, null, 9]);
    expect((await key.get(path)).body).toMatchObject({ label: 'Spare', weight: 0, rate_limit_tpm: 9 });
    const { events, entries } = await traces(organization.id);
    expect(events).toEqual(['credential.created']);
    const updates = entries.filter(({ action }) => action === 'provider_credential.update');
    expect(updates.map(({ changes }) => changes)).toContainEqual({
      weight: { from: 50, to: 0 },
      rate_limit_rpm: { from: 500, to: null },
    });
    await key.post(`${path}/revoke`);
    expect(await key.patch(path, { weight: 1 })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
  });

  it.each([
    [{ weight: null }, 'weight'],
    [{ weight: -1 }, 'weight'],
    [{ weight: 1001 }, 'weight'],
    [{ weight: 1.5 }, 'weight'],
    [{ rate_limit_rpm: 0 }, 'rate_limit_rpm'],
    [{ rate_limit_tpm: 2 ** 31 }, 'rate_limit_tpm'],
    [{ health: 'ok' }, 'health'],
    [{ secret: NEXT_SECRET }, 'secret'],
  ])('refuse the change %j, naming the field', async (change, param) => {
    const { key } = await begin();
    const { id } = await keep(key);
    expect(await key.patch(`${CREDENTIALS}/${id}`, change)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });

  it('are at most 20 active ones of a provider', async () => {
    const { key } = await begin();
    const first = await keep(key);
    for (let count = 1; count < 20; count++) await keep(key);
    const refused = { status: 409, body: { error: { code: 'conflict' } } };
    const another = { provider: 'acme', label: 'One more', secret: SECRET };
    expect(await key.post(CREDENTIALS, another)).toMatchObject(refused);
    expect((await key.post(CREDENTIALS, { ...another, provider: 'other' })).status).toBe(201);
    await key.post(`${CREDENTIALS}/${first.id}/disable`);
    expect((await key.post(CREDENTIALS, another)).status).toBe(201);
    expect(await key.post(`${CREDENTIALS}/${first.id}/enable`)).toMatchObject(refused);
    expect((await key.get(`${CREDENTIALS}/${first.id}`)).body.state).toBe('disabled');
  });

  it('show the health that edges report, until it is forgotten by a new secret or by enabling', async () => {
    const { key } = await begin();
    const [{ id }, other] = [await keep(key), await keep(key)];
    const path = `${CREDENTIALS}/${id}`;
    await addEdge(management.database, 'edge_1');
    const reports = new CredentialReportStore(management.database);
    const report = (changes: Partial<CredentialReport>) =>
      reports.write('edge_1', [refusedReport({ credential: id as string, ...changes })]);
    await report({});
    expect((await key.get(path)).body).toMatchObject({
      health: 'refused',
      retry_at: expect.any(String) as string,
      state: 'active',
    });
    const { body: listed } = await key.get(CREDENTIALS);
    expect(listed.data).toMatchObject([
      { id: other.id, health: 'ok' },
      { id, health: 'refused' },
    ]);
    expect((await key.post(`${path}/enable`)).body).toMatchObject({ health: 'ok', retry_at: null });

    const endpointId = 'acme/small|acme|eu|small-1';
    const room = { headroomBps: 120, headroomForMs: 60_000 };
    await report({ healthEpoch: 1, endpointId, rest: 'rate_limit', restsForMs: 60_000, ...room });
    expect((await key.get(path)).body).toMatchObject({
      health: 'cooling',
      cooling: [{ endpoint_id: endpointId, until: expect.any(String) as string }],
      headroom_bps: 120,
    });
    await key.post(`${path}/rotate`, { secret: NEXT_SECRET });
    expect((await key.get(path)).body).toMatchObject({ health: 'ok', cooling: [], headroom_bps: null });
  });

  it('get a new secret, which is used from then on', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    const rotated = await key.post(`${CREDENTIALS}/${id}/rotate`, { secret: NEXT_SECRET });
    expect(rotated).toMatchObject({
      status: 200,
      body: { id, last4: 'wxyz', state: 'active', rotated_at: expect.any(String) as string },
    });
    expect(await secretsInUse(organization.id)).toEqual([NEXT_SECRET]);
  });

  it('are set aside, taken back and ended, each time with an audit entry and an event', async () => {
    const { organization, key } = await begin();
    const [lost, ended] = [await keep(key), await keep(key)];
    const act = async (id: string, action: string) =>
      (await key.post(`${CREDENTIALS}/${id}/${action}`)).body.state;
    expect([
      await act(lost.id, 'disable'),
      await act(lost.id, 'enable'),
      await act(lost.id, 'compromised'),
      await act(ended.id, 'revoke'),
    ]).toEqual(['disabled', 'active', 'compromised', 'revoked']);
    await key.post(`${CREDENTIALS}/${(await keep(key)).id}/rotate`, { secret: NEXT_SECRET });
    expect(await secretsInUse(organization.id)).toEqual([NEXT_SECRET]);

    const { actions, events, entries } = await traces(organization.id);
    const verbs = ['compromise', 'create', 'create', 'create', 'disable', 'enable', 'revoke', 'rotate'];
    expect(actions).toEqual(verbs.map((verb) => `provider_credential.${verb}`));
    expect(events).toEqual(
      ['compromised', 'created', 'created', 'created', 'disabled', 'enabled', 'revoked', 'rotated'].map(
        (what) => `credential.${what}`,
      ),
    );
    expect(entries.find(({ action }) => action === 'provider_credential.compromise')).toMatchObject({
      targetId: lost.id as string,
      actorId: key.keyId,
      changes: { state: { from: 'active', to: 'compromised' } },
    });
  });

  it('may be told the same twice: nothing happens the second time', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    const answers = await Promise.all([1, 2, 3].map(() => key.post(`${CREDENTIALS}/${id}/disable`)));
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(Array(3).fill([200, 'disabled']));
    expect((await traces(organization.id)).events).toEqual(['credential.created', 'credential.disabled']);
  });

  it.each([
    ['revoke', ['disable', 'enable', 'compromised', 'rotate']],
    ['compromised', ['disable', 'enable', 'revoke', 'rotate']],
  ])('stay as they are after %s', async (end, others) => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    const { body: ended } = await key.post(`${CREDENTIALS}/${id}/${end}`);
    for (const action of others) {
      const body = action === 'rotate' ? { secret: NEXT_SECRET } : undefined;
      expect(await key.post(`${CREDENTIALS}/${id}/${action}`, body)).toMatchObject({
        status: 409,
        body: { error: { code: 'conflict', retriable: false } },
      });
    }
    expect((await key.get(`${CREDENTIALS}/${id}`)).body).toEqual(ended);
    expect((await traces(organization.id)).events).toHaveLength(2);
  });

  it('come to one end where two ends are asked for at once', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    const answers = await Promise.all(
      ['revoke', 'compromised'].map((action) => key.post(`${CREDENTIALS}/${id}/${action}`)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200);
    expect((await key.get(`${CREDENTIALS}/${id}`)).body).toEqual(won?.body);
    expect((await traces(organization.id)).events).toHaveLength(2);
  });

  it('leave use as soon as they are marked compromised', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    const told: Change[] = [];
    const feed = new ChangeFeed({
      database: management.database,
      logger: createLogger({ service: 'spec', level: 'silent' }),
      tell: (change) => void told.push(change),
    });
    feed.start();
    try {
      while (told.length === 0) await new Promise(setImmediate);
      await key.post(`${CREDENTIALS}/${id}/compromised`);
      while (told.length === 1) await new Promise(setImmediate);
      expect(told[1]).toEqual({ of: 'providerCredentials', organizationId: organization.id });
      expect(await secretsInUse(organization.id)).toEqual([]);
    } finally {
      await feed.stop();
    }
  });

  it('show the end of a secret only where enough of it stays hidden', async () => {
    const { key } = await begin();
    const lastOf = async (secret: string) => (await keep(key, { secret })).last4 as string | null;
    expect(await lastOf('a'.repeat(7))).toBeNull();
    expect(await lastOf('a'.repeat(8))).toBe('aaaa');
  });

  it('leave no trace of a secret in any table', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    await key.post(`${CREDENTIALS}/${id}/rotate`, { secret: NEXT_SECRET });
    await key.post(`${CREDENTIALS}/${id}/rotate`, { secret: `${NEXT_SECRET}\u0007` });
    const { rows } = await management.database.pool.query<{ row: string }>(
      `SELECT to_jsonb(a)::text AS row FROM audit_entries AS a WHERE organization_id = $1
       UNION ALL SELECT to_jsonb(o)::text FROM outbox_events AS o WHERE organization_id = $1
       UNION ALL SELECT to_jsonb(c)::text || encode(c.secret_ciphertext, 'escape')
         FROM provider_credentials AS c WHERE organization_id = $1`,
      [organization.id],
    );
    expect(rows).toHaveLength(5);
    for (const { row } of rows) expect(row).not.toContain('sk-acme');
  });

  it('of another organization are not found, whatever is asked of them', async () => {
    const theirs = await begin();
    const { key } = await begin();
    const { id } = await keep(theirs.key);
    const answers = [
      await key.get(`${CREDENTIALS}/${id}`),
      await key.get(`${CREDENTIALS}/${theirs.organization.id}`),
      await key.post(`${CREDENTIALS}/${id}/rotate`, { secret: NEXT_SECRET }),
      ...(await Promise.all(
        ['disable', 'enable', 'revoke', 'compromised'].map((action) =>
          key.post(`${CREDENTIALS}/${id}/${action}`),
        ),
      )),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', message: 'There is no such resource.' } },
      });
    }
    expect(await secretsInUse(theirs.organization.id)).toEqual([SECRET]);
    expect((await key.get(CREDENTIALS)).body.data).toEqual([]);
  });

  it('are changed by who may, and read by who may', async () => {
    const { organization, key } = await begin();
    const { id } = await keep(key);
    const developer = await management.withSession(organization, 'developer');
    const viewer = await management.withSession(organization, 'viewer');
    expect((await developer.get(CREDENTIALS)).body.data).toHaveLength(1);
    const refused = [
      await developer.post(CREDENTIALS, { provider: 'acme', label: 'Main', secret: SECRET }),
      await developer.post(`${CREDENTIALS}/${id}/disable`),
      await viewer.get(CREDENTIALS),
      await viewer.get(`${CREDENTIALS}/${id}`),
    ];
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    }
    expect((await traces(organization.id)).actions).toEqual(['provider_credential.create']);
  });

  it.each([
    [{ provider: 'nobody' }, 'provider'],
    [{ provider: 7 }, 'provider'],
    [{ label: '' }, 'label'],
    [{ secret: '' }, 'secret'],
    [{ secret: '   ' }, 'secret'],
    [{ secret: 'sk-\u00e4' }, 'secret'],
    [{ secret: 'sk-\nacme' }, 'secret'],
    [{ secret: 'a'.repeat(4097) }, 'secret'],
    [{ colour: 'red' }, 'colour'],
  ])('refuse %j, naming the field, repeating no secret, and storing nothing', async (wrong, param) => {
    const { organization, key } = await begin();
    const { status, body } = await key.post(CREDENTIALS, {
      provider: 'acme',
      label: 'Main',
      secret: SECRET,
      ...wrong,
    });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
    expect(body.error.message).not.toMatch(/sk-/);
    expect((await key.get(CREDENTIALS)).body.data).toEqual([]);
    expect(await traces(organization.id)).toMatchObject({ actions: [], events: [] });
  });
});
