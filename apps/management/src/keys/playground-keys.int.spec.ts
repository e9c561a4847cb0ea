import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const HOUR_MS = 3_600_000;

describe('a playground key', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const NEW = { name: 'Playground', scopes: ['inference:invoke'], purpose: 'playground' };
  const create = (caller: Client, fields: object = {}) => caller.post('/api/v1/keys', { ...NEW, ...fields });
  const idsAt = async (caller: Client, query: string) =>
    (await caller.get(`/api/v1/keys?${query}`)).body.data.map(({ id }: { id: string }) => id);

  it('is its user’s, and ends within an hour', async () => {
    const organization = await management.newOrganization();
    const developer = await management.withSession(organization, 'developer');
    const { status, body } = await create(developer);
    expect(status).toBe(201);
    expect(body.api_key).toMatchObject({ purpose: 'playground', created_by: developer.userId });
    const livesMs = Date.parse(body.api_key.expires_at) - Date.parse(body.api_key.created_at);
    expect(livesMs).toBe(HOUR_MS);
  });

  it('is in no list but those that ask for it', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const { id } = (await create(owner)).body.api_key;
    const general = (await create(owner, { purpose: 'general' })).body.api_key.id;

    expect(await idsAt(owner, '')).toEqual([general]);
    expect(await idsAt(owner, 'q=playground')).toEqual([general]);
    expect(await idsAt(owner, 'purpose=playground')).toEqual([id]);
    expect(await idsAt(owner, `ids=${id},${general}`)).toEqual([general, id]);
    expect((await owner.get(`/api/v1/keys/${id}`)).status).toBe(200);
  });

  it('takes the place of the user’s former one, which is revoked with it, and audited', async () => {
    const organization = await management.newOrganization();
    const ada = await management.withSession(organization, 'developer');
    const bob = await management.withSession(organization, 'developer');
    const former = (await create(ada)).body;
    const others = (await create(bob)).body.api_key.id;
    const next = (await create(ada)).body.api_key.id;

    expect(await idsAt(ada, 'purpose=playground&state=active')).toEqual([next, others]);
    const revoked = management.client({ authorization: `Bearer ${former.key}` });
    expect((await revoked.get('/api/v1/keys')).status).toBe(401);
    expect(
      await management.database.prisma.auditEntry.findMany({
        where: { targetId: former.api_key.id },
        orderBy: { id: 'asc' },
      }),
    ).toMatchObject([
      { action: 'api_key.create' },
      {
        action: 'api_key.revoke',
        actorId: ada.userId,
        changes: { state: { from: 'active', to: 'revoked' } },
      },
    ]);
  });

  it('is one, also where many are asked for at once', async () => {
    const organization = await management.newOrganization();
    const developer = await management.withSession(organization, 'developer');
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(developer)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(await idsAt(developer, 'purpose=playground&state=active')).toHaveLength(1);
    const events = await management.database.prisma.outboxEvent.findMany({
      where: { organizationId: organization.id, type: 'api_key.revoked' },
    });
    expect(events).toHaveLength(5);
  });

  it('leaves the former one as it was where it is refused', async () => {
    const organization = await management.newOrganization();
    const developer = await management.withSession(organization, 'developer');
    const { id } = (await create(developer)).body.api_key;
    const later = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    for (const [fields, param] of [
      [{ scopes: ['inference:invoke', 'key:read'] }, 'scopes'],
      [{ scopes: ['key:read'] }, 'scopes'],
      [{ expires_at: later }, 'expires_at'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ replaces: id }, 'replaces'],
      [{ purpose: 'other' }, 'purpose'],
    ] as const) {
      const answer = await create(developer, fields);
      expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    }
    expect(await idsAt(developer, 'purpose=playground&state=active')).toEqual([id]);
  });

  it('is not made by an API key', async () => {
    const answer = await create(await management.withKey(await management.newOrganization()));
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([
      403,
      'permission_denied',
      'purpose',
    ]);
  });

  it('does not outlive its hour by a change', async () => {
    const organization = await management.newOrganization();
    const developer = await management.withSession(organization, 'developer');
    const { id, expires_at } = (await create(developer)).body.api_key;
    const path = `/api/v1/keys/${id}`;
    const later = await developer.patch(path, {
      expires_at: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
    });
    expect([later.status, later.body.error.param]).toEqual([400, 'expires_at']);
    expect((await developer.patch(path, { expires_at: null })).body).toMatchObject({ expires_at });
  });
});
