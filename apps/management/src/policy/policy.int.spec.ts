import { ChangeFeed, type Change } from '@svc/database';
import { createLogger } from '@svc/runtime/observability';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';

const DEFAULT = {
  allowed_providers: null,
  denied_providers: [],
  allowed_regions: null,
  denied_regions: [],
  allowed_models: null,
  denied_models: [],
  allowed_operations: null,
  denied_operations: [],
  require_zero_retention: false,
  require_end_user: false,
  max_output_tokens: null,
  max_cost_nanos: null,
  end_user_rate_limit_rpm: null,
  end_user_rate_limit_tpm: null,
  sort: 'price',
  max_attempts: null,
  credential_mode: 'own_first',
  affinity: 'auto',
  retention: 'metadata',
  rollouts: [],
};
const POLICY = '/api/v1/policy';
const OF_ORGANIZATION = { level: 'organization', project_id: null, api_key_id: null };

describe('the policy', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const begin = async () => {
    const organization = await management.newOrganization();
    return { organization, key: await management.withKey(organization) };
  };
  const traces = async (organizationId: string) => {
    const { prisma } = management.database;
    const where = { organizationId };
    const entries = await prisma.auditEntry.findMany({ where });
    const events = await prisma.outboxEvent.findMany({ where });
    return {
      entries,
      events: events.map(({ payload }) => JSON.parse(payload) as { type: string; data: object }),
    };
  };

  it('of an organization that never wrote one is the default, as version 0', async () => {
    const { organization, key } = await begin();
    const answer = await key.get(POLICY);
    expect(answer.body).toEqual({
      id: null,
      organization_id: organization.id,
      version: 0,
      ...DEFAULT,
      created_by: null,
      created_at: null,
    });
    expect(answer.headers.get('etag')).toBe('"0"');
    expect((await key.get(`${POLICY}/versions`)).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it('is written whole, as its next version, and read at both path forms', async () => {
    const { organization, key } = await begin();
    const scoped = `/api/v1/organizations/${organization.id}/policy`;
    await key.put(POLICY, { sort: 'latency', denied_models: ['acme/large'], max_attempts: 2 });
    const written = await key.put(scoped, { allowed_regions: [], retention: 'none' });

    expect(written.status).toBe(200);
    expect(written.headers.get('etag')).toBe('"2"');
    expect(written.body).toEqual({
      id: expect.stringMatching(/^pol_/) as string,
      organization_id: organization.id,
      version: 2,
      ...DEFAULT,
      allowed_regions: [],
      retention: 'none',
      created_by: null,
      created_at: expect.any(String) as string,
    });
    for (const path of [POLICY, scoped, `${scoped}/versions/${written.body.id}`]) {
      expect((await key.get(path)).body).toEqual(written.body);
    }
  });

  it('keeps every version, newest first, page by page', async () => {
    const { key } = await begin();
    for (const max_attempts of [1, 2, 3]) await key.put(POLICY, { max_attempts });
    const first = await key.get(`${POLICY}/versions?limit=2`);
    const second = await key.get(`${POLICY}/versions?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data]).toMatchObject([
      { version: 3, max_attempts: 3 },
      { version: 2, max_attempts: 2 },
      { version: 1, max_attempts: 1 },
    ]);
    expect([first.body.has_more, second.body.has_more]).toEqual([true, false]);
  });

  it('that was read can be changed and sent back whole', async () => {
    const { organization } = await begin();
    const session = await management.withSession(organization, 'security_admin');
    for (const sort of ['latency', 'throughput']) {
      const { body } = await session.get(POLICY);
      expect((await session.put(POLICY, { ...body, sort })).status).toBe(200);
    }
    expect((await session.get(POLICY)).body).toMatchObject({
      version: 2,
      sort: 'throughput',
      created_by: session.userId,
    });
  });

  it('may speak of what no catalog lists', async () => {
    const { key } = await begin();
    const ahead = { allowed_models: ['acme/next'], denied_providers: ['gone'], allowed_regions: ['moon'] };
    expect(await key.put(POLICY, ahead)).toMatchObject({ status: 200, body: ahead });
  });

  it('loses no version when many are written at once, nor an audit entry, nor an event', async () => {
    const { organization, key } = await begin();
    const attempts = [1, 2, 3, 4, 5, 6, 7, 8];
    const written = await Promise.all(attempts.map((max_attempts) => key.put(POLICY, { max_attempts })));
    const versions = written.map(({ body }) => body.version as number).toSorted((a, b) => a - b);
    expect(versions).toEqual(attempts);

    const { entries, events } = await traces(organization.id);
    expect(entries.map(({ changes }) => (changes as { version: object }).version)).toEqual(
      expect.arrayContaining(versions.map((to) => ({ from: to - 1, to }))),
    );
    expect(events.map(({ data }) => data)).toEqual(
      expect.arrayContaining(
        written.map(({ body }) => ({
          policy_id: body.id as string,
          version: body.version as number,
          ...OF_ORGANIZATION,
        })),
      ),
    );
    expect([entries.length, events.length]).toEqual([8, 8]);
  });

  it('is replaced by one of two who saw the same version, and says so to the other', async () => {
    const { organization, key } = await begin();
    const answers = await Promise.all(
      ['latency', 'throughput'].map((sort) => key.call('PUT', POLICY, { sort }, { 'if-match': '"0"' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    expect(answers.find(({ status }) => status === 412)?.body.error).toMatchObject({
      code: 'precondition_failed',
      param: 'If-Match',
      retriable: false,
    });
    const { entries, events } = await traces(organization.id);
    expect([entries.length, events.length]).toEqual([1, 1]);
    expect((await key.call('PUT', POLICY, {}, { 'if-match': '"1"' })).status).toBe(200);
    expect((await key.call('PUT', POLICY, {}, { 'if-match': '*' })).status).toBe(200);
    expect(await key.call('PUT', POLICY, {}, { 'if-match': '3' })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'If-Match' } },
    });
  });

  it('says in the audit log what became different', async () => {
    const { organization, key } = await begin();
    await key.put(POLICY, { sort: 'latency' });
    const { body } = await key.put(POLICY, { sort: 'latency', denied_regions: ['us'] });
    const { entries, events } = await traces(organization.id);
    expect(entries.find(({ targetId }) => targetId === body.id)).toMatchObject({
      action: 'policy.update',
      actorType: 'api_key',
      actorId: key.keyId,
      changes: { version: { from: 1, to: 2 }, denied_regions: { from: [], to: ['us'] } },
    });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'policy.updated',
        data: { policy_id: body.id as string, version: 2, ...OF_ORGANIZATION },
      }),
    );
  });

  it('is told of as soon as it is written', async () => {
    const { organization, key } = await begin();
    const told: Change[] = [];
    const feed = new ChangeFeed({
      database: management.database,
      logger: createLogger({ service: 'spec', level: 'silent' }),
      tell: (change) => void told.push(change),
    });
    feed.start();
    try {
      while (told.length === 0) await new Promise(setImmediate);
      await key.put(POLICY, { sort: 'latency' });
      while (told.length === 1) await new Promise(setImmediate);
      expect(told[1]).toEqual({ of: 'policy', organizationId: organization.id });
    } finally {
      await feed.stop();
    }
  });

  it('of another organization is not found', async () => {
    const theirs = await begin();
    const { key } = await begin();
    const { body } = await theirs.key.put(POLICY, {});
    const paths = [`${POLICY}/versions/${body.id}`, `${POLICY}/versions/${theirs.organization.id}`];
    for (const path of paths) {
      expect(await key.get(path)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', message: 'There is no such resource.' } },
      });
    }
    expect((await key.put(`/api/v1/organizations/${theirs.organization.id}/policy`, {})).status).toBe(404);
    expect((await theirs.key.get(POLICY)).body.version).toBe(1);
  });

  it('is written by who may, and read by who may', async () => {
    const { organization } = await begin();
    const developer = await management.withSession(organization, 'developer');
    const finance = await management.withSession(organization, 'finance');
    expect((await developer.get(POLICY)).status).toBe(200);
    for (const refused of [await developer.put(POLICY, {}), await finance.get(POLICY)]) {
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    }
    expect((await traces(organization.id)).entries).toEqual([]);
  });

  it.each([
    [{ sort: 'quality' }, 'sort'],
    [{ max_attempts: 0 }, 'max_attempts'],
    [{ allowed_models: ['small'] }, 'allowed_models[0]'],
    [{ denied_regions: ['eu', 'a\u0000b'] }, 'denied_regions[1]'],
    [{ denied_regions: null }, 'denied_regions'],
    [{ colour: 'red' }, 'colour'],
    [[], undefined],
    [undefined, undefined],
  ])('refuses %j, naming the field, and writes nothing', async (body, param) => {
    const { organization, key } = await begin();
    const { status, body: answer } = await key.put(POLICY, body);
    expect([status, answer.error.code, answer.error.param]).toEqual([400, 'invalid_request', param]);
    expect(await traces(organization.id)).toEqual({ entries: [], events: [] });
  });
});
