import { systemIds } from '@svc/runtime';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

describe('an API key', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const NEW = { name: 'Search', scopes: ['inference:invoke'] };
  const newKey = async (caller: Client, fields: object = {}) =>
    (await caller.post('/api/v1/keys', { ...NEW, ...fields })).body.api_key;
  const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const changesOf = async (targetId: string) =>
    (
      await management.database.prisma.auditEntry.findMany({ where: { targetId }, orderBy: { id: 'asc' } })
    ).map(({ action, changes }) => ({ action, changes }));

  it('names the key whose place it takes, and that one names its newest successor', async () => {
    const caller = await management.withKey(await management.newOrganization());
    const old = await newKey(caller);
    const first = await newKey(caller, { replaces: old.id });
    const second = await newKey(caller, { replaces: old.id });

    expect(second).toMatchObject({ replaces: old.id, replaced_by: null });
    expect((await caller.get(`/api/v1/keys/${old.id}`)).body).toMatchObject({
      state: 'active',
      replaces: null,
      replaced_by: second.id,
    });
    expect((await changesOf(old.id)).slice(1)).toEqual([
      { action: 'api_key.update', changes: { replaced_by: { from: null, to: first.id } } },
      { action: 'api_key.update', changes: { replaced_by: { from: first.id, to: second.id } } },
    ]);
  });

  it('replaces no key that its creator does not see, and leaves nothing of the try', async () => {
    const organization = await management.newOrganization();
    const theirs = await management.withKey(await management.newOrganization());
    const wide = await management.withKey(organization);
    const own = await management.withKey(organization, undefined, organization.projectId);
    for (const [caller, replaces] of [
      [wide, theirs.keyId],
      [wide, systemIds('apiKey')],
      [own, wide.keyId],
    ] as const) {
      const answer = await caller.post('/api/v1/keys', { ...NEW, replaces });
      expect([answer.status, answer.body.error.param]).toEqual([400, 'replaces']);
    }
    expect((await wide.get('/api/v1/keys')).body.data).toHaveLength(2);
  });

  it('gets another end, or none, and the audit log says so', async () => {
    const caller = await management.withKey(await management.newOrganization());
    const { id } = await newKey(caller);
    const expires_at = inOneHour();
    const path = `/api/v1/keys/${id}`;
    expect((await caller.patch(path, { expires_at })).body).toMatchObject({ expires_at });
    for (const same of [expires_at.replace('Z', '0Z'), expires_at.replace('Z', '000+00:00')]) {
      expect((await caller.patch(path, { expires_at: same })).body).toMatchObject({ expires_at });
    }
    expect((await caller.patch(path, { expires_at: null })).body).toMatchObject({ expires_at: null });
    expect((await changesOf(id)).slice(1)).toEqual([
      { action: 'api_key.update', changes: { expires_at: { from: null, to: expires_at } } },
      { action: 'api_key.update', changes: { expires_at: { from: expires_at, to: null } } },
    ]);
  });

  it('gets no end in the past', async () => {
    const caller = await management.withKey(await management.newOrganization());
    const answer = await caller.patch(`/api/v1/keys/${caller.keyId}`, {
      expires_at: '2020-01-01T00:00:00Z',
    });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'expires_at']);
  });

  it('lives longer only for who holds each of its permissions', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withKey(organization);
    const developer = await management.withSession(organization, 'developer');
    const { id } = await newKey(owner, { scopes: ['wallet:read'], expires_at: inOneHour() });
    const path = `/api/v1/keys/${id}`;

    const sooner = new Date(Date.now() + 60_000).toISOString();
    expect((await developer.patch(path, { expires_at: sooner })).status).toBe(200);
    for (const expires_at of [inOneHour(), null]) {
      const answer = await developer.patch(path, { expires_at });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'permission_denied']);
    }
    expect((await owner.patch(path, { expires_at: null })).status).toBe(200);
  });
});
